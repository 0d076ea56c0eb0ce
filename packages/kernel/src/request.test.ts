/** The arrival time of a request at the edge: the earlier of two measures, within bounds. */
import { expect, test } from 'vitest'
import { arrivedAt } from './request.js'

test.each([
  ['without an arrival it is now', null, 100_000],
  ['the clock of the edge also counts the way over the bus', { at: 99_500, waitedMs: 200 }, 99_500],
  ['a clock of the edge that is ahead does not hide the wait', { at: 105_000, waitedMs: 200 }, 99_800],
  ['a clock of the edge that is far behind counts for 30 seconds', { at: 1_000, waitedMs: 200 }, 70_000],
  ['a wait that cannot be is bounded as well', { at: 99_900, waitedMs: 999_999_999 }, 70_000],
])('%s', (_name, arrival, expected) => {
  expect(arrivedAt({ arrival }, 100_000)).toBe(expected)
})
