/** Retention from counters of users by sign-up and last activity. */
import { expect, test } from 'vitest'
import { cohortsOf, type Frequency, frequencyOf, periodsOf, retentionQueries } from './retention.rules.js'

test('users count as retained in every period up to their last activity', () => {
  const periods = ['2026-01-01', '2026-01-02', '2026-01-03']
  const found = [
    { key: '2026-01-01', day: '2026-01-01', value: '1' },
    { key: '2026-01-01', day: '2026-01-02', value: '2' },
    { key: '2026-01-01', day: '2026-02-02', value: '1' },
    { key: '2026-01-03', day: '2026-01-03', value: '5' },
  ]
  const rates = cohortsOf('day', periods, found).map((one) => one.data.map((cell) => [cell.value, cell.rate]))
  expect(rates).toEqual([
    [
      ['4', 1],
      ['3', 0.75],
      ['1', 0.25],
    ],
    [
      ['0', 0],
      ['0', 0],
    ],
    [['5', 1]],
  ])
})

const spansOf = (frequency: Frequency, periods: string[]) =>
  retentionQueries(frequency, periods).map(({ metric, since, until }) => [metric, since, until])

test('activity after the last period is read by months until the end of its year, and by years after it', () => {
  const months = periodsOf('month', { since: '2026-01-15', until: '2026-03-02' })
  expect(months).toEqual(['2026-01', '2026-02', '2026-03'])
  expect(retentionQueries('month', months)[0]?.keys).toEqual(months)
  expect(spansOf('month', months)).toEqual([
    ['month-cohort-month', undefined, '2026-12-31'],
    ['month-cohort-year', '2027-01-01', undefined],
  ])
  expect(spansOf('day', ['2024-01-31', '2024-02-01'])).toEqual([
    ['cohort', undefined, '2024-02-29'],
    ['cohort-month', '2024-03-01', '2024-12-31'],
    ['cohort-year', '2025-01-01', undefined],
  ])
  // In December no later month is left. Its range ends before it starts.
  expect(spansOf('day', ['2024-12-05'])[1]).toEqual(['cohort-month', '2025-01-01', '2024-12-31'])
})

test('an unknown frequency means days', () => {
  expect(['month', 'day', 'year', null].map(frequencyOf)).toEqual(['month', 'day', 'day', 'day'])
})

test('a query of 31 days has at most ten keys, which processes of an older release accept', () => {
  const days = periodsOf('day', { since: '2026-01-01', until: '2026-01-31' })
  const queries = retentionQueries('day', days)
  expect(days).toHaveLength(31)
  expect(queries.map(({ keys }) => keys?.length)).toEqual([10, 10, 10, 1, 10, 10, 10, 1, 10, 10, 10, 1])
  for (const metric of ['cohort', 'cohort-month', 'cohort-year'])
    expect(queries.filter((one) => one.metric === metric).flatMap(({ keys }) => keys)).toEqual(days)
})
