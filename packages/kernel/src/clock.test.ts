/** Timers of the clock: times that Node would warn about. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createClock, timerMs } from './clock.js'

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

test('sleeping until a moment that has passed ends at once, without a warning of Node', async () => {
  const clock = createClock()
  await clock.sleep(-1_000)
  await clock.sleep(Number.NaN)
  const stop = clock.every(2 ** 40, () => undefined)
  await pause(10)
  await stop()
  expect(warned).toEqual([])
})
