/** Periods of the dashboard. */
import { expect, test } from 'vitest'
import { before, daysOf, lengthOf, monthsOf, periodOf } from './period.rules.js'
import { humanSize } from './size.rules.js'

test('a period has whole days in UTC, and its last days when it is too long', () => {
  expect(periodOf('2026-01-01T23:59:00+02:00', '2026-01-03', 731)).toEqual({ since: '2026-01-01', until: '2026-01-03' })
  expect(periodOf('2001-01-01', '2026-03-01', 2)).toEqual({ since: '2026-02-28', until: '2026-03-01' })
  expect(() => periodOf('soon', '2026-01-03', 7)).toThrow('Invalid date supplied')
  expect(() => periodOf('2026-01-03', '-000001-01-01T00:00:00Z', 7)).toThrow('Invalid date supplied')
})

test('a period with its end before its start has no days', () => {
  const empty = periodOf('2026-01-05', '2026-01-03', 731)
  expect([lengthOf(empty), daysOf(empty)]).toEqual([0, []])
})

test('the previous period has the same length and ends on the day before', () => {
  expect(before({ since: '2026-03-01', until: '2026-03-07' })).toEqual({ since: '2026-02-22', until: '2026-02-28' })
})

test('the months of a period end with its last one', () => {
  expect(monthsOf({ since: '2025-11-30', until: '2026-02-01' }, 12)).toEqual([
    '2025-11',
    '2025-12',
    '2026-01',
    '2026-02',
  ])
  expect(monthsOf({ since: '2020-01-01', until: '2026-02-01' }, 3)).toEqual(['2025-12', '2026-01', '2026-02'])
})

test('sizes have three significant digits', () => {
  expect([0, 1023, 1024, 1_500_000, 5 * 1024 ** 4].map(humanSize)).toEqual([
    '0 Bytes',
    '1023 Bytes',
    '1 KB',
    '1.43 MB',
    '5 TB',
  ])
})
