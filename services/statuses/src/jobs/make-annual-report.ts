/** Sums up what a person wrote in a year: a few queries over their own rows, and one question about their followers. */
import { followersGained } from '@murmuration/contracts/accounts'
import { annualReportMade, makeAnnualReport as contract } from '@murmuration/contracts/statuses'
import { archetypeOf, reportThing, spanOf } from '../domain/annual-report.js'
import { work } from '../doors.js'
import { countYear, finishReport, reportOf, topStatuses, topTags } from '../store/annual-report.js'
import { refreshOf, tellRefresh } from '../store/refresh.js'
import { idsOfYear } from '../views/year-state.js'

/** The whole year stands under its last month. */
const LAST_MONTH = 12

export const makeAnnualReport = work(contract, async (ctx, { account, year }) => {
  const report = await reportOf(ctx.db, account, year)
  if (report && report.data === null) {
    const ids = idsOfYear(year)
    const [counts, tags, statuses, { count: followers }] = await Promise.all([
      countYear(ctx.db, account, ids),
      topTags(ctx.db, account, ids),
      topStatuses(ctx.db, account, ids),
      ctx.call(followersGained, { id: account, ...spanOf(year) }),
    ])
    const data = {
      archetype: archetypeOf(counts),
      time_series: [{ month: LAST_MONTH, statuses: counts.statuses, followers }],
      top_hashtags: tags,
      top_statuses: statuses,
    }
    await ctx.db.tx(async (tx) => {
      const id = await finishReport(tx, account, year, data)
      if (id !== null) await ctx.announce(tx, annualReportMade, { id, account, year })
    })
  }
  const thing = reportThing(account, year)
  const running = await refreshOf(ctx.redis, thing)
  if (running) await tellRefresh(ctx.redis, thing, { id: running.id, status: 'finished', count: 1 })
})
