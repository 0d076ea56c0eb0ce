/** An activity and its Undo may arrive in any order. An activity that arrives after its Undo has no effect, unless it is sent again. */

import type { Activity } from '@murmuration/activitypub/vocabulary/activity'
import { originOf, sameOrigin, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import type { Context } from '../../context.js'
import { activityKey } from '../inbox.store.js'
import { areKnown, deedOf, isSignedAfter, markUndone, undoneStateOf } from '../undone.store.js'
import { type Letter, tryLater } from './received.js'

const keyOf = (id: Uri): Buffer => activityKey(originOf(id) as string, id)

/** The key of what the activity takes back; null when it takes nothing back that could be its actor's. */
export const undoneBy = (activity: Activity): Buffer | null => {
  if (activity.type !== 'Undo') return null
  const id = activity.inner?.id ?? activity.object.id
  return id !== null && sameOrigin(id, activity.actor) ? keyOf(id) : null
}

/**
 * Whether the same actor has already taken this very activity back, or said it again since. Throws while that is still being
 * worked on and this was said again after it: the other way round it would be undone.
 */
export const undoneBefore = async (
  ctx: Pick<Context, 'db'>,
  { id, actor }: Activity,
): Promise<'undone' | 'again' | 'not'> => {
  const state = id === null ? 'not' : await undoneStateOf(ctx.db, keyOf(id), actor)
  if (state === 'undoing') throw tryLater('what was said before is still being undone')
  return state
}

/** True when the same actor has already taken this very activity back. Throws like the above. */
export const isUndone = async (ctx: Pick<Context, 'db'>, activity: Activity): Promise<boolean> =>
  (await undoneBefore(ctx, activity)) === 'undone'

/** What is undone: `again` was said once more meanwhile and stays, `here` was here before, `unseen` may come yet. */
export type Undone = 'again' | 'here' | 'unseen'

/**
 * Remembers that the actor took this activity back. Throws while the activity itself waits to be worked on: whoever works
 * on it has begun without knowing, so the undoing comes again after it.
 */
export const noteUndone = async (ctx: Pick<Context, 'db'>, id: Uri | null, actor: Uri): Promise<Undone> => {
  if (id === null || !sameOrigin(id, actor)) return 'unseen'
  const key = keyOf(id)
  await markUndone(ctx.db, key, actor)
  const { standing, late } = await deedOf(ctx.db, key, actor)
  if (standing === 'waiting') throw tryLater('what is undone is still being worked on')
  if (standing === 'again') return 'again'
  return late ? 'here' : 'unseen'
}

/** How it is asked for something: `instead` may stand there as well as what is meant. */
interface Asked {
  readonly exact: true
  readonly instead?: string
}

const MOST_TURNS = 5

/**
 * Does what one asks for unless another deed stands in its place that its actor signed after this one: then nothing changes.
 * Neither does it when the one that is `undone` was here, too: an Undo that is tried once more names the one before. `ask` says
 * which one stands, and takes the place of the one that is given back to it.
 */
export const unlessNewer = async <T extends { outcome: string; other?: string | undefined }>(
  ctx: Pick<Context, 'db'>,
  { activity, letter }: { activity: Pick<Activity, 'actor'>; letter: Letter },
  ask: (how: Asked) => Promise<T>,
  undone: Uri | null = null,
): Promise<T | { outcome: 'unchanged' }> => {
  const { actor } = activity
  let answer = await ask({ exact: true })
  // Another one may take that place while it is looked at.
  for (let turn = 0; ; turn++) {
    const { other } = answer
    if (answer.outcome !== 'other' || other === undefined) return answer
    if (turn === MOST_TURNS) throw tryLater('what stands there changes again and again')
    const standing = keyOf(other as Uri)
    if (undone !== null && (await areKnown(ctx.db, [keyOf(undone), standing], actor))) return { outcome: 'unchanged' }
    // What somebody passes on may be of any age.
    const isNewer = await isSignedAfter(ctx.db, standing, actor, letter.signedAt ?? new Date(0))
    if (isNewer) return { outcome: 'unchanged' }
    answer = await ask({ exact: true, instead: other })
  }
}

/** What was undone was here, though it came so long ago that nobody remembered: it may be said again. */
export const noteHere = async (ctx: Pick<Context, 'db'>, id: Uri | null, actor: Uri): Promise<void> => {
  if (id !== null && sameOrigin(id, actor)) await markUndone(ctx.db, keyOf(id), actor, true)
}
