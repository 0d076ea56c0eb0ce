/** Notes which follows a decision is about to cut, and tells the people here who lose them, in the transaction of the caller. */
import { relationshipsSevered } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import type { Pair } from '../store/follow.js'
import { insertLost, type Lost, lostIn, putSeverances, type SeveranceKind } from '../store/severance.js'

export interface Decision {
  kind: SeveranceKind
  /** The domain or handle it is about. */
  target: string
  /** Names the decision, so that its pages belong together. */
  cause: string
}

const countsOf = (lost: readonly Lost[]): Map<string, { following: number; followers: number }> => {
  const counts = new Map<string, { following: number; followers: number }>()
  for (const one of lost) {
    const count = counts.get(one.account_id) ?? { following: 0, followers: 0 }
    if (one.following) count.following++
    else count.followers++
    counts.set(one.account_id, count)
  }
  return counts
}

/** Called before the follows end; who loses nothing is told nothing. */
export const noteSevered = async (
  ctx: Pick<Context, 'announce' | 'ids' | 'clock'>,
  tx: Tx,
  decision: Decision,
  pairs: readonly Pair[],
): Promise<void> => {
  const lost = await lostIn(tx, pairs)
  if (lost.length === 0) return
  const rows = await putSeverances(
    tx,
    { ...decision, at: ctx.clock.date() },
    [...countsOf(lost)].map(([account, count]) => ({ id: ctx.ids.next(), account, ...count })),
  )
  const ids = new Map(rows.map((row) => [row.account_id, row.id]))
  await insertLost(
    tx,
    lost.flatMap((one) => {
      const severance = ids.get(one.account_id)
      return severance === undefined ? [] : [{ ...one, severance }]
    }),
  )
  await ctx.announce(tx, relationshipsSevered, ...rows.map((row) => ({ id: row.id, account: row.account_id })))
}
