/** Undoes actions on reports: each entry restores the fields that it changed. */
import { type AuditAction, updateAdminReport } from '@murmuration/contracts/admin'
import { z } from 'zod'
import { lockReports, type ReportRow, updateReports } from '../core/report.store.js'
import { announceReports } from '../report/index.js'
import { batchReversal } from './batch.js'
import { recordedDate } from './row.js'

const Fields = z
  .object({
    category: z.enum(['other', 'spam', 'legal', 'violation']),
    rule_ids: z.array(z.string()),
    assigned_account_id: z.string().nullable(),
    action_taken_at: recordedDate().nullable(),
    action_taken_by_account_id: z.string().nullable(),
  })
  .partial()
type Fields = z.output<typeof Fields>

const OPPOSITE: Partial<Record<AuditAction, AuditAction>> = {
  resolve_report: 'reopen_report',
  reopen_report: 'resolve_report',
  assign_report: 'unassigned_report',
  assigned_to_self_report: 'unassigned_report',
}

export const reports = batchReversal<ReportRow, Fields>({
  needs: updateAdminReport,
  recorded: Fields,
  lock: lockReports,
  async store(ctx, tx, changes) {
    const at = ctx.clock.date()
    const rows = changes.flatMap(({ row, to }) => (row ? [{ ...row, ...(to as ReportRow), updated_at: at }] : []))
    await updateReports(tx, rows)
    await announceReports(ctx, tx, rows)
  },
  actionOf: ({ action }, to) => {
    const opposite = OPPOSITE[action]
    return opposite === undefined || (opposite === 'unassigned_report' && to?.assigned_account_id)
      ? 'update_report'
      : opposite
  },
})
