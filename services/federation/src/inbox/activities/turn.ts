/** What one actor says of one thing takes effect in the order in which it was signed; what was overtaken does nothing when it comes. */

import type { Activity, ActivityOf } from '@murmuration/activitypub/vocabulary/activity'
import { hashtagOf } from '@murmuration/activitypub/vocabulary/read-featured-tags'
import { normaliseTag } from '@murmuration/text'
import type { Context } from '../../context.js'
import { giveTurn, isOvertaken, noteWord, takeTurn, type Word } from '../last-word.store.js'
import { ignored, type Outcome } from './outcome.js'
import { type Letter, tryLater } from './received.js'

type Turning = Pick<Context, 'db' | 'clock'>

/** An activity with the letter that brought it. */
interface Said {
  readonly activity: Pick<Activity, 'actor'>
  readonly letter: Letter
}

/** A clock may be ahead by so much; what claims to be from later was said when it came. */
const AHEAD_MS = 60_000

const wordOf = ({ activity, letter: { id, keptAt, signedAt } }: Said, thing: string): Word => ({
  actor: activity.actor,
  thing,
  holder: `${id} ${keptAt.toISOString()}`,
  signedAt: signedAt !== null && signedAt.getTime() - keptAt.getTime() > AHEAD_MS ? keptAt : signedAt,
})

/** How long another one is waited for here, and how often it is looked whether it is done; after that this one comes again later. */
const PATIENCE_MS = 1_000
const LOOK_MS = 40

/** Those of this process that wait for the turn of a thing: each waits for the one before it, and the first asks the database. */
const waiting = new Map<string, Promise<void>>()

const askAgain = async (ctx: Turning, word: Word, end: number): Promise<'mine' | 'over' | 'taken'> => {
  for (;;) {
    const turn = await takeTurn(ctx.db, word)
    if (turn !== 'taken' || performance.now() > end) return turn
    await ctx.clock.sleep(LOOK_MS * (0.5 + Math.random()))
  }
}

const awaitTurn = async (ctx: Turning, word: Word): Promise<'mine' | 'over' | 'taken'> => {
  const end = performance.now() + PATIENCE_MS
  const name = `${word.actor} ${word.thing}`
  const before = waiting.get(name)
  const first = before === undefined ? await takeTurn(ctx.db, word) : 'taken'
  if (first !== 'taken') return first
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.set(name, promise)
  try {
    await Promise.race([before, ctx.clock.sleep(PATIENCE_MS)])
    return await askAgain(ctx, word, end)
  } finally {
    resolve()
    if (waiting.get(name) === promise) waiting.delete(name)
  }
}

/**
 * Works on what was said of a thing while nobody else does, unless the actor said something of it that was signed later, or
 * ended it. What is refused was never said, unless it takes away: what is not there is refused, too. Throws while another
 * activity about it is worked on. `ends`: nothing is said of the thing afterwards.
 */
export const inTurn = async <T extends Outcome | null>(
  ctx: Turning,
  said: Said,
  { thing, ends = false, takesAway = ends }: { thing: string; ends?: boolean; takesAway?: boolean },
  work: () => Promise<T>,
): Promise<T | Outcome> => {
  const word = { ...wordOf(said, thing), ends }
  const turn = await awaitTurn(ctx, word)
  if (turn === 'taken') throw tryLater('what was said of it before is still being worked on')
  if (turn === 'over') return ignored('overtaken')
  let counts = false
  try {
    const outcome = await work()
    counts = takesAway || outcome?.outcome !== 'refused'
    return outcome
  } finally {
    await giveTurn(ctx.db, word, counts)
  }
}

const itemsOf = (collection: string): string => `items of ${collection}`

/** Remembers that something was said of what is in a collection. */
export const noteItems = (ctx: Turning, said: Said, collection: string): Promise<void> =>
  noteWord(ctx.db, wordOf(said, itemsOf(collection)))

/** Whether the actor said something of what is in the collection that was signed after this: so the whole of it is old. */
export const areItemsNewer = (ctx: Turning, said: Said, collection: string): Promise<boolean> =>
  isOvertaken(ctx.db, wordOf(said, itemsOf(collection)))

const wordsOf = (status: string): string => `words of ${status}`

/** Remembers that the actor said new words of a status that is not here. */
export const noteWords = (ctx: Turning, said: Said, status: string): Promise<void> =>
  noteWord(ctx.db, wordOf(said, wordsOf(status)))

/** Whether it did, whenever that was: what comes late is signed anew. */
export const hasNewWords = (ctx: Turning, said: Said, status: string): Promise<boolean> =>
  isOvertaken(ctx.db, { ...wordOf(said, wordsOf(status)), signedAt: null })

/** What is put into a list or taken out of it: a thing with an address is in one list only, a hashtag has none. */
export const listedIn = ({ object, target }: ActivityOf<'Add' | 'Remove'>): string | null => {
  const name = hashtagOf(object.node)
  return name === null ? object.id : `${target} ${normaliseTag(name)}`
}
