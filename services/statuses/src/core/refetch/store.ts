/** Records recent refetches in Redis, so that none is repeated too soon. Redis may lose the entries. */
import type { Redis } from '@murmuration/cache'
import { keyOf } from '../key.store.js'

const askedKey = (what: string): string => keyOf('asked', what)

/**
 * Returns true if no other call claimed the key `what` within `seconds`. Returns false if one did, or if Redis is
 * unavailable.
 */
export const claimRefetch = (redis: Redis, what: string, seconds: number): Promise<boolean> =>
  redis.withFallback(async (client) => {
    const set = await client.set(askedKey(what), '1', { condition: 'NX', expiration: { type: 'EX', value: seconds } })
    return set !== null
  }, false)

/** Deletes the entry of a refetch that failed, so that the next caller may try again. */
export const releaseRefetch = (redis: Redis, what: string): Promise<void> =>
  redis.withFallback(async (client) => {
    await client.del(askedKey(what))
  }, undefined)
