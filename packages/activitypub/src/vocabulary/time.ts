/** Parses times in all forms that servers send, and writes the form that all servers accept. */
import { scalarOf } from './json.js'

const day = /^(\d{4})-?(\d{2})-?(\d{2})/
const clock = /^[Tt ](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d{0,12}))?)?/
/**
 * Matches a time zone: an offset, optionally followed by the name of the zone in brackets (RFC 9557) or after a space
 * (Go).
 */
const zones = /^ ?(?:[Zz]|UTC|GMT|([+-]\d{2})(?::?(\d{2}))?(?: [A-Z]{3,4})?)?(?:\[[\w/+-]{1,40}\])?$/
/** Date of e-mails and HTTP (RFC 5322): `Thu, 01 Jan 2026 00:00:00 GMT`. */
const mailDate = /^(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}(?::\d{2})? (?:GMT|UTC|[+-]\d{4})$/

/** Result of `String(date)` in JavaScript: `Thu Jan 01 2026 00:00:00 GMT+0000 (Coordinated Universal Time)`. */
const scriptDate = /^[A-Z][a-z]{2} [A-Z][a-z]{2} \d{2} \d{4} \d{2}:\d{2}:\d{2} GMT[+-]\d{4}(?: \([\w +:-]{1,40}\))?$/

/** Converts ISO 8601, extended or basic, to a form that `Date.parse` accepts; else null. A leap second becomes second 59. */
const isoOf = (text: string): string | null => {
  const [date = '', year, month, dayOfMonth] = day.exec(text) ?? []
  if (date === '' || year === '0000') return null
  const rest = text.slice(date.length)
  if (rest === '') return `${year}-${month}-${dayOfMonth}`
  const [time = '', hour, minute, second = '00', fraction = '0'] = clock.exec(rest) ?? []
  const zone = zones.exec(rest.slice(time.length))
  if (time === '' || zone === null) return null
  const offset = zone[1] === undefined ? 'Z' : `${zone[1]}:${zone[2] ?? '00'}`
  return `${year}-${month}-${dayOfMonth}T${hour}:${minute}:${second === '60' ? '59' : second}.${fraction || '0'}${offset}`
}

/** Unix time as a text, in seconds or milliseconds. Texts of eight or twelve digits are dates. */
const unixTime = /^(?:\d{9,10}(?:\.\d{1,9})?|\d{13})$/

/**
 * Milliseconds of a Unix time. Its magnitude distinguishes seconds from milliseconds; each range is from 1973 to 2286.
 * NaN for a number outside both ranges. No date that is written as digits, such as `20260102` or `20260102030405`, is
 * in a range.
 */
const msOfUnixTime = (time: number): number => {
  const inRange = (value: number): boolean => value >= 1e8 && value < 1e10
  if (inRange(time)) return Math.round(time * 1_000)
  return inRange(time / 1_000) ? Math.floor(time) : Number.NaN
}

const msOfText = (given: string): number => {
  if (given.length > 64) return Number.NaN
  const text = given.trim()
  if (unixTime.test(text)) return msOfUnixTime(Number(text))
  const iso = mailDate.test(text) || scriptDate.test(text) ? text : isoOf(text)
  return iso === null ? Number.NaN : Date.parse(iso)
}

/**
 * A time as ISO 8601 UTC with milliseconds; null for other values and for the year 0. A time without zone counts as UTC. A number is a
 * Unix time (see `msOfUnixTime`).
 */
export const timeOf = (given: unknown): string | null => {
  const value = scalarOf(given)
  const ms = typeof value === 'string' ? msOfText(value) : msOfUnixTime(typeof value === 'number' ? value : Number.NaN)
  if (Number.isNaN(ms)) return null
  const time = new Date(ms).toISOString()
  return /^\d{4}-/.test(time) && !time.startsWith('0000') ? time : null
}

/**
 * A local time (ISO 8601) in UTC with milliseconds. Milliseconds are needed, because servers sort by `published`, and
 * some refuse a reblog that is dated before its object.
 */
export const isoTime = (time: string): string => new Date(time).toISOString()
