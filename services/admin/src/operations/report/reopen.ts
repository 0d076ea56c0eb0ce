/** The report is open again. */
import { adminReportReopen } from '@murmuration/contracts/admin'
import { changeReport } from '../../changes/change-report.js'
import { handle } from '../../doors.js'

export const reopen = handle(adminReportReopen, (ctx, viewer, { id }) =>
  changeReport(ctx, viewer, id, 'reopen_report', () => ({ action_taken_at: null, action_taken_by_account_id: null })),
)
