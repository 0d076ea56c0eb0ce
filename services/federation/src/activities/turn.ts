/** What one actor says of one thing takes effect in the order in which it was signed; what was overtaken does nothing when it comes. */
import { normaliseTag } from '@murmuration/text'
import type { Context } from '../context.js'
import { giveTurn, takeTurn, type Word } from '../store/last-word.js'
import type { Activity, ActivityOf } from '../vocabulary/activity.js'
import { hashtagOf } from '../vocabulary/read-featured-tags.js'
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

/** Of each thing one activity waits in this process, so that nobody holds many hands with what they say of one thing. */
const waiting = new Set<string>()

const awaitTurn = async (ctx: Turning, word: Word): Promise<'mine' | 'over' | 'taken'> => {
  const first = await takeTurn(ctx.db, word)
  const name = `${word.actor} ${word.thing}`
  if (first !== 'taken' || waiting.has(name)) return first
  waiting.add(name)
  const end = performance.now() + PATIENCE_MS
  try {
    for (;;) {
      await ctx.clock.sleep(LOOK_MS * (0.5 + Math.random()))
      const turn = await takeTurn(ctx.db, word)
      if (turn !== 'taken' || performance.now() > end) return turn
    }
  } finally {
    waiting.delete(name)
  }
}

/**
 * Works on what was said of a thing while nobody else does, unless the actor said something of it that was signed later, or
 * ended it. Throws while another activity about it is worked on. `ends`: nothing is said of the thing afterwards.
 */
export const inTurn = async <T>(
  ctx: Turning,
  said: Said,
  { thing, ends = false }: { thing: string; ends?: boolean },
  work: () => Promise<T>,
): Promise<T | Outcome> => {
  const word = wordOf(said, thing)
  const turn = await awaitTurn(ctx, { ...word, ends })
  if (turn === 'taken') throw tryLater('what was said of it before is still being worked on')
  if (turn === 'over') return ignored('overtaken')
  try {
    return await work()
  } finally {
    await giveTurn(ctx.db, word)
  }
}

/** What is put into a list or taken out of it: a thing with an address is in one list only, a hashtag has none. */
export const listedIn = ({ object, target }: ActivityOf<'Add' | 'Remove'>): string | null => {
  const name = hashtagOf(object.node)
  return name === null ? object.id : `${target} ${normaliseTag(name)}`
}
