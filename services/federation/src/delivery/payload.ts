/** Cache of payloads: the bytes of an activity and their digest, which is computed once for all hosts. */

import { sha256Base64 } from '@murmuration/activitypub/signatures/digest'
import type { Database } from '@murmuration/db'
import { createMemoryCache } from '@murmuration/flow'
import { bytesOf } from '../core/activity/store.js'

export interface Payload {
  readonly uri: string
  readonly kind: string
  readonly isActorDeletion: boolean
  /** True if the activity is about a followers-only status. */
  readonly forFollowers: boolean
  /** Actor id of the recipient of a direct activity; else null. */
  readonly target: string | null
  readonly body: Buffer
  readonly sha256: string
}

export interface Payloads {
  /** Payloads by activity id. Activities without a text are left out. */
  many(ids: readonly string[]): Promise<Map<string, Payload>>
}

const MAX_PAYLOADS = 5_000
const KEEP_MS = 600_000

export const createPayloads = (ctx: { db: Database; clock: { now(): number } }): Payloads => {
  const kept = createMemoryCache<Payload>({ max: MAX_PAYLOADS, ttlMs: KEEP_MS, now: () => ctx.clock.now() })
  const read = async (ids: readonly string[]): Promise<Map<string, Payload>> => {
    const found = new Map<string, Payload>()
    for (const row of await bytesOf(ctx.db, ids)) {
      if (row.body === null) continue
      const body = Buffer.from(row.body)
      found.set(row.id, {
        uri: row.uri,
        kind: row.kind,
        isActorDeletion: row.is_actor_deletion,
        forFollowers: row.for_followers,
        target: row.target_uri,
        body,
        sha256: sha256Base64(body),
      })
    }
    return found
  }
  return { many: (ids) => kept.many(ids, read) }
}
