/** Undoes the action of an overruled strike, unless a later action replaced it. */
import type { AdminRecord } from '@murmuration/contracts/accounts'
import { enforceStatusDecision } from '@murmuration/contracts/admin'
import type { Viewer } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import { carryOut, decide, lockDecisions } from '../account-decision/index.js'
import type { Context } from '../context.js'
import type { State } from '../core/account-action.rules.js'
import { record } from '../core/audit-log/record.js'
import { applyStatuses, endMarks } from '../status-decision/index.js'
import type { StrikeRow } from '../strike/index.js'
import { stateAfter } from './rules.js'

/** Applies the undo after the commit and before the response. If a request fails, a job repeats the undo. */
type Apply = () => Promise<void>
const NOTHING: Apply = async () => {}

/**
 * The state of the account that still exists because of this strike; null if the state ended, or if a later action
 * caused it.
 */
const stateToUndo = async (tx: Tx, strike: StrikeRow): Promise<State | null> => {
  const state = stateAfter(strike.action)
  if (state === null || strike.stamp === null) return null
  const decision = (await lockDecisions(tx, state, [strike.target_account_id])).get(strike.target_account_id)
  return decision?.wanted && decision.stamp === strike.stamp ? state : null
}

/** Removes the marks of statuses as sensitive that this strike set and that no later decision replaced. */
const unmark = async (ctx: Context, tx: Tx, by: Viewer | null, strike: StrikeRow, target: AdminRecord) => {
  const of = { account_id: target.id, strike_id: strike.id }
  const ids = await endMarks(tx, strike.id, strike.status_ids)
  await record(
    ctx,
    tx,
    by,
    ...ids.map((id) => ({
      action: 'update_status' as const,
      targetId: id,
      target: target.account.account.acct,
      before: { ...of, sensitive: true },
      after: { ...of, strike_id: null, sensitive: false },
    })),
  )
  await ctx.queue(tx, enforceStatusDecision, { strike: strike.id })
}

/**
 * Stores the undo of the strike's action, in the transaction that overrules the strike. Returns a function that applies the undo after
 * the commit. Stores nothing for a deleted account, or if a later action replaced the action of the strike.
 */
export const undoAction = async (
  ctx: Context,
  tx: Tx,
  by: Viewer | null,
  strike: StrikeRow,
  target: AdminRecord | undefined,
): Promise<Apply> => {
  if (target === undefined) return NOTHING
  if (strike.action === 'mark_statuses_as_sensitive') {
    await unmark(ctx, tx, by, strike, target)
    return () => applyStatuses(ctx, strike.id)
  }
  const state = await stateToUndo(tx, strike)
  if (state === null) return NOTHING
  await decide(ctx, tx, by, target, { state, wanted: false })
  return () => carryOut(ctx, target.id, state)
}
