/** Batches form by themselves under load, keep their order, and one bad item harms nobody. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, test } from 'vitest'
import { createBatches } from './batches.js'

const tick = () => new Promise((resolve) => setImmediate(resolve))

test('requests of one turn of the event loop are one batch, in order, up to a limit', async () => {
  const sizes: number[] = []
  const double = createBatches<number, number>(
    async (items) => {
      sizes.push(items.length)
      await tick()
      return items.map((n) => n * 2)
    },
    { most: 4, lanes: 1 },
  )
  const results = await Promise.all([1, 2, 3, 4, 5, 6, 7].map(double))
  expect(results).toEqual([2, 4, 6, 8, 10, 12, 14])
  expect(sizes).toEqual([4, 3])
})

test('requests during a batch are the next batch, after a pause', async () => {
  const sizes: number[] = []
  const began: number[] = []
  const echo = createBatches<number, number>(
    async (items) => {
      sizes.push(items.length)
      began.push(performance.now())
      await tick()
      return items
    },
    { most: 10, lanes: 1, pauseMs: 30 },
  )
  const first = echo(1)
  await tick()
  expect(await Promise.all([first, echo(2), echo(3)])).toEqual([1, 2, 3])
  expect(sizes).toEqual([1, 2])
  expect((began[1] ?? 0) - (began[0] ?? 0)).toBeGreaterThan(25)
})

test('one alone does not wait', async () => {
  const echo = createBatches<string, string>(async (items) => items, { most: 10, lanes: 2 })
  expect(await echo('a')).toBe('a')
})

test('a bad item fails alone', async () => {
  const careful = createBatches<number, number>(
    async (items) => {
      await tick()
      if (items.includes(3)) throw new Error(`no three in ${items.length}`)
      return items
    },
    { most: 10, lanes: 1 },
  )
  const results = await Promise.allSettled([1, 2, 3, 4].map(careful))
  expect(results.map((it) => it.status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
})

test('a batch runs as the first who asked', async () => {
  const storage = new AsyncLocalStorage<string>()
  const who: (string | undefined)[] = []
  const note = createBatches<number, number>(
    async (items) => {
      who.push(storage.getStore())
      await tick()
      return items
    },
    { most: 10, lanes: 1 },
  )
  await Promise.all(['a', 'b', 'c'].map((name) => storage.run(name, () => note(1))))
  expect(who).toEqual(['a'])
})
