/**
 * Stores a status or scheduled status at most once. Attachments are reserved before the transaction, and unused ones
 * are released. The idempotency key is stored in the transaction.
 */
import { fail, isNoResponse } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../../context.js'
import { dropPlan, mediaOf, planStatus, statusOfKey, takeKey, takePlan } from './idempotency.store.js'
import { releaseMedia, type Taking, takeMedia } from './media.js'

/** A status or scheduled status that is stored at most once. */
export interface Storing<T> {
  /** Id that the caller has stored for all attempts. Without an idempotency key only. */
  id?: string
  author: string
  /** Idempotency key of the request. */
  key: string | null
  mediaIds: readonly string[]
  /** Options of the reservation of the attachments. */
  taking?: Taking
  /**
   * Called with attachments that an attempt with this id reserved, and that no stored status or scheduled status has.
   * By default, they become free for other statuses, and are deleted after a day. Not called with an idempotency key.
   */
  release?(id: string, mediaIds: readonly string[]): Promise<void>
  /** Stores the rows, and returns what was stored; null if an earlier attempt stored them. */
  insert(tx: Tx, id: string): Promise<T | null>
}

export interface Stored<T> {
  id: string
  /** Result of `insert`; null if an earlier attempt, or one with the same idempotency key, stored the rows. */
  stored: T | null
}

/** Thrown inside the transaction if an earlier attempt stored the rows, so that nothing is stored twice. */
class Replayed extends Error {}
/** Thrown inside the transaction if the planned id may no longer be used. */
class PlanLost extends Error {}

const tryAgain = () => fail('conflict', 'Please try again', { retryAfter: 1 })

/** Attachments that no stored status or scheduled status with one of these ids has. */
const spareOf = async (ctx: Context, ids: readonly string[], mediaIds: readonly string[]): Promise<string[]> => {
  if (mediaIds.length === 0) return []
  const used = await mediaOf(ctx.db, ids)
  return mediaIds.filter((one) => !used.has(one))
}

/**
 * Releases attachments that no stored status or scheduled status has. Errors are only logged, so that they do not
 * replace the result of the request. The tick `check-reserved-attachments` releases the attachments later.
 */
const releaseSpare = async (
  ctx: Context,
  ids: readonly string[],
  mediaIds: readonly string[],
  release: (spare: readonly string[]) => Promise<void> = (spare) => releaseMedia(ctx, ids, spare),
): Promise<void> => {
  try {
    const spare = await spareOf(ctx, ids, mediaIds)
    if (spare.length > 0) await release(spare)
  } catch (error) {
    ctx.log.warn({ error, status: ids.at(-1) }, 'attachments of a request could not be released')
  }
}

/** Stores the rows with an id that no concurrent attempt uses. */
const storeWith = async <T>(ctx: Context, id: string, storing: Storing<T>): Promise<Stored<T>> => {
  const { author, key, mediaIds } = storing
  try {
    await takeMedia(ctx, author, id, mediaIds, storing.taking)
    const stored = await ctx.db.tx(async (tx) => {
      const isTaken = key === null || (await takeKey(tx, author, key, id))
      const made = isTaken ? await storing.insert(tx, id) : null
      if (made === null) throw new Replayed()
      return made
    })
    return { id, stored }
  } catch (error) {
    // The transaction may have been committed although the database reported an error.
    if (isNoResponse(error)) throw error
    await releaseSpare(ctx, [id], mediaIds, storing.release?.bind(storing, id))
    if (!(error instanceof Replayed)) throw error
    const first = key === null ? id : await statusOfKey(ctx.db, author, key)
    if (first === null) throw tryAgain()
    return { id: first, stored: null }
  }
}

/**
 * Maximum number of ids that one request plans. It plans another id whenever a concurrent request with its key fails.
 */
const MAX_PLANS = 4

/**
 * Ends a failed attempt. Concurrent attempts reserve the attachments for the same id, so the plan is deleted first. The
 * attachments are then released, unless a concurrent attempt has stored its rows before.
 */
const endPlanned = async (
  ctx: Context,
  { author, mediaIds }: Pick<Storing<unknown>, 'author' | 'mediaIds'>,
  key: string,
  ids: readonly string[],
): Promise<void> => {
  try {
    await dropPlan(ctx.db, author, key, ids.at(-1) ?? '')
  } catch (error) {
    ctx.log.warn({ error, status: ids.at(-1) }, 'the planned id of a failed request could not be deleted')
    return
  }
  await releaseSpare(ctx, ids, mediaIds)
}

/**
 * Stores the rows with the id that is planned for an idempotency key. A concurrent request with this key that fails
 * deletes the plan. The rows are then stored with another id, to which the attachments move.
 * @param former ids that were planned before
 */
const storePlanned = async <T>(
  ctx: Context,
  storing: Storing<T>,
  key: string,
  former: readonly string[] = [],
): Promise<Stored<T>> => {
  const { author, mediaIds } = storing
  const { status_id: id, done } = await planStatus(ctx.db, author, key, ctx.ids.next())
  const ids = [...former, id]
  if (done) {
    if (former.length > 0) await releaseSpare(ctx, ids, mediaIds)
    return { id, stored: null }
  }
  try {
    await takeMedia(ctx, author, id, mediaIds, {
      ...storing.taking,
      ...(former.length > 0 && { formerHolders: former }),
    })
    const stored = await ctx.db.tx(async (tx) => {
      const made = (await takePlan(tx, author, key, id)) ? await storing.insert(tx, id) : null
      if (made === null) throw new PlanLost()
      return made
    })
    return { id, stored }
  } catch (error) {
    if (error instanceof PlanLost && ids.length < MAX_PLANS) return storePlanned(ctx, storing, key, ids)
    // If the result is unknown, the attachments stay reserved for a repeated request. The tick
    // `check-reserved-attachments` releases them if no request is repeated.
    if (!isNoResponse(error)) await endPlanned(ctx, storing, key, ids)
    throw error instanceof PlanLost ? tryAgain() : error
  }
}

/**
 * Stores the rows at most once. With an idempotency key and attachments, concurrent attempts plan the same id, so that
 * they reserve the attachments together, and one of them stores the rows (F055).
 */
export const storeOnce = <T>(ctx: Context, storing: Storing<T>): Promise<Stored<T>> =>
  storing.key === null || storing.mediaIds.length === 0
    ? storeWith(ctx, storing.id ?? ctx.ids.next(), storing)
    : storePlanned(ctx, storing, storing.key)
