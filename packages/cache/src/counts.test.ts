/** Counts with a Redis that responds, times out and loses its data. */
import { createMemoryCache } from '@murmuration/flow'
import { expect, test } from 'vitest'
import { createCounts } from './counts.js'
import type { Redis } from './redis.js'

/** A fake Redis that counts, and can be unavailable. */
const fakeRedis = () => {
  const stored = new Map<string, number>()
  const state = { isAway: false, stored }
  const client = {
    get: async (key: string) => (stored.has(key) ? String(stored.get(key)) : null),
    multi: () => ({
      incrBy: (key: string, by: number) => {
        stored.set(key, (stored.get(key) ?? 0) + by)
        return { expire: () => ({ execAsPipeline: async () => [stored.get(key), 1] }) }
      },
    }),
  }
  const withFallback = async (work: (client: unknown) => Promise<unknown>, fallback: unknown) =>
    state.isAway ? fallback : work(client)
  return { state, redis: { withFallback } as unknown as Redis }
}
const NOW = 600_000
const now = () => NOW
const counting = (redis: Redis) =>
  createCounts({ redis, prefix: 'test', now, local: createMemoryCache({ max: 100, ttlMs: 60_000, now }) })

test('a limit does not restart while Redis times out', async () => {
  const { state, redis } = fakeRedis()
  const counts = counting(redis)
  const allowed: number[] = []
  for (let n = 0; n < 200; n++) {
    state.isAway = n % 3 === 0
    const count = await counts.add('reads', 'one')
    if (count <= 60) allowed.push(count)
  }
  expect(allowed).toEqual(Array.from({ length: 60 }, (_, n) => n + 1))
  for (state.isAway of [false, true]) expect(await counts.of('reads', 'one')).toBe(200)
})

test('a limit does not restart after Redis lost its data', async () => {
  const { state, redis } = fakeRedis()
  const counts = counting(redis)
  for (let n = 0; n < 10; n++) await counts.add('reads', 'one', 60)
  state.stored.clear()
  expect(await counts.add('reads', 'one', 60)).toBe(11)
})

test('the count of all processes applies when it is larger', async () => {
  const { redis } = fakeRedis()
  const [one, other] = [counting(redis), counting(redis)]
  for (let n = 0; n < 5; n++) await one.add('reads', 'one')
  expect(await other.add('reads', 'one')).toBe(6)
  expect(await other.of('reads', 'one')).toBe(6)
  expect(await other.add('reads', 'one', 1, -1)).toBe(5)
})
