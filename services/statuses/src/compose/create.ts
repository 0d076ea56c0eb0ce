/**
 * Creates a status at most once. Attachments are reserved before the transaction, and unused ones are released. The
 * idempotency key is stored in the transaction.
 */
import { Failure, fail } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { dropPlan, planStatus, statusOfKey, takeKey } from '../core/status/idempotency.store.js'
import { releaseMedia, takeMedia } from '../core/status/media.js'
import type { FullStatus } from '../core/status/new-status.js'
import { rowOf } from '../core/status/store.js'
import { cacheNewStatus } from './cache-new-status.js'
import type { Composed } from './compose.js'
import { storeStatus } from './status.js'

export interface Created {
  id: string
  /** The stored status; null if an earlier attempt with the same idempotency key created it. */
  full: FullStatus | null
}

/** Data that prevents creating a status twice, and the scheduled status that has reserved its attachments. */
export interface Idempotency {
  /** Idempotency key of the request. */
  key?: string | null
  /** Id of the new status, if the caller has stored one for all attempts. */
  id?: string
  /** Id of the scheduled status for which the attachments are reserved. */
  from?: string
  /** Ids of earlier attempts to publish the scheduled status, for which the attachments may be reserved instead. */
  formerHolders?: readonly string[]
  /**
   * Called with attachments that an attempt with this id reserved and does not use. By default, they become free for
   * other statuses, and are deleted after a day.
   */
  release?(id: string, mediaIds: readonly string[]): Promise<void>
  /**
   * Runs further statements in the transaction that stores the status. Returns false if an earlier attempt created the
   * status.
   */
  inTransaction?(tx: Tx): Promise<boolean>
}

/** Thrown inside the transaction if an earlier attempt created the status, so that nothing is stored twice. */
class Replayed extends Error {}

const store = async (ctx: Context, id: string, composed: Composed, idempotency: Idempotency): Promise<Created> => {
  const full = composed.full(id, ctx.clock.date())
  const author = full.row.author_id
  const key = idempotency.key ?? null
  try {
    await ctx.db.tx(async (tx) => {
      if (key !== null && !(await takeKey(tx, author, key, id))) throw new Replayed()
      if (idempotency.inTransaction && !(await idempotency.inTransaction(tx))) throw new Replayed()
      await storeStatus(ctx, tx, full)
    })
    cacheNewStatus(ctx, full, composed.mentionedAccounts)
    return { id, full }
  } catch (error) {
    if (!(error instanceof Replayed)) throw error
    const first = key === null ? id : await statusOfKey(ctx.db, author, key)
    if (first === null) throw fail('conflict', 'Please try again', { retryAfter: 1 })
    return { id: first, full: null }
  }
}

/** Whether the transaction may have been committed although the database reported an error. */
export const isUncertain = (error: unknown): boolean =>
  error instanceof Failure && (error.code === 'unavailable' || error.code === 'timeout')

/** Attachments that this attempt reserved and that the stored status `stored` does not use. */
const spareOf = async (ctx: Context, id: string, stored: string, mediaIds: readonly string[]): Promise<string[]> => {
  const held = stored === id ? ((await rowOf(ctx.db, id))?.media_ids ?? []) : []
  return mediaIds.filter((one) => !held.includes(one))
}

/**
 * Stores a composed status. With an idempotency key, concurrent attempts plan the same id. Attempts with the same id
 * reserve attachments together, and one of them stores the status (F055).
 */
export const createOnce = async (
  ctx: Context,
  author: string,
  composed: Composed,
  idempotency: Idempotency = {},
): Promise<Created> => {
  const { mediaIds } = composed.draft
  const key = idempotency.key ?? null
  const fresh = idempotency.id ?? ctx.ids.next()
  if (mediaIds.length === 0) return store(ctx, fresh, composed, idempotency)
  const plan = key === null ? { status_id: fresh, done: false } : await planStatus(ctx.db, author, key, fresh)
  const id = plan.status_id
  const release = idempotency.release ?? ((of, spare) => releaseMedia(ctx, of, spare))
  if (plan.done) return { id, full: null }
  try {
    await takeMedia(ctx, author, id, mediaIds, { from: idempotency.from, formerHolders: idempotency.formerHolders })
    const created = await store(ctx, id, composed, idempotency)
    if (created.full === null) await release(id, await spareOf(ctx, id, created.id, mediaIds))
    return created
  } catch (error) {
    if (!isUncertain(error)) {
      await release(id, mediaIds)
      if (key !== null) await dropPlan(ctx.db, author, key, id)
    }
    throw error
  }
}
