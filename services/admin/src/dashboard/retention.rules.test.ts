/** Retention from counters of users by sign-up and last activity. */
import { expect, test } from 'vitest'
import { cohortsOf, frequencyOf, periodsOf, retentionQuery } from './retention.rules.js'

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

test('months are queried with all of their days', () => {
  const periods = periodsOf('month', { since: '2026-01-15', until: '2026-03-02' })
  expect(periods).toEqual(['2026-01', '2026-02', '2026-03'])
  expect(retentionQuery('month', periods)).toMatchObject({ between: ['2026-01-01', '2026-03-31'], months: true })
})

test('an unknown frequency means days', () => {
  expect(['month', 'day', 'year', null].map(frequencyOf)).toEqual(['month', 'day', 'day', 'day'])
})
