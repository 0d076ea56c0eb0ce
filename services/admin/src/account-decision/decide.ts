/**
 * Stores decisions about accounts with audit log entries and jobs. Then applies them immediately, so that the response
 * shows them.
 */

import type { AdminRecord } from '@murmuration/contracts/accounts'
import type { AdminAccount } from '@murmuration/contracts/entities'
import { type Json, toJson, type Viewer } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { auditNameOf, checkEnd, type State } from '../core/account-action.rules.js'
import { mayBeRuled, stateAfter, stateOf, withDecision } from '../core/account-state.rules.js'
import { moderatedAccount } from '../core/admin-account.js'
import { record } from '../core/audit-log/record.js'
import { dropDeletions } from '../core/decision.store.js'
import { setEmailBlocks } from './block-email.js'
import { enforceDecision, queueEnforcement } from './enforce.js'
import { lockDecisions, putDecisions } from './store.js'

export interface Decision {
  state: State
  wanted: boolean
  /** Reason that staff entered. */
  reason?: string | undefined
  /** Id of the bulk action that the decision belongs to. */
  batchId?: string | undefined
}

/**
 * Stores one decision about a state of several accounts, with audit log entries and jobs. Returns the stamp (time) of
 * the decision.
 */
export const decideAll = async (
  ctx: Context,
  tx: Tx,
  by: Viewer | null,
  targets: readonly AdminRecord[],
  { state, wanted, reason, batchId }: Decision,
): Promise<string> => {
  if (targets.length === 0) return ctx.clock.date().toISOString()
  const ids = targets.map((target) => target.id)
  const decided = await lockDecisions(tx, state, ids)
  const now = ctx.clock.now()
  const stamp = new Date(now).toISOString()
  if (state === 'suspend') await setEmailBlocks(ctx, tx, targets, wanted)
  if (state === 'suspend' && !wanted) await dropDeletions(tx, ids)
  // Every decision, also a repeated decision, writes its stamp to the remote account. Therefore, if the account has
  // another stamp than the last decision of staff, a domain rule set the state later.
  const decisions = targets.map((read) => {
    const last = decided.get(read.id) ?? null
    const target = withDecision(read, state, last, now)
    return { target, last, decision: { wanted, stamp, replaces: wanted && mayBeRuled(target, state) } }
  })
  await putDecisions(
    tx,
    state,
    decisions.map(({ target, decision }) => ({ account: target.id, ...decision })),
  )
  await record(
    ctx,
    tx,
    by,
    ...decisions.map(({ target, last, decision }) => ({
      action: auditNameOf(state, wanted),
      targetId: target.id,
      target: target.account.account.acct,
      before: { ...stateOf(target), decision: last },
      after: { ...stateAfter(target, state, decision), decision },
      reason,
      batchId,
    })),
  )
  await queueEnforcement(ctx, tx, ids, state)
  return stamp
}

/** Like `decideAll`, for one account. */
export const decide = (
  ctx: Context,
  tx: Tx,
  by: Viewer | null,
  target: AdminRecord,
  decision: Decision,
): Promise<string> => decideAll(ctx, tx, by, [target], decision)

/** Applies a stored decision now. If the request to the accounts service fails, the queued job applies the decision. */
export const carryOut = (ctx: Context, account: string, state: State): Promise<void> =>
  enforceDecision(ctx, account, state).catch((error) =>
    ctx.log.warn({ error, account, state }, 'a decision about an account is carried out later'),
  )

/** Ends one state of an account, such as its suspension, and returns the account. `by` is null for operators. */
export const endState = async (
  ctx: Context,
  by: Viewer | null,
  id: string,
  state: State,
): Promise<Json<AdminAccount>> => {
  const target = await moderatedAccount(ctx, id)
  checkEnd(by, state, {
    position: target.position,
    local: target.account.domain === null,
    suspendedLocally: target.suspended_locally,
  })
  await ctx.db.tx((tx) => decide(ctx, tx, by, target, { state, wanted: false }))
  await carryOut(ctx, id, state)
  return toJson((await moderatedAccount(ctx, id)).account)
}
