/** Deeds and their undoing may come in any order: what was taken back before it came does nothing. */
import type { Context } from '../context.js'
import { activityKey, markUndone, standingOf, wasUndone } from '../store/inbox.js'
import type { Activity } from '../vocabulary/activity.js'
import { originOf, sameOrigin, type Uri } from '../vocabulary/uri.js'
import { tryLater } from './received.js'

const keyOf = (id: Uri): Buffer => activityKey(originOf(id) as string, id)

/** True when the same actor has already taken this very activity back. */
export const isUndone = async (ctx: Pick<Context, 'db'>, activity: Activity): Promise<boolean> =>
  activity.id !== null && (await wasUndone(ctx.db, keyOf(activity.id), activity.actor))

/**
 * Remembers that the actor took this activity back. Throws while the activity itself waits to be worked on: whoever works
 * on it has begun without knowing, so the undoing comes again after it.
 */
export const noteUndone = async (ctx: Pick<Context, 'db'>, id: Uri | null, actor: Uri): Promise<void> => {
  if (id === null || !sameOrigin(id, actor)) return
  const key = keyOf(id)
  await ctx.db.tx((tx) => markUndone(tx, key, actor))
  if ((await standingOf(ctx.db, key, actor)) === 'waiting') throw tryLater('what is undone is still being worked on')
}
