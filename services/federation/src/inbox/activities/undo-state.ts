/** An activity and its Undo may arrive in any order. An activity that arrives after its Undo has no effect, unless it is sent again. */

import type { Activity } from '@murmuration/activitypub/vocabulary/activity'
import { originOf, sameOrigin, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import type { Context } from '../../context.js'
import { activityKey } from '../inbox.store.js'
import { transition } from '../state.rules.js'
import { microsOf } from '../state-facts.rules.js'
import { activitiesOf, markUndone, undoneStateOf, undoTargetOf } from '../undo.store.js'
import { type Delivery, tryLater } from './received.js'

const keyOf = (id: Uri): Buffer => activityKey(originOf(id) as string, id)

/** Key of the activity that an Undo names. Null for other types, and for an activity of another origin. */
export const undoneBy = (activity: Activity): Buffer | null => {
  if (activity.type !== 'Undo') return null
  const id = activity.inner?.id ?? activity.object.id
  return id !== null && sameOrigin(id, activity.actor) ? keyOf(id) : null
}

/**
 * Whether the actor has undone this activity, or sent it again since. Throws while an Undo is processed before which the
 * activity was sent again, because the Undo would end it otherwise.
 */
export const undoneBefore = async (
  ctx: Pick<Context, 'db'>,
  { id, actor }: Activity,
): Promise<'undone' | 'again' | 'not'> => {
  const state = id === null ? 'not' : await undoneStateOf(ctx.db, keyOf(id), actor)
  if (state === 'undoing') throw tryLater('the Undo before this redelivery is still being processed')
  return state
}

/** True if the actor has undone this activity. Throws like `undoneBefore`. */
export const isUndone = async (ctx: Pick<Context, 'db'>, activity: Activity): Promise<boolean> =>
  (await undoneBefore(ctx, activity)) === 'undone'

/** Target of an Undo: `again` was sent again and stays, `here` had an effect before, `unseen` may arrive later. */
export type Undone = 'again' | 'here' | 'unseen'

/** Records that the actor has undone this activity. Throws while the activity waits: its job may have started without the Undo. */
export const noteUndone = async (ctx: Pick<Context, 'db'>, id: Uri | null, actor: Uri): Promise<Undone> => {
  if (id === null || !sameOrigin(id, actor)) return 'unseen'
  const key = keyOf(id)
  await markUndone(ctx.db, key, actor)
  const { state, late } = await undoTargetOf(ctx.db, key, actor)
  if (state === 'waiting') throw tryLater('the undone activity is still being processed')
  if (state === 'again') return 'again'
  return late ? 'here' : 'unseen'
}

/** Parameters of the request to the owner: it replaces the activity of `instead` as well as the one of the request. */
interface Exact {
  readonly exact: true
  readonly instead?: string
}

const MOST_TRIES = 5

/**
 * Applies an activity unless the actor has since sent a newer one for the same object. `apply` returns the id of the activity
 * that exists, and replaces the one that it is given back. An Undo also changes nothing if its target was known: then the
 * existing activity is another one.
 */
export const unlessNewer = async <T extends { outcome: string; other?: string | undefined }>(
  ctx: Pick<Context, 'db'>,
  { activity, delivery }: { activity: Pick<Activity, 'actor'>; delivery: Delivery },
  apply: (how: Exact) => Promise<T>,
  undone: Uri | null = null,
): Promise<T | { outcome: 'unchanged' }> => {
  const { actor } = activity
  // An activity that another server passed on may be of any age.
  const signedAt = microsOf(delivery.signedAt ?? new Date(0))
  let result = await apply({ exact: true })
  // Another activity may take the place meanwhile.
  for (let tries = 0; ; tries++) {
    const { other } = result
    if (result.outcome !== 'other' || other === undefined) return result
    if (tries === MOST_TRIES) throw tryLater('the existing activity changes repeatedly')
    const keys = [keyOf(other as Uri), undone === null ? null : keyOf(undone)]
    const [existing = null, target = null] = await activitiesOf(ctx.db, keys, actor)
    if (transition('existing', { existing, undone: target, signedAt }) === 'keep') return { outcome: 'unchanged' }
    result = await apply({ exact: true, instead: other })
  }
}

/** Records that the target of an Undo had an effect, although its row was deleted: the actor may send it again. */
export const noteHere = async (ctx: Pick<Context, 'db'>, id: Uri | null, actor: Uri): Promise<void> => {
  if (id !== null && sameOrigin(id, actor)) await markUndone(ctx.db, keyOf(id), actor, true)
}
