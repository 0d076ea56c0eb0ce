/** Batches: formation under load, order, and errors for the affected callers. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, test } from 'vitest'
import { type BatchOptions, createBatcher } from './batch.js'

const tick = () => new Promise((resolve) => setImmediate(resolve))

/** Creates a batcher that doubles numbers and throws for 13. */
const doubling = (options: Partial<BatchOptions<number>> = {}) => {
  const sizes: number[] = []
  const startedAt: number[] = []
  const double = createBatcher<number, number>(
    async (items) => {
      sizes.push(items.length)
      startedAt.push(performance.now())
      await tick()
      if (items.includes(13)) throw new Error(`no 13 in ${items.length}`)
      return items.map((n) => n * 2)
    },
    { max: 4, ...options },
  )
  return { sizes, startedAt, double }
}

test('items of one turn of the event loop are one batch, in order, up to a limit', async () => {
  const { sizes, double } = doubling()
  expect(await Promise.all([1, 2, 3, 4, 5, 6, 7].map(double))).toEqual([2, 4, 6, 8, 10, 12, 14])
  expect(sizes).toEqual([4, 3])
})

test('a batch is no larger than its limit of size', async () => {
  const { sizes, double } = doubling({ maxSize: 10, sizeOf: (n) => n })
  expect(await Promise.all([5, 5, 1, 12, 3].map(double))).toEqual([10, 10, 2, 24, 6])
  expect(sizes).toEqual([2, 1, 1, 1])
})

test('items that are added during a batch are the next batch, after a pause', async () => {
  const { sizes, startedAt, double } = doubling({ pauseMs: 30 })
  const first = double(1)
  await tick()
  expect(await Promise.all([first, double(2), double(3)])).toEqual([2, 4, 6])
  expect(sizes).toEqual([1, 2])
  expect((startedAt[1] ?? 0) - (startedAt[0] ?? 0)).toBeGreaterThan(25)
})

test('a first item does not wait for a pause', async () => {
  expect(await doubling({ pauseMs: 60_000, concurrency: 2 }).double(1)).toBe(2)
})

test('batches in progress are bounded', async () => {
  const gates = [1, 2, 3].map(() => Promise.withResolvers<void>())
  let started = 0
  const wait = createBatcher<number>(() => gates[started++]?.promise ?? Promise.resolve(), { max: 1, concurrency: 2 })
  const all = [1, 2, 3].map((n) => wait(n))
  await tick()
  await tick()
  expect([started, wait.waiting()]).toEqual([2, 1])
  for (const { resolve } of gates) resolve()
  await Promise.all(all)
  expect(started).toBe(3)
})

test('the pause after a burst is longer', async () => {
  const { sizes, double } = doubling({ burst: { size: 4, pauseMs: 60_000 } })
  await Promise.all([1, 2, 3].map(double))
  await Promise.all([4, 5, 6, 7].map(double))
  expect(sizes).toEqual([3, 4])
  const later = double(8)
  await tick()
  await tick()
  expect(double.waiting()).toBe(1)
  await double.flush()
  expect([await later, sizes]).toEqual([16, [3, 4, 1]])
})

test('a delayed batch takes the items that are added until it starts', async () => {
  const { sizes, double } = doubling({ delayMs: 20 })
  const first = double(1)
  await tick()
  await Promise.all([first, double(2)])
  expect(sizes).toEqual([2])
})

test('a full batch starts without a pause', async () => {
  const { sizes, double } = doubling({ pauseMs: 60_000, fullAtOnce: true })
  await double(1)
  expect(await Promise.all([1, 2, 3, 4].map(double))).toEqual([2, 4, 6, 8])
  expect(sizes).toEqual([1, 4])
})

test('flush does not wait for the pause, and ends when all items are done', async () => {
  const { sizes, double } = doubling({ pauseMs: 60_000 })
  await double(1)
  const second = double(2)
  await Promise.all([double.flush(), double.flush()])
  expect([await second, sizes, double.waiting()]).toEqual([4, [1, 1], 0])
  await double.flush()
})

test('an item that fails does not fail its batch', async () => {
  const { double } = doubling()
  const results = await Promise.allSettled([1, 2, 13, 4].map(double))
  expect(results.map((it) => it.status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
})

test('without a retry, an error rejects the items of its batch and no later ones', async () => {
  const { sizes, double } = doubling({ retryAlone: false })
  const results = await Promise.allSettled([1, 13].map(double))
  expect(results.map((it) => it.status)).toEqual(['rejected', 'rejected'])
  expect([await double(14), sizes]).toEqual([28, [2, 1]])
})

test('a result that is a promise settles its item alone', async () => {
  const slow = Promise.withResolvers<number>()
  const read = createBatcher<number, number>(
    async (items) => items.map((n) => (n === 1 ? slow.promise : n === 2 ? Promise.reject(new Error('no 2')) : n)),
    { max: 10 },
  )
  const [one, two, three] = [read(1), read(2), read(3)]
  await expect(two).rejects.toThrow('no 2')
  expect(await three).toBe(3)
  slow.resolve(10)
  expect(await one).toBe(10)
})

test('a batch runs in the async context of its first caller, or in a given one', async () => {
  const storage = new AsyncLocalStorage<string>()
  const seen: (string | undefined)[] = []
  const note = async () => {
    seen.push(storage.getStore())
  }
  const asCaller = createBatcher<number>(note, { max: 10 })
  const outside = createBatcher<number>(note, { max: 10, runIn: (work) => storage.exit(work) })
  await Promise.all(['a', 'b'].map((name) => storage.run(name, () => asCaller(1))))
  await storage.run('a', () => outside(1))
  expect(seen).toEqual(['a', undefined])
})
