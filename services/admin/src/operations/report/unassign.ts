/** Nobody has the report any more. */
import { adminReportUnassign } from '@murmuration/contracts/admin'
import { changeReport } from '../../changes/change-report.js'
import { handle } from '../../doors.js'

export const unassign = handle(adminReportUnassign, (ctx, viewer, { id }) =>
  changeReport(ctx, viewer, id, 'unassigned_report', () => ({ assigned_account_id: null })),
)
