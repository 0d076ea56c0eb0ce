/** Gathering: nobody waits when it is calm, a flood is few pieces, errors reach those whose piece failed. */
import { expect, test } from 'vitest'
import { gather } from './gather.js'
import { currentRequest, ownRequest, within } from './request.js'

const pieces = (pauseMs: number, most = 100) => {
  const seen: number[][] = []
  const give = gather<number>({ pauseMs, most }, async (items) => {
    seen.push(items)
    if (items.includes(13)) throw new Error('no thirteen')
  })
  return { seen, give }
}

test('items of one turn of the event loop are one batch, and the first does not wait', async () => {
  const { seen, give } = pieces(60_000)
  await Promise.all([give(1), give(2), give(3)])
  expect(seen).toEqual([[1, 2, 3]])
})

test('pieces begin apart, and hold no more than they may', async () => {
  const { seen, give } = pieces(30, 2)
  const started = performance.now()
  await give(1)
  await Promise.all([2, 3, 4].map(give))
  expect(seen).toEqual([[1], [2, 3], [4]])
  expect(performance.now() - started).toBeGreaterThan(55)
})

test('the pause after a burst is longer', async () => {
  const seen: number[] = []
  const give = gather<number>({ pauseMs: 0, burstMs: 60_000, most: 4 }, async (items) => {
    seen.push(items.length)
  })
  await Promise.all([1, 2, 3].map(give))
  await Promise.all([4, 5, 6, 7].map(give))
  expect(seen).toEqual([3, 4])
  const later = give(8)
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  expect(give.waiting()).toBe(1)
  await give.flush()
  await later
  expect(seen).toEqual([3, 4, 1])
})

test('flush does not wait for the pause', async () => {
  const { seen, give } = pieces(60_000)
  await give(1)
  const second = give(2)
  await give.flush()
  await second
  expect(seen).toEqual([[1], [2]])
  expect(give.waiting()).toBe(0)
})

test('an error reaches those of its piece and nobody after them', async () => {
  const { give } = pieces(0)
  await expect(give(13)).rejects.toThrow('no thirteen')
  await expect(give(14)).resolves.toBeUndefined()
})

test('the work is nobody’s request, whoever gave the first item', async () => {
  const requests: unknown[] = []
  const give = gather<number>({ pauseMs: 0, most: 10 }, async () => {
    requests.push(currentRequest())
  })
  await within(ownRequest(1_000), () => give(1))
  expect(requests).toEqual([undefined])
})
