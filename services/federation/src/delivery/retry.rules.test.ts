// The retry schedule: two quick retries, longer delays, an end on the seventh day, and Retry-After.
import { expect, test } from 'vitest'
import { HELD_MS, nextAttemptAt, pauseAfter, retryAfterOf } from './retry.rules.js'

const hour = 3_600_000
const trial = (attempts: number, more = {}) =>
  nextAttemptAt({ attempts, madeAt: 0, now: 0, retryAfterMs: null, random: 0.5, ...more })

test('the delays are those of the schedule', () => {
  const waits = Array.from({ length: 11 }, (_, i) => (trial(i + 1) ?? 0) / 1_000)
  expect(waits).toEqual([15, 60, 300, 900, 3_600, 10_800, 21_600, 43_200, 86_400, 86_400, 86_400])
})

test.each([
  [1, 15_000],
  [3, 300_000],
  [9, 86_400_000],
])('F045 attempt %i is followed within 20 %% of %i ms, whatever the jitter', (attempts, wait) => {
  for (const random of [0, 0.25, 0.75, 1]) {
    const next = trial(attempts, { random }) ?? 0
    expect(Math.abs(next - wait) / wait).toBeLessThan(0.2)
  }
})

test('the last attempt is on the seventh day', () => {
  expect(trial(9, { now: HELD_MS - hour })).toBe(HELD_MS)
  expect(trial(9, { now: HELD_MS })).toBeNull()
})

test('F046 a Retry-After of a server is respected, up to six hours', () => {
  expect(trial(1, { retryAfterMs: 120_000 })).toBe(120_000)
  expect(trial(1, { retryAfterMs: 1_000 })).toBe(15_000)
  expect(trial(1, { retryAfterMs: 48 * hour })).toBe(6 * hour)
})

test('F046 Retry-After is parsed as seconds or as a date by the server’s clock; other values are ignored', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  const date = 'Sat, 21 Nov 2026 10:00:00 GMT'
  expect(retryAfterOf({ 'retry-after': '120' }, now)).toBe(120_000)
  expect(retryAfterOf({ 'retry-after': '999999999' }, now)).toBe(6 * hour)
  expect(retryAfterOf({ 'retry-after': 'Sat, 21 Nov 2026 12:02:00 GMT' }, now)).toBe(120_000)
  expect(retryAfterOf({ 'retry-after': 'Sat, 21 Nov 2026 10:02:00 GMT', date }, now)).toBe(120_000)
  expect(retryAfterOf({ 'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT', date }, now)).toBe(0)
  expect([
    retryAfterOf({}, now),
    retryAfterOf({ 'retry-after': 'soon' }, now),
    retryAfterOf({ 'retry-after': '-5' }, now),
  ]).toEqual([null, null, null])
})

test('a host without a response is paused at once, one with errors after ten: for a minute, doubling to an hour', () => {
  const pauses = (silent: boolean, ...failures: number[]) => failures.map((n) => pauseAfter(n, silent, 0.5) / 1_000)
  expect(pauses(false, 1, 9, 10, 11, 12, 15, 16, 17, 40)).toEqual([0, 0, 60, 120, 240, 1_920, 3_600, 3_600, 3_600])
  expect(pauses(true, 1, 2, 3, 4, 5, 9, 12)).toEqual([15, 60, 300, 900, 3_600, 3_600, 3_600])
})
