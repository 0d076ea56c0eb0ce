/** Work that runs a few calls at a time. */
import { expect, test } from 'vitest'
import { createTurns } from './turns.js'

test('at most so many calls run at once, in order, and a failed one ends its place', async () => {
  const inTurn = createTurns(2)
  let [now, most] = [0, 0]
  const begun: number[] = []
  const results = await Promise.allSettled(
    Array.from({ length: 6 }, (_, n) =>
      inTurn(async () => {
        begun.push(n)
        most = Math.max(most, ++now)
        await new Promise((resolve) => setTimeout(resolve, 5))
        now--
        if (n === 1) throw new Error('failed')
        return n
      }),
    ),
  )
  expect(most).toBe(2)
  expect(begun).toEqual([0, 1, 2, 3, 4, 5])
  expect(results.map((one) => (one.status === 'fulfilled' ? one.value : null))).toEqual([0, null, 2, 3, 4, 5])
})
