/** Parses times in all forms that servers send, and writes the form that all servers accept. */
import { scalarOf } from './loose.js'

const day = /^(\d{4})-?(\d{2})-?(\d{2})/
const clock = /^[Tt ](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d{0,12}))?)?/
/** The name of a zone in brackets (RFC 9557) repeats the offset. */
const zones = /^ ?(?:[Zz]|UTC|GMT|([+-]\d{2})(?::?(\d{2}))?)?(?:\[[\w/+-]{1,40}\])?$/
/** Date of e-mails and HTTP (RFC 5322): `Thu, 01 Jan 2026 00:00:00 GMT`. */
const mailDate = /^(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}(?::\d{2})? (?:GMT|UTC|[+-]\d{4})$/

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

/** A time as ISO 8601 UTC with milliseconds; null for other values and for the year 0. A time without zone counts as UTC. */
export const timeOf = (given: unknown): string | null => {
  const value = scalarOf(given)
  if (typeof value !== 'string' || value.length > 64) return null
  const text = value.trim()
  const iso = mailDate.test(text) ? text : isoOf(text)
  const ms = iso === null ? Number.NaN : Date.parse(iso)
  if (Number.isNaN(ms)) return null
  const time = new Date(ms).toISOString()
  return /^\d{4}-/.test(time) && !time.startsWith('0000') ? time : null
}

/**
 * A local time (ISO 8601) in UTC with milliseconds. Whole seconds are not enough, because servers sort by `published`, and some
 * refuse a reblog that is dated before its object.
 */
export const isoTime = (time: string): string => new Date(time).toISOString()
