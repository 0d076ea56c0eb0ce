/** Changes of one object by one actor apply in the order of their signatures. A change that was overtaken has no effect. */

import type { Activity, ActivityOf } from '@murmuration/activitypub/vocabulary/activity'
import { hashtagOf } from '@murmuration/activitypub/vocabulary/read-featured-tags'
import { createKeyedLimiter } from '@murmuration/flow'
import { normaliseTag } from '@murmuration/text'
import type { Context } from '../../context.js'
import { type Change, type Claim, claimObject, isOvertaken, recordChange, releaseObject } from '../last-writer.store.js'
import { ignored, type Outcome } from './outcome.js'
import { type Delivery, tryLater } from './received.js'

type Ordering = Pick<Context, 'db' | 'clock'>

/** An activity with its delivery. */
interface Delivered {
  readonly activity: Pick<Activity, 'actor'>
  readonly delivery: Delivery
}

/** Accepted error of a clock. A signature further ahead counts as made at the delivery. */
const AHEAD_MS = 60_000

const changeOf = ({ activity, delivery: { id, receivedAt, signedAt } }: Delivered, object: string): Change => ({
  actor: activity.actor,
  object,
  holder: `${id} ${receivedAt.toISOString()}`,
  signedAt: signedAt !== null && signedAt.getTime() - receivedAt.getTime() > AHEAD_MS ? receivedAt : signedAt,
})

/** How long a change waits for another one here, and how often it asks. After that its job is retried later. */
const PATIENCE_MS = 1_000
const POLL_MS = 40

/** Changes of this process that wait, by object. The first of them asks the database. */
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
  // A change that waited too long asks the database once.
  const release = await Promise.try(() => waiting.enter(name)).catch(() => null)
  try {
    return await pollClaim(ctx, change, end)
  } finally {
    release?.()
  }
}

/**
 * Applies a change of an object while no other change of its actor runs, unless the actor sent a later change or ended the
 * object. A refused change does not count, except a removal: the removed item may be absent here. Throws while another
 * change runs. After a change with `ends`, later ones have no effect.
 */
export const inOrder = async <T extends Outcome | null>(
  ctx: Ordering,
  delivered: Delivered,
  { object, ends = false, removes = ends }: { object: string; ends?: boolean; removes?: boolean },
  apply: () => Promise<T>,
): Promise<T | Outcome> => {
  const change = { ...changeOf(delivered, object), ends }
  const claim = await awaitClaim(ctx, change)
  if (claim === 'wait') throw tryLater('an earlier change of the object is still being processed')
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

/** Records the time of a change of the items of a collection. */
export const recordItemChange = (ctx: Ordering, delivered: Delivered, collection: string): Promise<void> =>
  recordChange(ctx.db, changeOf(delivered, itemsOf(collection)))

/** True if the actor changed items of the collection later, so that this copy of the collection is old. */
export const areItemsNewer = (ctx: Ordering, delivered: Delivered, collection: string): Promise<boolean> =>
  isOvertaken(ctx.db, changeOf(delivered, itemsOf(collection)))

const contentOf = (status: string): string => `words of ${status}`

/** Records the time of an edit of a status that is unknown here. */
export const recordEdit = (ctx: Ordering, delivered: Delivered, status: string): Promise<void> =>
  recordChange(ctx.db, changeOf(delivered, contentOf(status)))

/** True if such an edit was received, whenever it was signed: a late delivery has a new signature. */
export const wasEdited = (ctx: Ordering, delivered: Delivered, status: string): Promise<boolean> =>
  isOvertaken(ctx.db, { ...changeOf(delivered, contentOf(status)), signedAt: null })

/** The object that an Add or Remove changes: an address is in one list only, and a hashtag has no address. */
export const listedIn = ({ object, target }: ActivityOf<'Add' | 'Remove'>): string | null => {
  const name = hashtagOf(object.node)
  return name === null ? object.id : `${target} ${normaliseTag(name)}`
}
