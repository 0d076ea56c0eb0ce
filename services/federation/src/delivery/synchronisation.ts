/** Collection-Synchronization header of deliveries to followers: digest of the followers on the recipient's server (FEP-8fcf). */

import {
  emptyDigest,
  writeCollectionSynchronization,
} from '@murmuration/activitypub/signatures/collection-synchronization'
import { actorAddresses } from '@murmuration/activitypub/vocabulary/write-actor'
import { followerDigests } from '@murmuration/contracts/accounts'
import { createMemoryCache } from '@murmuration/flow'
import type { Call, Log } from '@murmuration/kernel'

/** Current followers of one actor. */
export interface Followers {
  /** The header for a delivery to this inbox, of an actor with this id. */
  headerFor(inbox: string, actor: string): string
}

export interface Synchronisation {
  /** By account id; those whose followers are not compared are left out. */
  many(accountIds: readonly string[]): Promise<Map<string, Followers>>
}

const MOST = 500
/** Long enough for a burst to many hosts. A recipient that reads the list gets the current one. */
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
  const kept = createMemoryCache<Followers | null>({ most: MOST, ttlMs: KEEP_MS, now: () => ctx.clock.now() })
  const ask = async (account: string): Promise<Followers | null> => {
    try {
      const { comparable, digests } = await ctx.call(followerDigests, { account })
      return comparable ? followersIn(digests) : null
    } catch (error) {
      // The recipient accepts the delivery without the header. The next delivery has it again.
      ctx.log.warn({ error }, 'a delivery goes out without the digest of followers')
      return null
    }
  }
  return {
    async many(accountIds) {
      const found = await Promise.all(
        [...new Set(accountIds)].map(async (id) => [id, await kept.load(id, () => ask(id))] as const),
      )
      return new Map(found.flatMap(([id, followers]) => (followers === null ? [] : [[id, followers] as const])))
    },
  }
}
