/** Handlers that limit, disable or suspend accounts, and handlers that end these states. */
import {
  actOnAccount,
  enableAccount,
  unsensitizeAccount,
  unsilenceAccount,
  unsuspendAccount,
} from '@murmuration/contracts/admin'
import { notFound, type Viewer } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import { readTime } from '@murmuration/text'
import type { Context } from '../context.js'
import { type Action, actionOf, checkAct } from '../core/account-action.rules.js'
import { moderatedAccount } from '../core/admin-account.js'
import { type ReportRow, reportById } from '../core/report.store.js'
import { handle } from '../handlers.js'
import { resolveReportsOf } from '../report/index.js'
import { addStrikes } from '../strike/index.js'
import { actionText } from '../warning-preset/index.js'
import { carryOut, decide, endState } from './decide.js'

/** Report to which a moderation action refers. Throws 404 unless the report is about the account of the action. */
const reportFor = async (ctx: Context, id: string | null | undefined, target: string): Promise<ReportRow | null> => {
  if (id === null || id === undefined) return null
  const report = await reportById(ctx.db, id)
  if (report?.target_account_id !== target) throw notFound()
  return report
}

/**
 * Resolves reports after a moderation action: a restriction resolves every open report about the account, a warning
 * only the report that it names.
 */
const resolveReports = async (
  ctx: Context,
  tx: Tx,
  by: Viewer,
  target: string,
  given: { action: Action; report: ReportRow | null; at: Date },
): Promise<void> => {
  const { action, report, at } = given
  if (action !== 'none') await resolveReportsOf(ctx, tx, by, { targets: [target], only: null, at })
  else if (report !== null) await resolveReportsOf(ctx, tx, by, { targets: [target], only: report.id, at })
}

export const act = handle(actOnAccount, async (ctx, staff, input) => {
  // `viewer` is null for operators, who have no account. An action of an operator creates no strike and resolves no
  // report.
  const viewer: Viewer | null = staff
  const target = await moderatedAccount(ctx, input.id)
  const action = actionOf(input.type)
  checkAct(viewer, action, target.position)
  const text = await actionText(ctx, input)
  const report = await reportFor(ctx, input.report_id, target.id)
  await ctx.db.tx(async (tx) => {
    const stamp =
      action === 'none' ? null : await decide(ctx, tx, viewer, target, { state: action, wanted: true, reason: text })
    if (viewer === null) return
    const statusIds = report?.status_ids ?? []
    const at = stamp === null ? ctx.clock.date() : new Date(readTime(stamp))
    const given = { action, text, report, statusIds, stamp, notify: input.send_email_notification, at }
    await addStrikes(ctx, tx, viewer, [target], given)
    await resolveReports(ctx, tx, viewer, target.id, given)
  })
  if (action !== 'none') await carryOut(ctx, target.id, action)
  return {}
})

/** Lets a disabled account sign in again. */
export const enable = handle(enableAccount, (ctx, viewer, { id }) => endState(ctx, viewer, id, 'disable'))

/** Ends the marking of all media of the account as sensitive. */
export const unsensitive = handle(unsensitizeAccount, (ctx, viewer, { id }) => endState(ctx, viewer, id, 'sensitive'))

/** Ends the limit (silence) of the account. */
export const unsilence = handle(unsilenceAccount, (ctx, viewer, { id }) => endState(ctx, viewer, id, 'silence'))

/** Ends the suspension of the account. */
export const unsuspend = handle(unsuspendAccount, (ctx, viewer, { id }) => endState(ctx, viewer, id, 'suspend'))
