/** Whether there is a report about a year, or could be. */
import { annualReportState } from '@murmuration/contracts/statuses'
import { readYear } from '../../domain/annual-report.js'
import { handle } from '../../doors.js'
import { yearState } from '../../views/year-state.js'

export const state = handle(annualReportState, async (ctx, viewer, { year }) => {
  const wanted = readYear(year)
  return { state: wanted === null ? 'ineligible' : await yearState(ctx, viewer.id, wanted) }
})
