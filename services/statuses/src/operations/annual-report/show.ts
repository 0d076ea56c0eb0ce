/** The report about one year. */
import { notFound } from '@murmuration/contracts/kit'
import { showAnnualReport } from '@murmuration/contracts/statuses'
import { readYear } from '../../domain/annual-report.js'
import { handle } from '../../doors.js'
import { reportOf } from '../../store/annual-report.js'
import { showReports } from '../../views/annual-report.js'

export const show = handle(showAnnualReport, async (ctx, viewer, { year }) => {
  const wanted = readYear(year)
  const row = wanted === null ? null : await reportOf(ctx.db, viewer.id, wanted)
  if (!row?.data) throw notFound()
  return showReports(ctx, viewer.id, [row])
})
