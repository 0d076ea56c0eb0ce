/** The moderator takes a report on. */
import { adminReportAssign } from '@murmuration/contracts/admin'
import { changeReport } from '../../changes/change-report.js'
import { handle } from '../../doors.js'

export const assignToSelf = handle(adminReportAssign, (ctx, viewer, { id }) =>
  changeReport(ctx, viewer, id, 'assigned_to_self_report', () => ({ assigned_account_id: viewer.id })),
)
