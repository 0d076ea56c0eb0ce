/** Rules of hashtags: valid names, and the days of their history. */
import { errorText, invalidField } from '@murmuration/contracts/kit'
import { isValidTag, normaliseTag } from '@murmuration/text'

export interface NamedTag {
  /** Normalised name of the hashtag, for storage and comparison. */
  name: string
  /** Name of the hashtag as written. */
  display: string
}

const DAY_MS = 86_400_000
/** Number of days that the history of a tag shows, and that are stored. */
export const SHOWN_DAYS = 7
export const KEPT_DAYS = 14

/** Parses a hashtag, with or without `#`. Returns null for invalid names. */
export const namedTag = (given: string): NamedTag | null => {
  const display = given.trim().replace(/^[#＃]/, '')
  return isValidTag(display) ? { name: normaliseTag(display), display } : null
}

/** UTC day of a time in milliseconds, as `YYYY-MM-DD`. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** The last `count` UTC days, today first. */
export const lastDays = (now: number, count = SHOWN_DAYS): string[] =>
  Array.from({ length: count }, (_, i) => dayOf(now - i * DAY_MS))

/** UTC day that a use counts for; null if it is older than the stored days. A use in the future counts for today. */
export const dayOfUse = (at: number, now: number): string | null => {
  const day = dayOf(Math.min(at, now))
  return lastDays(now, KEPT_DAYS).includes(day) ? day : null
}

export interface UsedDay {
  day: string
  uses: number
  accounts: number
}

/** History of a tag as in the API, newest first. Days without uses are zeros; every value is text. */
export const historyOf = (used: readonly UsedDay[], now: number): { day: string; uses: string; accounts: string }[] =>
  lastDays(now).map((day) => {
    const found = used.find((one) => one.day === day)
    return {
      day: String(Date.parse(`${day}T00:00:00Z`) / 1_000),
      uses: String(found?.uses ?? 0),
      accounts: String(found?.accounts ?? 0),
    }
  })

/** Throws 422 if the text contains hashtags that staff made unusable. */
export const checkUsable = (unusable: readonly string[]): void => {
  if (unusable.length === 0) return
  const tags = unusable.join(', ')
  throw invalidField(
    unusable.length === 1
      ? errorText('Text contained a disallowed hashtag: {tags}', { tags })
      : errorText('Text contained the disallowed hashtags: {tags}', { tags }),
  )
}
