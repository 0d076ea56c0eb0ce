/** Recent requests to other servers, so that none is repeated too soon. In Redis, and may be lost. */
import type { Redis } from '@murmuration/cache'
import { keyOf } from '../key.store.js'

const askedKey = (what: string): string => keyOf('asked', what)

/** True for the first who asks in so many seconds; false while Redis is away. */
export const claimRefetch = (redis: Redis, what: string, seconds: number): Promise<boolean> =>
  redis.soft(async (client) => {
    const set = await client.set(askedKey(what), '1', { condition: 'NX', expiration: { type: 'EX', value: seconds } })
    return set !== null
  }, false)

/** Nothing came of it: the next one may ask again. */
export const releaseRefetch = (redis: Redis, what: string): Promise<void> =>
  redis.soft(async (client) => {
    await client.del(askedKey(what))
  }, undefined)
