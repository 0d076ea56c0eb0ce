/** Asks for a report; the answer names the work in the background. */
import { reply } from '@murmuration/contracts/kit'
import { generateAnnualReport, makeAnnualReport } from '@murmuration/contracts/statuses'
import { readYear, reportThing, staleBefore } from '../../domain/annual-report.js'
import { refreshHeader } from '../../domain/async-refresh.js'
import { handle } from '../../doors.js'
import { requestReport } from '../../store/annual-report.js'
import { beginRefresh, refreshOf } from '../../store/refresh.js'
import { yearState } from '../../views/year-state.js'

const RETRY_S = 2

export const generate = handle(generateAnnualReport, async (ctx, viewer, { year: text }) => {
  const year = readYear(text)
  const state = year === null ? 'ineligible' : await yearState(ctx, viewer.id, year)
  if (year === null || state === 'available' || state === 'ineligible') return reply('{}')
  const thing = reportThing(viewer.id, year)
  const begun = state === 'eligible' ? await beginRefresh(ctx.redis, thing) : null
  if (state === 'eligible')
    await ctx.db.tx(async (tx) => {
      const now = ctx.clock.now()
      const request = { account: viewer.id, year, at: new Date(now), stale: staleBefore(now) }
      // Of several who ask at once the first brings the job.
      if (await requestReport(tx, { ...request, id: ctx.ids.next() }))
        await ctx.queue(tx, makeAnnualReport, { account: viewer.id, year })
    })
  const id = begun ?? (await refreshOf(ctx.redis, thing))?.id
  return reply('', { status: 202, headers: id === undefined ? {} : refreshHeader(id, { retry: RETRY_S }) })
})
