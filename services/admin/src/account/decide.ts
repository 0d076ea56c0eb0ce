/**
 * Final decisions about accounts (approval, rejection, deletion): stored and logged once, then applied. A job applies a
 * decision whose request failed.
 */
import {
  type AdminRecord,
  approveRegistration,
  deleteModeratedAccount,
  MAX_MODERATED,
  moderateAccount,
  rejectRegistration,
} from '@murmuration/contracts/accounts'
import { applyFinalDecision, applyFinalDecisions } from '@murmuration/contracts/admin'
import { fail, type Viewer } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import { chunk } from '@murmuration/flow'
import type { Context } from '../context.js'
import { moderatedAccount, moderatedAccounts } from '../core/admin-account.js'
import { record } from '../core/audit-log/record.js'
import { dropDeletions } from '../core/decision.store.js'
import { auditNameOf, checkDecision } from './rules.js'
import { type AccountDecision, insertDecisions, isDecided } from './store.js'

const APPLY = { approve: approveRegistration, reject: rejectRegistration, delete: deleteModeratedAccount }

/**
 * Applies a decision through the accounts service. A repetition is safe, because the accounts service changes nothing
 * the second time. The record of a deletion without effect is deleted if the account exists, so that a later deletion
 * is a new decision.
 */
export const applyDecision = async (
  ctx: Pick<Context, 'call' | 'db'>,
  account: string,
  decision: AccountDecision,
): Promise<void> => {
  const { changed } = await ctx.call(APPLY[decision], { id: account })
  if (decision !== 'delete' || changed || !(await moderatedAccounts(ctx, [account])).has(account)) return
  await ctx.db.tx((tx) => dropDeletions(tx, [account]))
}

/** Approves or rejects several sign-ups in one request to the accounts service. */
export const applyDecisions = async (
  ctx: Pick<Context, 'call'>,
  accounts: string[],
  decision: 'approve' | 'reject',
): Promise<void> => {
  await ctx.call(APPLY[decision], { ids: accounts })
}

/**
 * Stores one decision about several accounts, with its audit log entries. Returns the accounts for which the decision
 * was not stored before.
 */
const storeDecisions = async (
  ctx: Context,
  tx: Tx,
  by: Viewer | null,
  targets: readonly AdminRecord[],
  { decision, reason, batchId }: { decision: AccountDecision; reason?: string | null; batchId?: string },
): Promise<Set<string>> => {
  const row = { accounts: targets.map(({ id }) => id), decision, by: by?.id ?? null, at: ctx.clock.date() }
  const stored = await insertDecisions(tx, row)
  const fresh = targets.filter(({ id }) => stored.has(id))
  const action = auditNameOf(decision)
  await record(
    ctx,
    tx,
    by,
    ...fresh.map(({ id, account }) => ({ action, targetId: id, target: account.account.acct, reason, batchId })),
  )
  return stored
}

/**
 * Approves or rejects sign-ups in the transaction of a bulk action; jobs apply the decisions. Returns the accounts
 * without an earlier decision.
 */
export const decideSignUps = async (
  ctx: Context,
  tx: Tx,
  by: Viewer | null,
  targets: readonly AdminRecord[],
  order: { decision: 'approve' | 'reject'; reason: string | null; batchId: string },
): Promise<Set<string>> => {
  const stored = await storeDecisions(ctx, tx, by, targets, order)
  const jobs = chunk([...stored], MAX_MODERATED).map((accounts) => ({ accounts, verdict: order.decision }))
  await ctx.queue(tx, applyFinalDecisions, ...jobs)
  return stored
}

const store = (ctx: Context, by: Viewer | null, target: AdminRecord, decision: AccountDecision): Promise<void> =>
  ctx.db.tx(async (tx) => {
    const stored = await storeDecisions(ctx, tx, by, [target], { decision })
    if (stored.size > 0) await ctx.queue(tx, applyFinalDecision, { account: target.id, verdict: decision })
    else if (!(await isDecided(tx, target.id, decision))) throw fail('forbidden', 'This action is not allowed')
  })

/**
 * Approves, rejects or deletes an account. Throws 404 for an unknown account, and 403 if the action is not permitted.
 * `by` is null for operators.
 */
export const decideAccount = async (
  ctx: Context,
  by: Viewer | null,
  id: string,
  decision: AccountDecision,
): Promise<void> => {
  const target = await moderatedAccount(ctx, id)
  checkDecision(by, decision, target)
  // The accounts service deletes suspended accounts only. The suspension before a deletion gets no audit log entry,
  // because the deletion has one.
  if (decision === 'delete' && !target.account.suspended)
    await ctx.call(moderateAccount, { id, action: 'suspend', stamp: ctx.clock.date().toISOString() })
  await store(ctx, by, target, decision)
  await applyDecision(ctx, id, decision).catch((error) =>
    ctx.log.warn({ error, account: id, verdict: decision }, 'a decision about an account is applied later'),
  )
}
