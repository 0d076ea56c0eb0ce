/** Measures the number of open reports and the age of the oldest. */

import { metric, registry } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { tick } from '../handlers.js'
import { countQueues, MAX_COUNTED } from './store.js'
import { summaryOf } from './view.js'

const openReports = new metric.Gauge({
  name: 'murmuration_reports_open',
  help: 'Open reports, counted up to 10,001',
  registers: [registry],
})

const oldestReport = new metric.Gauge({
  name: 'murmuration_reports_oldest_open_seconds',
  help: 'Age of the oldest open report; 0 without one',
  registers: [registry],
})

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
