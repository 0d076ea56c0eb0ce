/** Decides whether a signature was made recently enough: one rule for both signature standards. */

import type { SignatureRefusal } from './refusal.js'

const minute = 60_000
const hour = 60 * minute

/** How far the clocks of two servers may differ, in milliseconds. */
const skew = hour
/** Validity of a signature without an end. */
const lifeByDefault = 5 * minute
/** The longest life a signature may claim for itself. */
const longestLife = 12 * hour

export type Window = {
  /** Creation time in the signature, ms since the epoch. */
  made: number
  /** End of validity in the signature, ms since the epoch; null when absent. */
  expires: number | null
}

/** Null when the signature is inside its window at `now` (ms since the epoch), else the reason it is not. */
export const outsideWindow = ({ made, expires }: Window, now: number): SignatureRefusal | null => {
  if (!Number.isFinite(made)) return 'bad-time'
  if (made > now + skew) return 'made-in-future'
  const end = Math.min(expires ?? made + lifeByDefault, made + longestLife)
  return end < now - skew ? 'expired' : null
}

/** Seconds since the epoch written as a bare integer, in milliseconds; null for text, fractions, signs and absurd values. */
export const secondsToMs = (text: string): number | null => (/^\d{1,11}$/.test(text) ? Number(text) * 1000 : null)

const httpDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} (?:GMT|UTC|[+-]0000)$/
const rfc850 = /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\d{2})-([A-Z][a-z]{2})-(\d{2}) (\d{2}:\d{2}:\d{2}) GMT$/

/** A date header in milliseconds: IMF-fixdate, also with `+0000`, or the older form of RFC 850; null for others. */
export const httpDateToMs = (text: string): number | null => {
  const [, day, month, year, time] = rfc850.exec(text) ?? []
  const spelt = day === undefined ? text : `${day} ${month} 20${year} ${time} GMT`
  const ms = day !== undefined || httpDate.test(text) ? Date.parse(spelt) : Number.NaN
  return Number.isNaN(ms) ? null : ms
}

/** Milliseconds as an IMF-fixdate. */
export const msToHttpDate = (ms: number): string => new Date(ms).toUTCString()
