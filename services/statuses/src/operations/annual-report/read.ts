/** Marks a report as read. */
import { notFound } from '@murmuration/contracts/kit'
import { readAnnualReport } from '@murmuration/contracts/statuses'
import { readYear } from '../../domain/annual-report.js'
import { handle } from '../../doors.js'
import { markReportRead } from '../../store/annual-report.js'

export const read = handle(readAnnualReport, async (ctx, viewer, { year }) => {
  const wanted = readYear(year)
  if (wanted === null || !(await markReportRead(ctx.db, viewer.id, wanted, ctx.clock.date()))) throw notFound()
  return {}
})
