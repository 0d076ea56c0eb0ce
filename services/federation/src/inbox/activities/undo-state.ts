/**
 * Records which activities were undone, and checks whether one was. An activity received after its Undo has no effect,
 * unless its actor sent it again after the Undo.
 */

import type { Activity } from '@murmuration/activitypub/vocabulary/activity'
import { originOf, sameOrigin, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import type { Context } from '../../context.js'
import { activityKey } from '../inbox.store.js'
import { transition } from '../state.rules.js'
import { microsOf } from '../state-input.rules.js'
import { activitiesOf, isMarkedUndone, markUndone, undoneStateOf, undoTargetOf } from '../undo.store.js'
import { type Delivery, retryLater } from './received.js'

const keyOf = (id: Uri): Buffer => activityKey(originOf(id) as string, id)

/**
 * Key of the activity that an Undo names. Null for other types, if the named activity is on another origin, and if the
 * Undo names its own id.
 */
export const undoneBy = (activity: Activity): Buffer | null => {
  if (activity.type !== 'Undo') return null
  const id = activity.inner?.id ?? activity.object.id
  return id !== null && id !== activity.id && sameOrigin(id, activity.actor) ? keyOf(id) : null
}

/**
 * Whether the actor undid this activity, or sent it again after the Undo.
 *
 * Throws if the activity was sent again while its Undo still waits: the Undo must be processed first.
 */
export const undoneBefore = async (
  ctx: Pick<Context, 'db'>,
  { id, actor }: Activity,
): Promise<'undone' | 'again' | 'not'> => {
  const state = id === null ? 'not' : await undoneStateOf(ctx.db, keyOf(id), actor)
  if (state === 'undoing') throw retryLater('the Undo before this redelivery is still being processed')
  return state
}

/** True if the actor has undone this activity. Throws like `undoneBefore`. */
export const isUndone = async (ctx: Pick<Context, 'db'>, activity: Activity): Promise<boolean> =>
  (await undoneBefore(ctx, activity)) === 'undone'

/** State of the target of an Undo: sent again after the Undo (`again`), had an effect (`here`), or not received yet (`unseen`). */
export type Undone = 'again' | 'here' | 'unseen'

/** Records that the actor undid this activity. Throws while the activity waits for its job, which may run at the same time. */
export const recordUndone = async (ctx: Pick<Context, 'db'>, id: Uri | null, actor: Uri): Promise<Undone> => {
  if (id === null || !sameOrigin(id, actor)) return 'unseen'
  const key = keyOf(id)
  await markUndone(ctx.db, key, actor)
  const { state, late } = await undoTargetOf(ctx.db, key, actor)
  if (state === 'waiting') throw retryLater('the undone activity is still being processed')
  if (state === 'again') return 'again'
  return late ? 'here' : 'unseen'
}

/**
 * Parameters that `unlessNewer` passes to `apply`. With `exact`, the activity in effect stays if its id is neither the
 * id in the call nor `instead`. The outcome is then `other`.
 */
interface Exact {
  readonly exact: true
  readonly instead?: string
}

const MAX_TRIES = 5

/**
 * Applies an activity unless the actor has since sent a newer activity for the same object.
 *
 * If another activity is in effect, `apply` returns its id as `other`. The other activity is replaced if it was not
 * signed later. For an Undo, `undone` is the id of its target: if the target is stored, another activity stays.
 */
export const unlessNewer = async <T extends { outcome: string; other?: string | undefined }>(
  ctx: Pick<Context, 'db'>,
  { activity, delivery }: { activity: Pick<Activity, 'actor'>; delivery: Delivery },
  apply: (how: Exact) => Promise<T>,
  undone: Uri | null = null,
): Promise<T | { outcome: 'unchanged' }> => {
  const { actor } = activity
  // A forwarded activity may be of any age, so it counts as older than every signed activity.
  const signedAt = microsOf(delivery.signedAt ?? new Date(0))
  let result = await apply({ exact: true })
  // Another activity may take effect between two attempts, so the attempt is repeated.
  for (let tries = 0; ; tries++) {
    const { other } = result
    if (result.outcome !== 'other' || other === undefined) return result
    if (tries === MAX_TRIES) throw retryLater('the existing activity changes repeatedly')
    const keys = [keyOf(other as Uri), undone === null ? null : keyOf(undone)]
    const [existing = null, target = null] = await activitiesOf(ctx.db, keys, actor)
    if (transition('existing', { existing, undone: target, signedAt }) === 'keep') return { outcome: 'unchanged' }
    result = await apply({ exact: true, instead: other })
  }
}

/**
 * Records that the target of an Undo had an effect, if the row of the target is deleted. Without this record, the Undo counts as
 * received before its target, and a redelivery of the target may have no effect.
 */
export const recordEffect = async (ctx: Pick<Context, 'db'>, id: Uri | null, actor: Uri): Promise<void> => {
  if (id !== null && sameOrigin(id, actor)) await markUndone(ctx.db, keyOf(id), actor, true)
}

/** Key of the deletion of an object that an actor announces. No activity has this key, because it contains no id of an activity. */
const deletionKey = (actor: Uri, object: string): Buffer => activityKey(originOf(actor) as string, `Delete ${object}`)

/** Records that an actor announced the deletion of a status that is not stored. The record is stored for seven days. */
export const recordAnnouncedDeletion = async (ctx: Pick<Context, 'db'>, actor: Uri, object: Uri): Promise<void> => {
  await markUndone(ctx.db, deletionKey(actor, object), actor)
}

/** True if the actor announced the deletion of the status with one of these addresses before the status was stored. */
export const isDeletionAnnounced = (
  ctx: Pick<Context, 'db'>,
  actor: Uri,
  addresses: readonly string[],
): Promise<boolean> =>
  isMarkedUndone(
    ctx.db,
    addresses.map((it) => deletionKey(actor, it)),
    actor,
  )
