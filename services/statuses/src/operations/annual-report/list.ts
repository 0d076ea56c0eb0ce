/** Reports that the viewer has not read. */
import { listAnnualReports } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { unreadReports } from '../../store/annual-report.js'
import { showReports } from '../../views/annual-report.js'

export const list = handle(listAnnualReports, async (ctx, viewer) =>
  showReports(ctx, viewer.id, await unreadReports(ctx.db, viewer.id)),
)
