/** Creating a status once: attachments reserved before the transaction, the key taken inside it, nothing left over after. */
import { Failure, fail } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { dropPlan, planStatus, statusOfKey, takeKey } from '../core/status/idempotency.store.js'
import { releaseMedia, takeMedia } from '../core/status/media.js'
import type { FullStatus } from '../core/status/new-status.js'
import { rowOf } from '../core/status/store.js'
import type { Composed } from './compose.js'
import { know } from './known.js'
import { storeStatus } from './status.js'

export interface Created {
  id: string
  /** The stored status; null when it had been created before, and nothing was stored now. */
  whole: FullStatus | null
}

/** How a status is kept from being created twice, and where its attachments come from. */
export interface Once {
  /** Idempotency key of the request. */
  key?: string | null
  /** The id of every attempt, when the caller remembers one. */
  id?: string
  /** The scheduled status that holds the attachments until now. */
  from?: string
  /** Part of the same transaction; false when the status had been created before. */
  also?(tx: Tx): Promise<boolean>
}

/** Thrown inside the transaction when the status had been created before, so that nothing is stored. */
class Replayed extends Error {}

const store = async (ctx: Context, id: string, composed: Composed, once: Once): Promise<Created> => {
  const whole = composed.whole(id, ctx.clock.date())
  const author = whole.row.author_id
  const key = once.key ?? null
  try {
    await ctx.db.tx(async (tx) => {
      if (key !== null && !(await takeKey(tx, author, key, id))) throw new Replayed()
      if (once.also && !(await once.also(tx))) throw new Replayed()
      await storeStatus(ctx, tx, whole)
    })
    know(ctx, whole, composed.people)
    return { id, whole }
  } catch (error) {
    if (!(error instanceof Replayed)) throw error
    const first = key === null ? id : await statusOfKey(ctx.db, author, key)
    if (first === null) throw fail('conflict', 'Please try again', { retryAfter: 1 })
    return { id: first, whole: null }
  }
}

/** True when the database may have committed although it did not say so. */
const isUncertain = (error: unknown): boolean =>
  error instanceof Failure && (error.code === 'unavailable' || error.code === 'timeout')

/** Lets go of what this attempt reserved and the stored status does not hold. */
const releaseSpare = async (ctx: Context, id: string, stored: string, mediaIds: readonly string[]): Promise<void> => {
  const held = stored === id ? ((await rowOf(ctx.db, id))?.media_ids ?? []) : []
  await releaseMedia(
    ctx,
    id,
    mediaIds.filter((one) => !held.includes(one)),
  )
}

/**
 * Stores a composed status for its author. With a key, attempts at the same time plan the same id, so that they reserve
 * attachments together instead of refusing each other, and one of them stores (F055).
 */
export const createOnce = async (
  ctx: Context,
  author: string,
  composed: Composed,
  once: Once = {},
): Promise<Created> => {
  const { mediaIds } = composed.draft
  const key = once.key ?? null
  const fresh = once.id ?? ctx.ids.next()
  if (mediaIds.length === 0) return store(ctx, fresh, composed, once)
  const plan = key === null ? { status_id: fresh, done: false } : await planStatus(ctx.db, author, key, fresh)
  const id = plan.status_id
  if (plan.done) return { id, whole: null }
  try {
    await takeMedia(ctx, author, id, mediaIds, once.from === undefined ? {} : { from: once.from })
    const created = await store(ctx, id, composed, once)
    if (created.whole === null) await releaseSpare(ctx, id, created.id, mediaIds)
    return created
  } catch (error) {
    if (!isUncertain(error)) {
      await releaseMedia(ctx, id, mediaIds)
      if (key !== null) await dropPlan(ctx.db, author, key, id)
    }
    throw error
  }
}
