/** Validity period of HTTP signatures, the same for both schemes, and conversion of times in headers. */

import type { SignatureRefusal } from './refusal.js'

const minute = 60_000
const hour = 60 * minute

/** Tolerance for wrong clocks of other servers when a signature is verified, in ms. */
const skew = hour
/** Validity in ms of a signature without `expires`. */
const lifeByDefault = 5 * minute
/** Longest validity of a signature in ms, whatever its `expires` is. */
const longestLife = 12 * hour

export type Window = {
  /** Creation time in the signature, ms since the epoch. */
  made: number
  /** End of validity in the signature, ms since the epoch; null when absent. */
  expires: number | null
}

/** Null if the times of a signature permit `now` (ms since the epoch), else the reason. The signature itself is not verified here. */
export const outsideWindow = ({ made, expires }: Window, now: number): SignatureRefusal | null => {
  if (!Number.isFinite(made)) return 'bad-time'
  if (made > now + skew) return 'made-in-future'
  const end = Math.min(expires ?? made + lifeByDefault, made + longestLife)
  return end < now - skew ? 'expired' : null
}

/** Milliseconds from a decimal integer of seconds since the epoch, at most 11 digits; null for other texts. */
export const secondsToMs = (text: string): number | null => (/^\d{1,11}$/.test(text) ? Number(text) * 1000 : null)

/** Matches the time zone of a date: a name, or an offset such as `+0200`. */
const zone = '(?:GMT|UTC|UT|Z|[+-]\\d{4})'
/**
 * Matches the date of HTTP (IMF-fixdate) and of e-mails (RFC 5322), with any offset, also without the day of the week.
 */
const mailDate = new RegExp(
  `^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), )?\\d{1,2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} ${zone}$`,
)
const asctime = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ([A-Z][a-z]{2}) ([ \d]\d) (\d{2}:\d{2}:\d{2}) (\d{4})$/
const rfc850 = new RegExp(
  `^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\\d{2})-([A-Z][a-z]{2})-(\\d{2}) (\\d{2}:\\d{2}:\\d{2} ${zone})$`,
)

/** A date header in a form that `Date.parse` accepts; null for other texts. */
const parseable = (text: string): string | null => {
  if (mailDate.test(text)) return text
  const [, day, month, year, time] = rfc850.exec(text) ?? []
  if (day !== undefined) return `${day} ${month} 20${year} ${time}`
  const [, name, number, clock, fullYear] = asctime.exec(text) ?? []
  return name === undefined ? null : `${number} ${name} ${fullYear} ${clock} GMT`
}

/** Milliseconds since the epoch of a date header, in the three forms of RFC 9110 or as in e-mails; null for other texts. */
export const httpDateToMs = (text: string): number | null => {
  const ms = Date.parse(parseable(text) ?? '')
  return Number.isNaN(ms) ? null : ms
}

/** IMF-fixdate (RFC 9110) of a time in ms since the epoch. */
export const msToHttpDate = (ms: number): string => new Date(ms).toUTCString()
