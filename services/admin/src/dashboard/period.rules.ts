/** Periods of the dashboard: reading, limiting and listing days and months in UTC. */

import { errorText, fail, missingParameter } from '@murmuration/contracts/kit'
import { readTime } from '@murmuration/text'

const DAY_MS = 86_400_000

/** A period of whole days in UTC: its first and last day, `YYYY-MM-DD`. */
export interface Period {
  since: string
  until: string
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
const msOf = (day: string): number => Date.parse(`${day}T00:00:00.000Z`)

/** The value of a parameter; throws `invalid` when it is absent or empty. */
export const required = <T>(name: string, value: T | null | undefined): T => {
  if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
    throw missingParameter(name)
  return value
}

const readDay = (name: 'start_at' | 'end_at', text: string): string => {
  const ms = readTime(text)
  const year = Number.isNaN(ms) ? 0 : new Date(ms).getUTCFullYear()
  // Clients expect this error text, which does not name the parameter. So the details name it.
  if (year < 1970 || year > 9999)
    throw fail('unprocessable', 'Invalid date supplied', {
      body: { details: { [name]: [{ error: 'ERR_INVALID', description: errorText('is invalid') }] } },
    })
  return dayOf(ms)
}

/** A day moved by a number of days. */
export const addDays = (day: string, days: number): string => dayOf(msOf(day) + days * DAY_MS)

/** Number of days of a period; 0 if it ends before its start. */
export const lengthOf = ({ since, until }: Period): number => Math.max(0, (msOf(until) - msOf(since)) / DAY_MS + 1)

/**
 * The period between two times, shortened at its start to at most `max` days.
 * @throws unprocessable for an invalid date
 */
export const periodOf = (start: string, end: string, max: number): Period => {
  const until = readDay('end_at', end)
  const [since, earliest] = [readDay('start_at', start), addDays(until, 1 - max)]
  return { since: since > earliest ? since : earliest, until }
}

/** The period of the same length directly before this one. */
export const before = (period: Period): Period => ({
  since: addDays(period.since, -lengthOf(period)),
  until: addDays(period.since, -1),
})

/** Every day of a period, oldest first. */
export const daysOf = (period: Period): string[] =>
  Array.from({ length: lengthOf(period) }, (_, at) => addDays(period.since, at))

const monthAt = (month: string, months: number): string => {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7)
}

/** Every month `YYYY-MM` of a period, oldest first; at most the last `max`. */
export const monthsOf = ({ since, until }: Period, max: number): string[] => {
  const last = until.slice(0, 7)
  return Array.from({ length: max }, (_, at) => monthAt(last, at + 1 - max)).filter(
    (month) => month >= since.slice(0, 7),
  )
}

/** The last day of a month `YYYY-MM`. */
export const lastDayOf = (month: string): string => addDays(`${monthAt(month, 1)}-01`, -1)

/** Start of a day or month as ISO 8601. */
export const startOf = (day: string): string => `${day.length === 7 ? `${day}-01` : day}T00:00:00.000Z`
