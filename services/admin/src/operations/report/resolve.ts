/** The report is done; who did it first stays. */
import { adminReportResolve } from '@murmuration/contracts/admin'
import { changeReport } from '../../changes/change-report.js'
import { handle } from '../../doors.js'

export const resolve = handle(adminReportResolve, (ctx, viewer, { id }) =>
  changeReport(ctx, viewer, id, 'resolve_report', (row) => ({
    action_taken_at: row.action_taken_at ?? ctx.clock.date(),
    action_taken_by_account_id: row.action_taken_by_account_id ?? viewer.id,
  })),
)
