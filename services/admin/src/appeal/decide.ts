/** Approves or rejects an appeal: decided once, with the strike overruled and its action undone on approval. */
import type { AdminRecord } from '@murmuration/contracts/accounts'
import { appealChanged } from '@murmuration/contracts/admin'
import { invalidField, notFound, type Viewer } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import { record } from '../audit-log/index.js'
import { carryOut, decide } from '../changes/decide.js'
import type { Context } from '../context.js'
import type { State } from '../domain/account-action.js'
import { lockDecisions } from '../store/decision.js'
import { lockStrike, overruleStrike, type StrikeRow, strikeOfAppeal } from '../strike/index.js'
import { moderatedAccounts } from '../views/admin-account.js'
import { checkDecider, stateAfter } from './rules.js'
import { lockAppeal, storeVerdict } from './store.js'

type Verdict = 'approved' | 'rejected'

/** The state that still exists because of this strike; null if it ended, or if a later action caused it. */
const stateToUndo = async (tx: Tx, strike: StrikeRow): Promise<State | null> => {
  const state = stateAfter(strike.action)
  if (state === null || strike.stamp === null) return null
  const decision = (await lockDecisions(tx, state, [strike.target_account_id])).get(strike.target_account_id)
  return decision?.wanted && decision.stamp === strike.stamp ? state : null
}

/** Undoes the action, and returns the state that ended. An account that no longer exists has none. */
const undoAction = async (
  ctx: Context,
  tx: Tx,
  by: Viewer | null,
  strike: StrikeRow,
  target: AdminRecord | undefined,
): Promise<State | null> => {
  const state = await stateToUndo(tx, strike)
  if (state === null || target === undefined) return null
  await decide(ctx, tx, by, target, { state, wanted: false })
  return state
}

/** Safe to repeat. Throws 404, 403 for the own appeal, and 422 if the appeal was decided differently. */
export const decideAppeal = async (
  ctx: Context,
  by: Viewer | null,
  id: string,
  verdict: Verdict,
): Promise<StrikeRow> => {
  const at = ctx.clock.date()
  const found = await strikeOfAppeal(ctx.db, id)
  if (!found) throw notFound()
  checkDecider(by, found.target_account_id)
  const target = (await moderatedAccounts(ctx, [found.target_account_id])).get(found.target_account_id)
  const ended = await ctx.db.tx(async (tx) => {
    const strike = await lockStrike(tx, found.id)
    const appeal = await lockAppeal(tx, id)
    if (!strike || !appeal) throw notFound()
    if (appeal.state === verdict) return null
    if (appeal.state !== 'pending') throw invalidField('Appeal was already decided')
    await storeVerdict(tx, { id, state: verdict, by: by?.id ?? null, at })
    const isApproved = verdict === 'approved'
    if (isApproved) await overruleStrike(tx, strike.id, at)
    await record(ctx, tx, by, {
      action: isApproved ? 'approve_appeal' : 'reject_appeal',
      targetId: strike.target_account_id,
      target: target?.account.account.acct ?? `#${strike.target_account_id}`,
      before: { appeal_id: id, strike_id: strike.id, state: 'pending', text: appeal.text, overruled_at: null },
      after: { appeal_id: id, strike_id: strike.id, state: verdict, overruled_at: isApproved ? at : null },
    })
    await ctx.announce(tx, appealChanged, {
      id,
      strike: strike.id,
      target: strike.target_account_id,
      action: strike.action,
      text: appeal.text,
      state: verdict,
    })
    return isApproved ? undoAction(ctx, tx, by, strike, target) : null
  })
  if (ended !== null) await carryOut(ctx, found.target_account_id, ended)
  const stored = await strikeOfAppeal(ctx.db, id)
  if (!stored) throw notFound()
  return stored
}
