/**
 * Stores generations of caches in Redis. A cache entry's name contains the generation of its kind. A new generation
 * therefore clears a kind at once, without a search for its entries. Old entries expire.
 */
import type { Redis } from '@murmuration/cache'
import type { CacheKind } from '@murmuration/contracts/statuses'
import { keyOf } from '../key.store.js'

/** Milliseconds after which a process reads the generation again. */
export const GENERATION_MS = 15_000
/** Lifetime of a generation in seconds; longer than that of every cache entry. */
const LIFETIME_S = 30 * 86_400
const FIRST = '0'

const generationKey = (kind: CacheKind): string => keyOf('cache-generation', kind)

interface Known {
  until: number
  generation: Promise<string>
}

/** Known generations by Redis connection, because tests have several connections in one process. */
const known = new WeakMap<Redis, Map<CacheKind, Known>>()

const read = (redis: Redis, kind: CacheKind): Promise<string> =>
  redis.withFallback(async (client) => String((await client.get(generationKey(kind))) ?? FIRST), FIRST)

/** The generation of one kind of cache entries, read from Redis at most 15 seconds ago. */
export const generationOf = (redis: Redis, kind: CacheKind): Promise<string> => {
  const kinds = known.get(redis) ?? new Map<CacheKind, Known>()
  known.set(redis, kinds)
  const now = performance.now()
  const last = kinds.get(kind)
  if (last && now < last.until) return last.generation
  const generation = read(redis, kind)
  kinds.set(kind, { until: now + GENERATION_MS, generation })
  return generation
}

/** Starts a new generation, which clears all cache entries of one kind. Throws if Redis is unavailable. */
export const beginGeneration = async (redis: Redis, kind: CacheKind, generation: string): Promise<void> => {
  await redis.run((client) =>
    client.set(generationKey(kind), generation, { expiration: { type: 'EX', value: LIFETIME_S } }),
  )
  dropGeneration(redis, kind)
}

/** Forgets the generation that this process read, so that the next call reads it from Redis again. */
export const dropGeneration = (redis: Redis, kind: string): void => {
  known.get(redis)?.delete(kind as CacheKind)
}
