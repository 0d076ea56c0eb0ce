/** Tests of bounded concurrency. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { mapAtMost } from './at-most.js'

test('no more calls than asked for run at once, and results keep the order of the items', async () => {
  let [now, most] = [0, 0]
  const results = await mapAtMost(3, [5, 1, 4, 1, 3, 2], async (ms, index) => {
    most = Math.max(most, ++now)
    await pause(ms)
    now--
    return `${index}:${ms}`
  })
  expect([most, results]).toEqual([3, ['0:5', '1:1', '2:4', '3:1', '4:3', '5:2']])
  expect(await mapAtMost(3, [], () => Promise.resolve(1))).toEqual([])
})
