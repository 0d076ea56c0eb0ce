/** Hashtags on their own: which names may be one, and the days of their history. */
import { invalidField } from '@murmuration/contracts/kit'
import { isValidTag, normaliseTag } from '@murmuration/text'

export interface NamedTag {
  /** Normalised: what is stored and compared. */
  name: string
  /** As it was written. */
  display: string
}

const DAY_MS = 86_400_000
/** Days that the history of a tag shows, and days for which it is kept. */
export const SHOWN_DAYS = 7
export const KEPT_DAYS = 14

/** The tag that a name means, with or without the sign in front; null for what cannot be a hashtag. */
export const namedTag = (given: string): NamedTag | null => {
  const display = given.trim().replace(/^[#＃]/, '')
  return isValidTag(display) ? { name: normaliseTag(display), display } : null
}

/** The UTC day of a moment, `YYYY-MM-DD`. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** The last days, today first. */
export const lastDays = (now: number, count = SHOWN_DAYS): string[] =>
  Array.from({ length: count }, (_, i) => dayOf(now - i * DAY_MS))

/** The day that a use counts for; null when it is too long ago to be remembered. A use in the future counts today. */
export const dayOfUse = (at: number, now: number): string | null => {
  const day = dayOf(Math.min(at, now))
  return lastDays(now, KEPT_DAYS).includes(day) ? day : null
}

export interface UsedDay {
  day: string
  uses: number
  accounts: number
}

/** A whole history as the API tells it, newest first: days without a use are zeros, every value is text. */
export const historyOf = (used: readonly UsedDay[], now: number): { day: string; uses: string; accounts: string }[] =>
  lastDays(now).map((day) => {
    const found = used.find((one) => one.day === day)
    return {
      day: String(Date.parse(`${day}T00:00:00Z`) / 1_000),
      uses: String(found?.uses ?? 0),
      accounts: String(found?.accounts ?? 0),
    }
  })

/** Refuses a text with hashtags that staff does not let anybody use. */
export const checkUsable = (unusable: readonly string[]): void => {
  if (unusable.length === 0) return
  const what = unusable.length === 1 ? 'a disallowed hashtag' : 'the disallowed hashtags'
  throw invalidField(`Text contained ${what}: ${unusable.join(', ')}`)
}
