/** Times in documents: read from every form that servers write, written in the one that every server reads. */
import { scalarOf } from './loose.js'

const iso = /^(\d{4})-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,12})?)?([Zz]|[+-]\d{2}:?\d{2})?)?$/

/** A date as ISO 8601 in UTC with milliseconds; a time without zone is UTC; null for other forms and for the year 0. */
export const timeOf = (given: unknown): string | null => {
  const value = scalarOf(given)
  if (typeof value !== 'string' || value.length > 64) return null
  const [, year, zone] = iso.exec(value) ?? []
  if (year === undefined || year === '0000') return null
  const spelt = value
    .replace(' ', 'T')
    .replace(',', '.')
    .replace(/([+-]\d{2})(\d{2})$/, '$1:$2')
  const ms = Date.parse(zone === undefined && value.length > 10 ? `${spelt}Z` : spelt)
  if (Number.isNaN(ms)) return null
  const time = new Date(ms).toISOString()
  return /^\d{4}-/.test(time) && !time.startsWith('0000') ? time : null
}

/**
 * A time of ours (ISO 8601) in UTC with milliseconds. Servers sort by `published`, and some refuse a boost that is dated
 * before its object, so whole seconds are not enough.
 */
export const isoTime = (time: string): string => new Date(time).toISOString()
