/** Stored keys of remote actors, remembered for a minute so that a busy sender costs one question and not a thousand. */

import { createMemory } from '@murmuration/cache'
import { accountHint, remoteKeys } from '@murmuration/contracts/accounts'
import type { BaseContext } from '@murmuration/kernel'
import type { calls } from '../calls.js'

/** A key with its owner: the account, and the actor whose document lists it. */
export interface KnownKey {
  readonly id: string
  readonly pem: string
  /** Actor id. */
  readonly owner: string
  readonly accountId: string
}

export interface KnownKeys {
  /** The stored key of exactly this id, or null. */
  get(keyId: string): Promise<KnownKey | null>
  forget(keyId: string): void
}

const MOST = 20_000
const TTL_MS = 60_000
/** A key that is not known may be known a moment later. */
const UNKNOWN_MS = 2_000

export const createKnownKeys = (
  ctx: Pick<BaseContext<(typeof calls)[number]>, 'call' | 'hints' | 'clock'>,
): KnownKeys => {
  const kept = createMemory<KnownKey | null>({ most: MOST, ttlMs: TTL_MS, now: () => ctx.clock.now() })
  ctx.hints.hear(accountHint, (ids) => {
    if (ids === null) kept.forget()
    else {
      const changed = new Set(ids)
      kept.forget((key) => key !== null && changed.has(key.accountId))
    }
  })
  return {
    async get(keyId) {
      const known = kept.get(keyId)
      if (known !== undefined) return known
      const { key } = await ctx.call(remoteKeys, { keyId })
      kept.set(keyId, key, key === null ? UNKNOWN_MS : TTL_MS)
      return key
    },
    forget: (keyId) => kept.delete(keyId),
  }
}
