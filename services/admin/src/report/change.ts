/** Changes one report for a moderator: lock, change, audit log, and response. */
import type { AuditAction } from '@murmuration/contracts/admin'
import type { AdminReport } from '@murmuration/contracts/entities'
import { type Json, notFound, type Viewer } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { record } from '../core/audit-log/record.js'
import { lockReport, type ReportRow, updateReport } from '../core/report.store.js'
import { announceReports } from './announce.js'
import { showAdminReport } from './show.js'

type Changes = Partial<
  Pick<ReportRow, 'category' | 'rule_ids' | 'assigned_account_id' | 'action_taken_at' | 'action_taken_by_account_id'>
>

/**
 * Changes a report. Adds an entry to the audit log even if the report does not change, because the log records the
 * action.
 */
export const changeReport = async (
  ctx: Context,
  by: Viewer,
  id: string,
  action: AuditAction,
  change: (row: ReportRow, tx: Tx) => Changes | Promise<Changes>,
): Promise<Json<AdminReport>> => {
  const row = await ctx.db.tx(async (tx) => {
    const before = await lockReport(tx, id)
    if (!before) throw notFound()
    const changes = await change(before, tx)
    const after = { ...before, ...changes, updated_at: ctx.clock.date() }
    await updateReport(tx, after)
    // If only the assigned moderator changes, no event is published.
    if ('category' in changes || 'action_taken_at' in changes) await announceReports(ctx, tx, [after])
    const kept = Object.fromEntries(Object.keys(changes).map((name) => [name, before[name as keyof Changes]]))
    await record(ctx, tx, by, { action, targetId: id, target: `#${id}`, before: kept, after: changes })
    return after
  })
  return showAdminReport(ctx, by, row)
}
