/**
 * The job that makes the annual report of an account: queries over its own statuses, and one request for its new
 * followers.
 */
import { followersGained } from '@murmuration/contracts/accounts'
import { annualReportMade, makeAnnualReport as makeAnnualReportJob } from '@murmuration/contracts/statuses'
import { refreshOf, updateRefresh } from '../core/async-refresh/store.js'
import { work } from '../handlers.js'
import { archetypeOf, reportRefreshName, spanOf } from './rules.js'
import { countYear, finishReport, reportOf, topStatuses, topTags } from './store.js'
import { idsOfYear } from './year-state.js'

/** The month of the only entry in `time_series`. The entry covers the whole year. */
const LAST_MONTH = 12

export const makeAnnualReport = work(makeAnnualReportJob, async (ctx, { account, year }) => {
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
  const thing = reportRefreshName(account, year)
  const running = await refreshOf(ctx.redis, thing)
  if (running) await updateRefresh(ctx.redis, thing, { id: running.id, status: 'finished', count: 1 })
})
