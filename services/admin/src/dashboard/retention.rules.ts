/** Retention: users by period of registration, and the share of them that was active in or after each later period. */
import type { DayCount, DayCountQuery } from '@murmuration/contracts/day-count'
import type { AdminCohort } from '@murmuration/contracts/entities'
import { addDays, daysOf, lastDayOf, monthsOf, type Period, startOf } from './period.rules.js'

export type Frequency = 'day' | 'month'

export const MAX_DAYS = 31
const MAX_MONTHS = 12

export const frequencyOf = (given: string | null | undefined): Frequency => (given === 'month' ? 'month' : 'day')

/** Days or months of a period, oldest first. */
export const periodsOf = (frequency: Frequency, period: Period): string[] =>
  frequency === 'month' ? monthsOf(period, MAX_MONTHS) : daysOf(period)

/** Maximum number of keys of one query. Processes of an older release refuse a query with more keys. */
const KEYS = 10

/**
 * A counter of users by period of sign-up (key) and last activity (day), and the last day that is read; null if all
 * later days are read.
 */
type Scale = readonly [metric: string, until: string | null]

/**
 * Users by period of sign-up (key) and last activity (day). Activity after the month of the last period is read by
 * months until the end of that year, and later activity by years. Queries for old periods therefore read only one more
 * row for each cohort and year.
 */
export const retentionQueries = (frequency: Frequency, periods: readonly string[]): DayCountQuery[] => {
  const last = periods.at(-1) ?? ''
  const endOfYear = `${last.slice(0, 4)}-12-31`
  const scales: Scale[] =
    frequency === 'month'
      ? [
          ['month-cohort-month', endOfYear],
          ['month-cohort-year', null],
        ]
      : [
          ['cohort', lastDayOf(last.slice(0, 7))],
          ['cohort-month', endOfYear],
          ['cohort-year', null],
        ]
  const pages = Array.from({ length: Math.ceil(periods.length / KEYS) }, (_, page) =>
    periods.slice(page * KEYS, (page + 1) * KEYS),
  )
  return scales.flatMap(([metric, until], at): DayCountQuery[] => {
    const before = scales[at - 1]?.[1]
    return pages.map((keys) => ({
      metric,
      keys,
      ...(before ? { since: addDays(before, 1) } : {}),
      ...(until ? { until } : {}),
      by: ['key', 'day'],
    }))
  })
}

/**
 * Cohorts of users with their retention. A user is retained in a period if the user's last activity is in the period or
 * after it.
 */
export const cohortsOf = (
  frequency: Frequency,
  periods: readonly string[],
  found: readonly DayCount[],
): AdminCohort[] =>
  periods.map((joined) => {
    const own = found.filter((one) => one.key === joined)
    const activeSince = (period: string): number =>
      own.reduce((sum, one) => sum + ((one.day ?? '') >= period ? Number(one.value) : 0), 0)
    const all = Math.max(activeSince(''), 1)
    return {
      period: startOf(joined),
      frequency,
      data: periods
        .filter((period) => period >= joined)
        .map((period) => {
          const active = Math.max(activeSince(period), 0)
          return { date: startOf(period), rate: Math.min(active / all, 1), value: String(active) }
        }),
    }
  })
