/**
 * Computes the header `Collection-Synchronization` of followers-only deliveries, with a digest of the followers on the
 * recipient's server (FEP-8fcf).
 */

import {
  emptyDigest,
  writeCollectionSynchronization,
} from '@murmuration/activitypub/signatures/collection-synchronization'
import { actorAddresses } from '@murmuration/activitypub/vocabulary/write-actor'
import { followerDigests } from '@murmuration/contracts/accounts'
import { createMemoryCache } from '@murmuration/flow'
import type { Call, Log } from '@murmuration/kernel'

/** Digests of the current followers of one actor, per server. */
export interface Followers {
  /** Value of the header Collection-Synchronization for a delivery by this actor (id) to this inbox. */
  headerFor(inbox: string, actor: string): string
}

export interface Synchronisation {
  /** Digests of followers by account id. Accounts whose followers cannot be compared are left out. */
  many(accountIds: readonly string[]): Promise<Map<string, Followers>>
}

const MAX_ACCOUNTS = 500
/** Lifetime of cached digests, long enough for the deliveries of one activity to many hosts. */
const KEEP_MS = 5_000
const followersIn = (digests: Readonly<Record<string, string>>): Followers => ({
  headerFor(inbox, actor) {
    const { followers, synchronisation } = actorAddresses(actor)
    const digest = digests[new URL(inbox).origin] ?? emptyDigest
    return writeCollectionSynchronization({ collectionId: followers, url: synchronisation, digest })
  },
})

export const createSynchronisation = (ctx: {
  call: Call<typeof followerDigests>
  clock: { now(): number }
  log: Log
}): Synchronisation => {
  const kept = createMemoryCache<Followers | null>({ max: MAX_ACCOUNTS, ttlMs: KEEP_MS, now: () => ctx.clock.now() })
  const loadFollowers = async (account: string): Promise<Followers | null> => {
    try {
      const { comparable, digests } = await ctx.call(followerDigests, { account })
      return comparable ? followersIn(digests) : null
    } catch (error) {
      // The header Collection-Synchronization is optional, so the delivery is sent without it.
      ctx.log.warn({ error }, 'a delivery is sent without the digest of followers')
      return null
    }
  }
  return {
    async many(accountIds) {
      const found = await Promise.all(
        [...new Set(accountIds)].map(async (id) => [id, await kept.load(id, () => loadFollowers(id))] as const),
      )
      return new Map(found.flatMap(([id, followers]) => (followers === null ? [] : [[id, followers] as const])))
    },
  }
}
