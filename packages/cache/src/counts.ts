/**
 * Counters of fixed time windows. Each count is stored in Redis for all processes, and in the memory of this process.
 * The larger of both counts is returned.
 */
import { createHash } from 'node:crypto'
import { createMemoryCache, type MemoryCache } from '@murmuration/flow'
import type { Redis } from './redis.js'

/** Counters in windows of whole minutes, aligned to the clock. No method rejects when Redis fails. */
export interface Counts {
  /**
   * Adds `by` (1 by default, may be negative) to a counter. Returns its count in the current window of `minutes`
   * minutes (1 by default).
   */
  add(what: string, name: string, minutes?: number, by?: number): Promise<number>
  /** Count of a counter in the current minute. */
  of(what: string, name: string): Promise<number>
}

/**
 * Creates counters. `prefix` separates instances that share a Redis, `now` returns milliseconds, `local` counts in this
 * process. Because the process counts in its memory too, a limit does not restart when Redis is unavailable, times out
 * or lost its data.
 *
 * @example const counts = createCounts({ redis, prefix: 'media:example.org', now, local: createMemoryCache({ max:
 * 10_000, ttlMs: 120_000, now }) }) if ((await counts.add('host', host)) > 300) later()
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
  /** Concurrent reads of one counter share a request. The result is not cached. */
  const shared = createMemoryCache<number>({ max: 1, now })
  const addHere = (key: string, by: number, minutes: number): number => {
    const count = (local.get(key) ?? 0) + by
    local.set(key, count, 120_000 * minutes)
    return count
  }
  return {
    async add(what, name, minutes = 1, by = 1) {
      const key = keyOf(what, name, minutes)
      const here = addHere(key, by, minutes)
      const found = await redis.withFallback<number | null>(async (client) => {
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
        const found = await redis.withFallback<string | null>(
          (client) => client.get(key) as Promise<string | null>,
          null,
        )
        return Math.max(Number(found ?? 0), local.get(key) ?? 0)
      }
      return shared.load(key, read, () => 0)
    },
  }
}
