/** Creates a status at most once. */
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import type { FullStatus } from '../core/status/new-status.js'
import { type Storing, storeOnce } from '../core/status/store-once.js'
import { cacheNewStatus } from './cache-new-status.js'
import type { Composed } from './compose.js'
import { storeStatus } from './status.js'

export interface Created {
  id: string
  /** The stored status; null if an earlier attempt with the same idempotency key created it. */
  full: FullStatus | null
}

/** Data that prevents creating a status twice, and the scheduled status for which its attachments are reserved. */
export interface Idempotency extends Pick<Storing<FullStatus>, 'id' | 'release'> {
  /** Idempotency key of the request. */
  key?: string | null
  /** Id of the scheduled status for which the attachments are reserved. */
  from?: string
  /** Ids of earlier attempts to publish the scheduled status, for which the attachments may be reserved instead. */
  formerHolders?: readonly string[]
  /**
   * Runs further statements in the transaction that stores the status. Returns false if an earlier attempt created the
   * status.
   */
  inTransaction?(tx: Tx): Promise<boolean>
}

/** Stores a composed status with its attachments. */
export const createOnce = async (
  ctx: Context,
  author: string,
  composed: Composed,
  { key = null, from, formerHolders, inTransaction, ...more }: Idempotency = {},
): Promise<Created> => {
  const { id, stored } = await storeOnce<FullStatus>(ctx, {
    ...more,
    author,
    key,
    mediaIds: composed.draft.mediaIds,
    taking: { from, formerHolders },
    insert: async (tx, of) => {
      const full = composed.full(of, ctx.clock.date())
      if (inTransaction && !(await inTransaction(tx))) return null
      await storeStatus(ctx, tx, full)
      return full
    },
  })
  if (stored !== null) cacheNewStatus(ctx, stored, composed.mentionedAccounts)
  return { id, full: stored }
}
