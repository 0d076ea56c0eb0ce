/** Measures the number of open reports and the age of the oldest. */
import type { Context } from '../context.js'
import { tick } from '../handlers.js'
import { oldestReport, openReports } from './metrics.js'
import { countQueues, MAX_COUNTED } from './store.js'
import { summaryOf } from './view.js'

const measure = async (ctx: Context): Promise<void> => {
  const { open, oldest_open } = summaryOf(await countQueues(ctx.db, null), ctx.clock.now(), MAX_COUNTED)
  openReports.set(open)
  oldestReport.set(oldest_open?.age_seconds ?? 0)
}

export const measureReports = tick('admin.measure-reports', 60_000, measure, {
  elsewhere: () => {
    openReports.remove()
    oldestReport.remove()
  },
})
