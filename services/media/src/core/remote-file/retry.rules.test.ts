/** Tests of waits between tries, and of pauses of hosts. */
import { expect, test } from 'vitest'
import { nextTry, pauseAfter } from './retry.rules.js'

const minute = 60_000

test('the wait of a file grows with each failure, and the seventh failure is the last', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7].map((failures) => nextTry(failures, 0, 0.5))
  expect(waits).toEqual([minute / 2, 2 * minute, 10 * minute, 60 * minute, 360 * minute, 1_440 * minute, null])
  expect([nextTry(1, 0, 0), nextTry(1, 0, 1)]).toEqual([24_000, 36_000])
})

test('the pause of a silent host grows up to an hour', () => {
  let pause = pauseAfter(null, { silent: true, retryAfterMs: null }, { probe: false, now: 0, random: 0.5 })
  const seen: number[] = []
  for (let n = 0; n < 6 && pause; n++) {
    const now = pause.pausedUntil
    seen.push(now)
    const next = pauseAfter(pause, { silent: true, retryAfterMs: null }, { probe: true, now, random: 0.5 })
    pause = next && { ...next, pausedUntil: next.pausedUntil - now }
  }
  expect(seen).toEqual([15_000, minute, 5 * minute, 15 * minute, 60 * minute, 60 * minute])
})

test('a request from before a pause does not extend it, and a requested pause is limited', () => {
  const paused = { failures: 1, pausedUntil: 10_000 }
  const silent = { silent: true, retryAfterMs: null }
  expect(pauseAfter(paused, silent, { probe: false, now: 5_000, random: 0.5 })).toBeNull()
  expect(pauseAfter(paused, silent, { probe: true, now: 5_000, random: 0.5 })).toMatchObject({ failures: 2 })
  const asked = (retryAfterMs: number) =>
    pauseAfter(null, { silent: false, retryAfterMs }, { probe: false, now: 0, random: 0.5 })
  expect([asked(5_000), asked(86_400_000)]).toEqual([
    { failures: 1, pausedUntil: 5_000 },
    { failures: 1, pausedUntil: 60 * minute },
  ])
})
