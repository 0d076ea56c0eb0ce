/** Carries out a final decision about an account: stored and logged once, then applied, by a job if that fails. */
import {
  type AdminRecord,
  accountModerate,
  moderatedAccountDelete,
  registrationApprove,
  registrationReject,
} from '@murmuration/contracts/accounts'
import { settleVerdict } from '@murmuration/contracts/admin'
import type { Viewer } from '@murmuration/contracts/kit'
import { record } from '../audit-log/index.js'
import type { Context } from '../context.js'
import { moderatedAccount } from '../views/admin-account.js'
import { auditNameOf, checkVerdict } from './rules.js'
import { insertVerdict, type Verdict } from './store.js'

const APPLY = { approve: registrationApprove, reject: registrationReject, delete: moderatedAccountDelete }

/** Applies a decision. Safe to repeat: accounts changes nothing the second time. */
export const applyVerdict = async (ctx: Pick<Context, 'call'>, account: string, verdict: Verdict): Promise<void> => {
  await ctx.call(APPLY[verdict], { id: account })
}

const store = (ctx: Context, by: Viewer | null, { id, account }: AdminRecord, verdict: Verdict): Promise<void> =>
  ctx.db.tx(async (tx) => {
    const row = { account: id, verdict, by: by?.id ?? null, at: ctx.clock.date() }
    if (!(await insertVerdict(tx, row))) return
    await record(ctx, tx, by, { action: auditNameOf(verdict), targetId: id, target: account.account.acct })
    await ctx.queue(tx, settleVerdict, { account: id, verdict })
  })

/** Approves, rejects or deletes an account. Throws 404 or 403. `by` is null for operators. */
export const decideVerdict = async (ctx: Context, by: Viewer | null, id: string, verdict: Verdict): Promise<void> => {
  const target = await moderatedAccount(ctx, id)
  checkVerdict(by, verdict, target)
  // Accounts deletes suspended accounts only. Without an entry of its own: the deletion has one.
  if (verdict === 'delete' && !target.account.suspended)
    await ctx.call(accountModerate, { id, action: 'suspend', stamp: ctx.clock.date().toISOString() })
  await store(ctx, by, target, verdict)
  await applyVerdict(ctx, id, verdict).catch((error) =>
    ctx.log.warn({ error, account: id, verdict }, 'a decision about an account is applied later'),
  )
}
