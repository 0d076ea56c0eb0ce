/** One report with everything it names. */
import { adminReportShow } from '@murmuration/contracts/admin'
import { notFound } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { reportById } from '../../store/report.js'
import { showAdminReport } from '../../views/admin-report.js'

export const show = handle(adminReportShow, async (ctx, viewer, { id }) => {
  const row = await reportById(ctx.db, id)
  if (!row) throw notFound()
  return showAdminReport(ctx, viewer, row)
})
