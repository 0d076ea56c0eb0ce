/** Tests of the concurrency limit. */
import { expect, test } from 'vitest'
import { createConcurrencyLimit } from './concurrency.js'

test('work beyond the limit waits, and starts in order, also after a failure', async () => {
  const limit = createConcurrencyLimit(2)
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<number>())
  const begun: number[] = []
  const works = gates.map(({ promise }, n) =>
    limit
      .run(() => {
        begun.push(n)
        return promise
      })
      .catch(() => -1),
  )
  await Promise.resolve()
  expect(begun).toEqual([0, 1])
  gates[1]?.reject(new Error('it is broken'))
  await works[1]
  expect(begun).toEqual([0, 1, 2])
  for (const [n, { resolve }] of gates.entries()) resolve(n)
  expect(await Promise.all(works)).toEqual([0, -1, 2, 3, 4])
})
