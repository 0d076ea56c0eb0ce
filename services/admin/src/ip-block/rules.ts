/** Parsing of the values of an IP block. */
import { IpBlockSeverity } from '@murmuration/contracts/entities'
import { invalidField } from '@murmuration/contracts/kit'

const MAX_SECONDS = 3_153_600_000

export const severityOf = (given: string | null | undefined): IpBlockSeverity => {
  if (!given) throw invalidField("Severity can't be blank")
  const severity = IpBlockSeverity.safeParse(given)
  if (!severity.success) throw invalidField('Severity is not included in the list')
  return severity.data
}

/** Seconds until an IP block expires, parsed from text; null for a block that never expires. */
export const secondsOf = (given: string | null | undefined): number | null => {
  if (given === null || given === undefined || given.trim() === '') return null
  if (!/^\d{1,10}$/.test(given.trim()) || Number(given) < 1 || Number(given) > MAX_SECONDS)
    throw invalidField('Expires in is invalid')
  return Number(given)
}
