/** Reads times in texts, with the same result on every machine. */

const MAX_LENGTH = 100

/** A day of ISO 8601, for which `Date.parse` uses UTC. */
const ISO_DAY = /^(?:\d{4}|[+-]\d{6})(?:-\d{2}){0,2}$/
const ISO_TIME = /^(?:\d{4}|[+-]\d{6})-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/i
/** Names of zones that `Date.parse` knows. */
const ZONE_NAME = /(?<![a-z])(?:Z|UTC?|GMT|[ECMP][SD]T)(?![a-z])/i
/** An offset directly after a clock time. */
const OFFSET = /:\d+(?:\.\d+)?\s*(?:[AP]M\s*)?[+-]\s*\d/i
/** A remark in parentheses, such as the name of the zone, which `Date.parse` ignores. */
const REMARK = /\([^()]*\)/g

/**
 * Milliseconds since 1970 of a time in one of the forms that `Date.parse` reads; NaN for other texts. A time without a zone counts as
 * UTC, whatever the zone of this machine is.
 */
export const readTime = (given: string): number => {
  if (given.length > MAX_LENGTH) return Number.NaN
  const text = given.replace(REMARK, ' ').trim()
  if (/[()]/.test(text)) return Number.NaN
  if (ISO_TIME.test(text)) return Date.parse(`${text.replace(' ', 'T')}Z`)
  const isKnown = ISO_DAY.test(text) || ZONE_NAME.test(text) || OFFSET.test(text)
  return Date.parse(isKnown ? text : `${text} UTC`)
}
