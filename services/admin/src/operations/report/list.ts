/** Reports, newest first. */
import { adminReportList } from '@murmuration/contracts/admin'
import { pageReply } from '@murmuration/contracts/kit'
import { endsOf } from '@murmuration/db'
import { handle } from '../../doors.js'
import { reportPage } from '../../store/report.js'
import { showAdminReports } from '../../views/admin-report.js'

export const list = handle(adminReportList, async (ctx, viewer, input) => {
  const which = input.resolved ? (input.unresolved ? 'all' : 'resolved') : 'open'
  const filter = { which, account: input.account_id, target: input.target_account_id } as const
  const rows = await reportPage(ctx.db, filter, input)
  return pageReply(
    adminReportList.output,
    await showAdminReports(ctx, viewer, rows),
    endsOf(
      rows.map((row) => row.id),
      input,
    ),
  )
})
