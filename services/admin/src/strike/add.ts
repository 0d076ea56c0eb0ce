/** Stores a strike with its action, announces it, and resolves the reports that the action answers. */
import type { AdminRecord } from '@murmuration/contracts/accounts'
import { strikeCreated } from '@murmuration/contracts/admin'
import type { WarningAction } from '@murmuration/contracts/entities'
import type { Viewer } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import { record } from '../audit-log/index.js'
import { tellReports } from '../changes/tell-reports.js'
import type { Context } from '../context.js'
import { type ReportRow, resolveReports } from '../store/report.js'
import { insertStrike } from './store.js'

export interface NewAction {
  action: WarningAction
  text: string
  report: ReportRow | null
  statusIds: string[]
  /** Stamp of the decision that the action caused; null if it caused none. */
  stamp: string | null
  /** The account holder is notified and receives an e-mail. */
  notify: boolean
}

/** Adds the strike in the transaction of its action. */
export const addStrike = async (
  ctx: Context,
  tx: Tx,
  by: Viewer,
  target: AdminRecord,
  given: NewAction,
): Promise<string> => {
  const { action, text, report, stamp } = given
  const row = {
    id: ctx.ids.next(),
    account_id: by.id,
    target_account_id: target.id,
    action,
    text,
    report_id: report?.id ?? null,
    status_ids: given.statusIds,
    stamp,
    created_at: ctx.clock.date(),
  }
  await insertStrike(tx, row)
  // Other actions are logged by their own names.
  if (action === 'none' && text !== '')
    await record(ctx, tx, by, {
      action: 'create_account_warning',
      targetId: target.id,
      target: target.account.account.acct,
      after: { strike_id: row.id, report_id: row.report_id, text },
      reason: text,
    })
  const targetLocal = target.account.domain === null
  await ctx.announce(tx, strikeCreated, {
    id: row.id,
    target: target.id,
    targetLocal,
    action,
    text,
    statusIds: row.status_ids,
    tell: targetLocal && given.notify,
  })
  return row.id
}

/** Resolves open reports about an account, or one of them, and records each in the audit log. */
export const resolveReportsOf = async (
  ctx: Context,
  tx: Tx,
  by: Viewer,
  which: { target: string; only: string | null },
): Promise<void> => {
  const at = ctx.clock.date()
  const resolved = await resolveReports(tx, which, by.id, at)
  await tellReports(ctx, tx, resolved)
  await record(
    ctx,
    tx,
    by,
    ...resolved.map(({ id }) => ({
      action: 'resolve_report' as const,
      targetId: id,
      target: `#${id}`,
      before: { action_taken_at: null, action_taken_by_account_id: null },
      after: { action_taken_at: at, action_taken_by_account_id: by.id },
    })),
  )
}
