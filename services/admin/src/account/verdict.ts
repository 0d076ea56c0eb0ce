/**
 * Final decisions about accounts (approval, rejection, deletion): stored and logged once, then applied. A job applies a
 * decision whose request failed.
 */
import {
  type AdminRecord,
  accountModerate,
  MAX_MODERATED,
  moderatedAccountDelete,
  registrationApprove,
  registrationReject,
} from '@murmuration/contracts/accounts'
import { settleVerdict, settleVerdicts } from '@murmuration/contracts/admin'
import { fail, type Viewer } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import { chunk } from '@murmuration/flow'
import type { Context } from '../context.js'
import { moderatedAccount, moderatedAccounts } from '../core/admin-account.js'
import { record } from '../core/audit-log/record.js'
import { dropDeletions } from '../core/verdict.store.js'
import { auditNameOf, checkVerdict } from './rules.js'
import { insertVerdicts, isDecided, type Verdict } from './store.js'

const APPLY = { approve: registrationApprove, reject: registrationReject, delete: moderatedAccountDelete }

/**
 * Applies a decision. A repetition is safe, because the accounts service changes nothing the second time. The record of
 * a deletion without effect is deleted if the account exists, so that a later deletion is a new decision.
 */
export const applyVerdict = async (
  ctx: Pick<Context, 'call' | 'db'>,
  account: string,
  verdict: Verdict,
): Promise<void> => {
  const { changed } = await ctx.call(APPLY[verdict], { id: account })
  if (verdict !== 'delete' || changed || !(await moderatedAccounts(ctx, [account])).has(account)) return
  await ctx.db.tx((tx) => dropDeletions(tx, [account]))
}

/** Approves or rejects several sign-ups in one request to the accounts service. */
export const applyVerdicts = async (
  ctx: Pick<Context, 'call'>,
  accounts: string[],
  verdict: 'approve' | 'reject',
): Promise<void> => {
  await ctx.call(APPLY[verdict], { ids: accounts })
}

/** Stores one decision about several accounts, with its audit log entries. Returns the accounts for which it was not stored before. */
const storeVerdicts = async (
  ctx: Context,
  tx: Tx,
  by: Viewer | null,
  targets: readonly AdminRecord[],
  { verdict, reason, batchId }: { verdict: Verdict; reason?: string | null; batchId?: string },
): Promise<Set<string>> => {
  const row = { accounts: targets.map(({ id }) => id), verdict, by: by?.id ?? null, at: ctx.clock.date() }
  const stored = await insertVerdicts(tx, row)
  const fresh = targets.filter(({ id }) => stored.has(id))
  const action = auditNameOf(verdict)
  await record(
    ctx,
    tx,
    by,
    ...fresh.map(({ id, account }) => ({ action, targetId: id, target: account.account.acct, reason, batchId })),
  )
  return stored
}

/** Approves or rejects sign-ups in the transaction of a bulk action; jobs apply it. Returns the accounts without an earlier decision. */
export const decideVerdicts = async (
  ctx: Context,
  tx: Tx,
  by: Viewer | null,
  targets: readonly AdminRecord[],
  decision: { verdict: 'approve' | 'reject'; reason: string | null; batchId: string },
): Promise<Set<string>> => {
  const stored = await storeVerdicts(ctx, tx, by, targets, decision)
  const { verdict } = decision
  const jobs = chunk([...stored], MAX_MODERATED).map((accounts) => ({ accounts, verdict }))
  await ctx.queue(tx, settleVerdicts, ...jobs)
  return stored
}

const store = (ctx: Context, by: Viewer | null, target: AdminRecord, verdict: Verdict): Promise<void> =>
  ctx.db.tx(async (tx) => {
    const stored = await storeVerdicts(ctx, tx, by, [target], { verdict })
    if (stored.size > 0) await ctx.queue(tx, settleVerdict, { account: target.id, verdict })
    else if (!(await isDecided(tx, target.id, verdict))) throw fail('forbidden', 'This action is not allowed')
  })

/** Approves, rejects or deletes an account. Throws 404 or 403. `by` is null for operators. */
export const decideVerdict = async (ctx: Context, by: Viewer | null, id: string, verdict: Verdict): Promise<void> => {
  const target = await moderatedAccount(ctx, id)
  checkVerdict(by, verdict, target)
  // The accounts service deletes suspended accounts only. The suspension before a deletion gets no audit log entry,
  // because the deletion has one.
  if (verdict === 'delete' && !target.account.suspended)
    await ctx.call(accountModerate, { id, action: 'suspend', stamp: ctx.clock.date().toISOString() })
  await store(ctx, by, target, verdict)
  await applyVerdict(ctx, id, verdict).catch((error) =>
    ctx.log.warn({ error, account: id, verdict }, 'a decision about an account is applied later'),
  )
}
