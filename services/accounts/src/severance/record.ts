/** Stores which follows a decision is about to end, and announces the loss to the local accounts, in the transaction of the caller. */
import { relationshipsSevered } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import type { Pair } from '../core/follow/store.js'
import { insertLost, type Lost, lostIn, putSeverances, type SeveringDecision } from './store.js'

const keyOf = (account: string, cause: string): string => `${account} ${cause}`

/** Number of lost followees and followers per account and decision. */
const countsOf = (lost: readonly (Lost & { decision: SeveringDecision })[]) => {
  const groups = Map.groupBy(lost, (one) => keyOf(one.account_id, one.decision.cause))
  return [...groups.values()].flatMap((own) =>
    own.slice(0, 1).map(({ account_id, decision }) => {
      const following = own.filter((one) => one.following).length
      return { ...decision, account: account_id, following, followers: own.length - following }
    }),
  )
}

/**
 * Stores the severed follows. The record must be made before the follows end. Accounts without a loss get no event.
 * `decision`: one decision for all pairs, or a function that returns the decision of each lost follow.
 */
export const recordSevered = async (
  ctx: Pick<Context, 'announce' | 'ids' | 'clock'>,
  tx: Tx,
  decision: SeveringDecision | ((lost: Lost) => SeveringDecision),
  pairs: readonly Pair[],
): Promise<void> => {
  const found = await lostIn(tx, pairs)
  if (found.length === 0) return
  const lost = found.map((one) => ({ ...one, decision: typeof decision === 'function' ? decision(one) : decision }))
  const fresh = countsOf(lost).map((one) => ({ ...one, id: ctx.ids.next() }))
  const rows = await putSeverances(tx, fresh, ctx.clock.date())
  const ids = new Map(rows.map((row) => [keyOf(row.account_id, row.cause), row.id]))
  await insertLost(
    tx,
    lost.flatMap(({ decision: { cause }, ...one }) => {
      const severance = ids.get(keyOf(one.account_id, cause))
      return severance === undefined ? [] : [{ ...one, severance }]
    }),
  )
  await ctx.announce(tx, relationshipsSevered, ...rows.map((row) => ({ id: row.id, account: row.account_id })))
}
