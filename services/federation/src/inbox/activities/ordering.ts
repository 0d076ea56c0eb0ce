/** Orders changes of one object by one actor by their signatures: a change signed before the last applied one has no effect. */

import type { Activity, ActivityOf } from '@murmuration/activitypub/vocabulary/activity'
import { hashtagOf } from '@murmuration/activitypub/vocabulary/read-featured-tags'
import { createKeyedLimiter } from '@murmuration/flow'
import { normaliseTag } from '@murmuration/text'
import type { Context } from '../../context.js'
import { type Change, type Claim, claimObject, isOvertaken, recordChange, releaseObject } from '../last-writer.store.js'
import { ignored, type Outcome } from './outcome.js'
import { type Delivery, retryLater } from './received.js'

type Ordering = Pick<Context, 'db' | 'clock'>

/** An activity with the time and signature time of its delivery to an inbox. */
interface Delivered {
  readonly activity: Pick<Activity, 'actor'>
  readonly delivery: Delivery
}

/** Tolerance for fast clocks of other servers. A signature further in the future counts as made at the time of delivery. */
const AHEAD_MS = 60_000

const changeOf = ({ activity, delivery: { id, receivedAt, signedAt } }: Delivered, object: string): Change => ({
  actor: activity.actor,
  object,
  holder: `${id} ${receivedAt.toISOString()}`,
  signedAt: signedAt !== null && signedAt.getTime() - receivedAt.getTime() > AHEAD_MS ? receivedAt : signedAt,
})

/**
 * Longest time that a change waits for another change of the same object before its job is retried, and the interval of
 * its checks.
 */
const PATIENCE_MS = 1_000
const POLL_MS = 40

/**
 * Waiting changes of this process, by actor and object. Of the waiting changes of one actor to one object, only one at
 * a time polls the database.
 */
const waiting = createKeyedLimiter({ concurrency: 1, waitMs: PATIENCE_MS })

const pollClaim = async (ctx: Ordering, change: Change, end: number): Promise<Claim> => {
  for (;;) {
    const claim = await claimObject(ctx.db, change)
    if (claim !== 'wait' || performance.now() > end) return claim
    await ctx.clock.sleep(POLL_MS * (0.5 + Math.random()))
  }
}

const awaitClaim = async (ctx: Ordering, change: Change): Promise<Claim> => {
  const end = performance.now() + PATIENCE_MS
  const name = `${change.actor} ${change.object}`
  const first = waiting.isBusy(name) ? 'wait' : await claimObject(ctx.db, change)
  if (first !== 'wait') return first
  // A change that waited longer than PATIENCE_MS tries once more to claim the object.
  const release = await Promise.try(() => waiting.enter(name)).catch(() => null)
  try {
    return await pollClaim(ctx, change, end)
  } finally {
    release?.()
  }
}

/**
 * Applies a change of an object while no other change of it by the same actor runs.
 *
 * | Case | Result |
 * |---|---|
 * | a change that was signed later, or a change with `ends` (a deletion), was applied | `ignored`, `apply` is not called |
 * | another change runs for longer than `PATIENCE_MS` | throws, the job is retried |
 * | `apply` returns `refused`, without `removes` | its signature time is not stored |
 * | any other | its signature time is stored |
 *
 * With `removes`, the signature time is stored even after a refusal, because the removed item may be unknown here.
 */
export const inOrder = async <T extends Outcome | null>(
  ctx: Ordering,
  delivered: Delivered,
  { object, ends = false, removes = ends }: { object: string; ends?: boolean; removes?: boolean },
  apply: () => Promise<T>,
): Promise<T | Outcome> => {
  const change = { ...changeOf(delivered, object), ends }
  const claim = await awaitClaim(ctx, change)
  if (claim === 'wait') throw retryLater('an earlier change of the object is still being processed')
  if (claim === 'overtaken') return ignored('overtaken')
  let counts = false
  try {
    const outcome = await apply()
    counts = removes || outcome?.outcome !== 'refused'
    return outcome
  } finally {
    await releaseObject(ctx.db, change, counts)
  }
}

const itemsOf = (collection: string): string => `items of ${collection}`

/** Stores the signature time of an added or removed item of a collection. */
export const recordItemChange = (ctx: Ordering, delivered: Delivered, collection: string): Promise<void> =>
  recordChange(ctx.db, changeOf(delivered, itemsOf(collection)))

/**
 * True if the actor changed items of the collection after it sent this copy of the collection, so that the copy is old.
 */
export const areItemsNewer = (ctx: Ordering, delivered: Delivered, collection: string): Promise<boolean> =>
  isOvertaken(ctx.db, changeOf(delivered, itemsOf(collection)))

const contentOf = (status: string): string => `words of ${status}`

/** Stores the signature time of an edit of a status that is not stored. */
export const recordEdit = (ctx: Ordering, delivered: Delivered, status: string): Promise<void> =>
  recordChange(ctx.db, changeOf(delivered, contentOf(status)))

/** True if `recordEdit` was called for the status. Signature times are not compared, because a late delivery has a new one. */
export const wasEdited = (ctx: Ordering, delivered: Delivered, status: string): Promise<boolean> =>
  isOvertaken(ctx.db, { ...changeOf(delivered, contentOf(status)), signedAt: null })

/**
 * Name for `inOrder` of the object of an Add or Remove: its URI, or for a hashtag the list and the hashtag. Returns
 * null if the object has neither a URI nor a hashtag.
 */
export const listedIn = ({ object, target }: ActivityOf<'Add' | 'Remove'>): string | null => {
  const name = hashtagOf(object.node)
  return name === null ? object.id : `${target} ${normaliseTag(name)}`
}
