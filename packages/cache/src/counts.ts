/** How often something happened within a while, counted in Redis for all processes and in each process. The larger count decides. */
import { createHash } from 'node:crypto'
import { createMemoryCache, type MemoryCache } from '@murmuration/flow'
import type { Redis } from './redis.js'

/** Counts within windows of whole minutes that begin when the clock's do. Never rejects. */
export interface Counts {
  /** Counts once more, or `by` so many, also less; gives how often it was within this window of `minutes` (1 unless said) by then. */
  add(what: string, name: string, minutes?: number, by?: number): Promise<number>
  /** How often it was counted within this minute. */
  of(what: string, name: string): Promise<number>
}

/**
 * `prefix` keeps instances apart that share a Redis, `now` gives milliseconds, `local` counts in this process. Because it counts
 * always, a limit does not begin again when Redis is away, times out or lost its data.
 *
 * @example
 * const counts = createCounts({ redis, prefix: 'media:example.org', now, local: createMemoryCache({ most: 10_000, ttlMs: 120_000, now }) })
 * if ((await counts.add('host', host)) > 300) later()
 */
export const createCounts = (options: {
  redis: Redis
  prefix: string
  now: () => number
  local: Pick<MemoryCache<number>, 'get' | 'set'>
}): Counts => {
  const { redis, prefix, now, local } = options
  const keyOf = (what: string, name: string, minutes = 1): string => {
    const digest = createHash('sha256').update(name).digest('base64url').slice(0, 22)
    return `${prefix}:${what}:${digest}:${Math.floor(now() / 60_000 / minutes)}`
  }
  /** Concurrent requests for one count share a response, which is not kept. */
  const shared = createMemoryCache<number>({ most: 1, now })
  const addHere = (key: string, by: number, minutes: number): number => {
    const count = (local.get(key) ?? 0) + by
    local.set(key, count, 120_000 * minutes)
    return count
  }
  return {
    async add(what, name, minutes = 1, by = 1) {
      const key = keyOf(what, name, minutes)
      const here = addHere(key, by, minutes)
      const found = await redis.soft<number | null>(async (client) => {
        const [value] = (await client
          .multi()
          .incrBy(key, by)
          .expire(key, 120 * minutes)
          .execAsPipeline()) as unknown as [number]
        return Number(value)
      }, null)
      return Math.max(found ?? 0, here)
    },
    async of(what, name) {
      const key = keyOf(what, name)
      const read = async (): Promise<number> => {
        const found = await redis.soft<string | null>((client) => client.get(key) as Promise<string | null>, null)
        return Math.max(Number(found ?? 0), local.get(key) ?? 0)
      }
      return shared.load(key, read, () => 0)
    },
  }
}
