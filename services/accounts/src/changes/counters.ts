/** Moves counters with the change they count, and tells readers to forget the cards that show them. */
import { accountHint } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { type CounterMove, type Counters, moveCounters } from '../store/account-stats.js'
import type { Pair } from '../store/follow.js'

export const countAndForget = async (
  ctx: Pick<Context, 'hints'>,
  tx: Tx,
  moves: readonly CounterMove[],
): Promise<Map<string, Counters>> => {
  if (moves.length === 0) return new Map()
  const counters = await moveCounters(tx, moves)
  tx.onCommit(() => ctx.hints.send(accountHint, [...new Set(moves.map((one) => one.id))]))
  return new Map(counters.map((one) => [one.id, one]))
}

/** The moves of follows that began (`by` 1) or ended (`by` -1), one for each account. */
export const movesOfFollows = (pairs: readonly Pair[], by: 1 | -1): CounterMove[] => {
  const moves = new Map<string, { id: string; followers: number; following: number }>()
  const of = (id: string) => {
    const known = moves.get(id) ?? { id, followers: 0, following: 0 }
    moves.set(id, known)
    return known
  }
  for (const { from, to } of pairs) {
    of(from).following += by
    of(to).followers += by
  }
  return [...moves.values()]
}
