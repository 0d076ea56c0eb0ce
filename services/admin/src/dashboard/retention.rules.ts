/** Retention: users by period of registration, and the share of them that was active in or after each later period. */
import type { DayCount, DayCountQuery } from '@murmuration/contracts/day-count'
import type { AdminCohort } from '@murmuration/contracts/entities'
import { daysOf, momentOf, monthsOf, type Period } from './period.rules.js'

export type Frequency = 'day' | 'month'

export const MOST_DAYS = 31
const MOST_MONTHS = 12

export const frequencyOf = (given: string | null | undefined): Frequency => (given === 'month' ? 'month' : 'day')

/** Days or months of a period, oldest first. */
export const periodsOf = (frequency: Frequency, period: Period): string[] =>
  frequency === 'month' ? monthsOf(period, MOST_MONTHS) : daysOf(period)

/** Users by period of sign-up (key) and last active period (day). */
export const retentionQuery = (frequency: Frequency, periods: readonly string[]): DayCountQuery => {
  const [first = '', last = ''] = [periods[0], periods.at(-1)]
  const months = frequency === 'month'
  return {
    metric: 'cohort',
    between: months ? [`${first}-01`, `${last}-31`] : [first, last],
    by: ['key', 'day'],
    months,
  }
}

/** A user is retained in a period when the last activity is in it or after it. */
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
      period: momentOf(joined),
      frequency,
      data: periods
        .filter((period) => period >= joined)
        .map((period) => {
          const active = Math.max(activeSince(period), 0)
          return { date: momentOf(period), rate: Math.min(active / all, 1), value: String(active) }
        }),
    }
  })
