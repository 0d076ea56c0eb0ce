/** Timers of the clock: times that Node would warn about. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createClock, timerMs, untilRun } from './clock.js'

const warned: string[] = []
const onWarning = (warning: Error) => void warned.push(warning.name)
beforeEach(() => {
  warned.length = 0
  process.on('warning', onWarning)
})
afterEach(() => void process.off('warning', onWarning))

test.each([
  [-5, 0],
  [Number.NaN, 0],
  [Number.NEGATIVE_INFINITY, 0],
  [5, 5],
  [2 ** 40, 2 ** 31 - 1],
  [Number.POSITIVE_INFINITY, 2 ** 31 - 1],
])('a timer for %d ms is set for %d ms', (given, set) => {
  expect(timerMs(given)).toBe(set)
})

test('a sleep until a past time ends immediately, without a warning of Node', async () => {
  const clock = createClock()
  await clock.sleep(-1_000)
  await clock.sleep(Number.NaN)
  const stop = clock.every(2 ** 40, () => undefined)
  await pause(10)
  await stop()
  expect(warned).toEqual([])
})

test.each([
  [400, 7_300, 400],
  [1_000, 7_300, 700],
  [1_000, 7_900, 1_100],
  [2_000, 7_900, 1_100],
  [5_000, 7_000, 5_000],
  [60_000, 7_300, 59_700],
])('a repeat of %d ms at %d waits %d ms', (ms, now, wait) => {
  expect(untilRun(ms, now)).toBe(wait)
})

test('repeats with different start times run together', async () => {
  const clock = createClock()
  const [often, seldom]: [number[], number[]] = [[], []]
  const stops = [clock.every(1_000, () => void often.push(performance.now()))]
  await pause(300)
  stops.push(clock.every(2_000, () => void seldom.push(performance.now())))
  await expect.poll(() => seldom.length).toBeGreaterThan(1)
  // Waits until all repeats of the last time have run.
  await pause(20)
  await Promise.all(stops.map((stop) => stop()))
  for (const at of seldom) expect(Math.min(...often.map((other) => Math.abs(other - at)))).toBeLessThan(100)
})
