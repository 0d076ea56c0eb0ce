/**
 * Caches stored keys of remote actors, each for `TTL_MS`, so that a busy sender causes one call of the accounts service
 * a minute.
 */

import { accountInvalidation, remoteKeys } from '@murmuration/contracts/accounts'
import { createMemoryCache } from '@murmuration/flow'
import type { BaseContext } from '@murmuration/kernel'
import type { calls } from '../../calls.js'

/** A key with its owner: the account, and the actor whose document lists it. */
export interface KnownKey {
  readonly id: string
  readonly pem: string
  /** Actor id. */
  readonly owner: string
  readonly accountId: string
}

export interface KnownKeys {
  /** The stored key of a remote actor with exactly this id, or null. */
  get(keyId: string): Promise<KnownKey | null>
  /** Removes a key of a remote actor from the cache. */
  remove(keyId: string): void
}

/** Maximum number of keys of remote actors in the cache. */
const MAX_KEYS = 20_000
const TTL_MS = 60_000
/** Lifetime of a cached null, short because the key may be stored soon after. */
const UNKNOWN_MS = 2_000

export const createKnownKeys = (
  ctx: Pick<BaseContext<(typeof calls)[number]>, 'call' | 'invalidations' | 'clock'>,
): KnownKeys => {
  const kept = createMemoryCache<KnownKey | null>({
    max: MAX_KEYS,
    ttlMs: TTL_MS,
    now: () => ctx.clock.now(),
    idOf: (key) => key?.accountId ?? null,
  })
  ctx.invalidations.subscribe(accountInvalidation, kept.invalidate)
  return {
    get: async (keyId) =>
      kept.load(
        keyId,
        async () => (await ctx.call(remoteKeys, { keyId })).key,
        (key) => (key === null ? UNKNOWN_MS : TTL_MS),
      ),
    remove: kept.delete,
  }
}
