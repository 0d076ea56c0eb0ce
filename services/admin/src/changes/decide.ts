/** A decision about an account: stored with its job, then carried out at once, so that the answer already shows it. */

import type { AdminRecord } from '@murmuration/contracts/accounts'
import { settleAccount } from '@murmuration/contracts/admin'
import type { AdminAccount } from '@murmuration/contracts/entities'
import { type Json, toJson, type Viewer } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import { record } from '../audit-log/index.js'
import type { Context } from '../context.js'
import { auditNameOf, checkLift, moderationOf, type State } from '../domain/account-action.js'
import { putDecision } from '../store/decision.js'
import { moderatedAccount } from '../views/admin-account.js'
import { keepOut } from './keep-out.js'
import { settleAccountNow } from './settle-account.js'

/** The states that moderators change, as they are now. */
const statesOf = ({ account }: AdminRecord) => ({
  disabled: account.disabled,
  sensitized: account.sensitized,
  silenced: account.silenced,
  suspended: account.suspended,
})

/** Notes the decision, the deed and the job in one transaction. */
export const decide = async (
  ctx: Context,
  tx: Tx,
  by: Viewer | null,
  target: AdminRecord,
  decision: { state: State; wanted: boolean },
): Promise<void> => {
  const { state, wanted } = decision
  if (state === 'suspend') await keepOut(ctx, tx, target, wanted)
  await putDecision(tx, target.id, state, { wanted, stamp: ctx.clock.date().toISOString() })
  await record(ctx, tx, by, {
    action: auditNameOf(state, wanted),
    targetId: target.id,
    target: target.account.account.acct,
    before: statesOf(target),
    after: { action: moderationOf(state, wanted) },
  })
  await ctx.queue(tx, settleAccount, { account: target.id, state })
}

/** Carries a stored decision out now; when that fails, the job does it. */
export const carryOut = (ctx: Context, account: string, state: State): Promise<void> =>
  settleAccountNow(ctx, account, state).catch((error) =>
    ctx.log.warn({ error, account, state }, 'a decision about an account is carried out later'),
  )

/** Undoes one state of an account and returns how it is then. `by` is null for operators. */
export const lift = async (ctx: Context, by: Viewer | null, id: string, state: State): Promise<Json<AdminAccount>> => {
  const target = await moderatedAccount(ctx, id)
  checkLift(by, state, {
    position: target.position,
    local: target.account.domain === null,
    suspendedLocally: target.suspended_locally,
  })
  await ctx.db.tx((tx) => decide(ctx, tx, by, target, { state, wanted: false }))
  await carryOut(ctx, id, state)
  return toJson((await moderatedAccount(ctx, id)).account)
}
