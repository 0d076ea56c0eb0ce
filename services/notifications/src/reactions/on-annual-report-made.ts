/** A person is told that their year was summed up. */
import { annualReportMade } from '@murmuration/contracts/statuses'
import { sources } from '../changes/news.js'
import { notify } from '../changes/notify.js'
import { react } from '../doors.js'
import type { YearFacts } from '../views/detail.js'

export const onAnnualReportMade = react(annualReportMade, 'on-annual-report-made', async (ctx, e) => {
  const detail: YearFacts = { year: e.year }
  await notify(ctx, e, e.account, [
    {
      type: 'annual_report',
      recipients: [e.account],
      source: sources.annualReport(e.id),
      status: null,
      detail,
      at: e.at,
    },
  ])
})
