/** Validates names of time zones. */
import { invalidField } from '@murmuration/contracts/kit'

/** Whether the text is a name of the time zone database, ignoring case. */
export const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** The given time zone. Throws an invalid-field error if it is unknown. */
export const knownTimeZone = <Zone extends string | null | undefined>(zone: Zone): Zone => {
  if (zone && !isTimeZone(zone)) throw invalidField('Time zone is not included in the list')
  return zone
}
