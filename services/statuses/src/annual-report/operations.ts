/** Handlers of annual reports. */
import { notFound, reply } from '@murmuration/contracts/kit'
import {
  annualReportState,
  generateAnnualReport,
  listAnnualReports,
  makeAnnualReport,
  readAnnualReport,
  showAnnualReport,
} from '@murmuration/contracts/statuses'
import { refreshHeader } from '../core/async-refresh/rules.js'
import { beginRefresh, refreshOf } from '../core/async-refresh/store.js'
import { handle } from '../handlers.js'
import { showReports } from './present.js'
import { readYear, reportRefreshName, staleBefore } from './rules.js'
import { markReportRead, reportOf, requestReport, unreadReports } from './store.js'
import { yearState } from './year-state.js'

/** Seconds after which clients should check whether a report is finished. */
const RETRY_S = 2

export const generate = handle(generateAnnualReport, async (ctx, viewer, { year: text }) => {
  const year = readYear(text)
  const state = year === null ? 'ineligible' : await yearState(ctx, viewer.id, year)
  if (year === null || state === 'available' || state === 'ineligible') return reply('{}')
  const thing = reportRefreshName(viewer.id, year)
  const begun = state === 'eligible' ? await beginRefresh(ctx.redis, thing) : null
  if (state === 'eligible')
    await ctx.db.tx(async (tx) => {
      const now = ctx.clock.now()
      const request = { account: viewer.id, year, at: new Date(now), stale: staleBefore(now) }
      // If several requests for one report arrive at the same time, only the first of them queues the job.
      if (await requestReport(tx, { ...request, id: ctx.ids.next() }))
        await ctx.queue(tx, makeAnnualReport, { account: viewer.id, year })
    })
  const id = begun ?? (await refreshOf(ctx.redis, thing))?.id
  return reply('', { status: 202, headers: id === undefined ? {} : refreshHeader(id, { retry: RETRY_S }) })
})

/** Finished reports that the viewer has not marked as read. */
export const list = handle(listAnnualReports, async (ctx, viewer) =>
  showReports(ctx, viewer.id, await unreadReports(ctx.db, viewer.id)),
)

/** Marks a report as read. */
export const read = handle(readAnnualReport, async (ctx, viewer, { year }) => {
  const wanted = readYear(year)
  if (wanted === null || !(await markReportRead(ctx.db, viewer.id, wanted, ctx.clock.date()))) throw notFound()
  return {}
})

/** The viewer's report about a year; 404 if it is not finished. */
export const show = handle(showAnnualReport, async (ctx, viewer, { year }) => {
  const wanted = readYear(year)
  const row = wanted === null ? null : await reportOf(ctx.db, viewer.id, wanted)
  if (!row?.data) throw notFound()
  return showReports(ctx, viewer.id, [row])
})

/** State of the viewer's report about a year: available, generating, eligible or ineligible. */
export const state = handle(annualReportState, async (ctx, viewer, { year }) => {
  const wanted = readYear(year)
  return { state: wanted === null ? 'ineligible' : await yearState(ctx, viewer.id, wanted) }
})
