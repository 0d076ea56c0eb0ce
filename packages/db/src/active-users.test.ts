/** Keys and spans that distinct active users of a period are summed from. */
import { expect, test } from 'vitest'
import { distinctPeriod, keysBefore, spansOf } from './active-users.js'
import type { DayCountQuery } from './day-count-query.js'

test('the days before a day are its earlier years, months and days', () => {
  expect(keysBefore('1972-03-03')).toEqual({
    years: ['y/', 'y/1970', 'y/1971'],
    months: ['m/1972-01', 'm/1972-02'],
    days: ['1972-03-01', '1972-03-02'],
  })
  expect(keysBefore('1970-01-01')).toEqual({ years: ['y/'], months: [], days: [] })
})

test.each([
  ['2026-03-05', '2026-03-05', [], [['2026-03-05', '2026-03-06']]],
  ['2026-03-05', '2026-04-29', [], [['2026-03-05', '2026-04-30']]],
  ['2026-03-01', '2026-03-31', [['2026-03-01', '2026-04-01']], []],
  ['2026-03-01', '2026-03-30', [], [['2026-03-01', '2026-03-31']]],
  [
    '2025-12-31',
    '2026-03-01',
    [['2026-01-01', '2026-03-01']],
    [
      ['2025-12-31', '2026-01-01'],
      ['2026-03-01', '2026-03-02'],
    ],
  ],
  ['2024-02-29', '2024-03-31', [['2024-03-01', '2024-04-01']], [['2024-02-29', '2024-03-01']]],
])('%s to %s is divided into whole months and days', (since, until, months, days) => {
  expect(spansOf(since, until)).toEqual({ months, days })
})

test('only queries for distinct users of a period are answered from these counters', () => {
  const query = {
    metric: 'active',
    since: '2026-03-05',
    until: '2026-04-29',
    keys: [''],
    between: ['0', '2026-03-04'] as const,
    by: [],
  }
  const period = (more: object) => distinctPeriod({ ...query, ...more } as DayCountQuery)
  expect(period({ months: false })).toEqual(['2026-03-05', '2026-04-29'])
  for (const more of [
    { metric: 'cohort' },
    { keys: undefined },
    { keys: ['', 'x'] },
    { keys: [] },
    { under: ['x'] },
    { since: '2026-03-06' },
    { until: undefined },
    { until: '2026-03-04' },
    { between: undefined },
    { between: ['0', '2026-03-05'] },
    { by: ['day'] },
    { months: true },
    { largest: 3 },
    { part: 1 },
  ])
    expect(period(more)).toBeNull()
})
