/** Creating a status once: attachments reserved before the transaction, the key taken inside it, nothing left over after. */
import { Failure, fail } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { planStatus, statusOfKey, takeKey } from '../store/idempotency.js'
import { rowOf } from '../store/status.js'
import type { Composed } from './compose.js'
import { releaseMedia, takeMedia } from './media.js'
import { storeStatus } from './status.js'

export interface Created {
  id: string
  /** The key stands for an earlier status; nothing was stored now. */
  replayed: boolean
}

/** Thrown inside the transaction when the key stands for another status, so that nothing is stored. */
class Replayed extends Error {}

const store = async (ctx: Context, id: string, composed: Composed, key: string | null): Promise<Created> => {
  const whole = composed.whole(id, ctx.clock.date())
  const author = whole.row.author_id
  try {
    await ctx.db.tx(async (tx) => {
      if (key !== null && !(await takeKey(tx, author, key, id))) throw new Replayed()
      await storeStatus(ctx, tx, whole)
    })
    return { id, replayed: false }
  } catch (error) {
    if (!(error instanceof Replayed) || key === null) throw error
    const first = await statusOfKey(ctx.db, author, key)
    if (first === null) throw fail('conflict', 'Please try again', { retryAfter: 1 })
    return { id: first, replayed: true }
  }
}

/** True when the database may have committed although it did not say so. */
const isUncertain = (error: unknown): boolean =>
  error instanceof Failure && (error.code === 'unavailable' || error.code === 'timeout')

/**
 * Stores a composed status for its author. With a key, attempts at the same time plan the same id, so that they reserve
 * attachments together instead of refusing each other, and one of them stores (F055).
 */
export const createOnce = async (
  ctx: Context,
  author: string,
  composed: Composed,
  key: string | null,
): Promise<Created> => {
  const { mediaIds } = composed.draft
  const fresh = ctx.ids.next()
  if (mediaIds.length === 0) return store(ctx, fresh, composed, key)
  const plan = key === null ? { status_id: fresh, done: false } : await planStatus(ctx.db, author, key, fresh)
  const id = plan.status_id
  if (plan.done) return { id, replayed: true }
  try {
    await takeMedia(ctx, author, id, mediaIds)
    const created = await store(ctx, id, composed, key)
    if (created.replayed) {
      const held = created.id === id ? ((await rowOf(ctx.db, id))?.media_ids ?? []) : []
      await releaseMedia(
        ctx,
        id,
        mediaIds.filter((one) => !held.includes(one)),
      )
    }
    return created
  } catch (error) {
    if (!isUncertain(error)) await releaseMedia(ctx, id, mediaIds)
    throw error
  }
}
