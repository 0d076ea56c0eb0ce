/** Determines the state of an account's annual report. */
import type { AnnualReportState } from '@murmuration/contracts/entities'
import { campaignYear } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { idAt } from '../core/status/id-time.rules.js'
import { spanOf, stateOf } from './rules.js'
import { hasPostedIn, reportOf, type YearIds } from './store.js'

/** Range of the status ids of a year. */
export const idsOfYear = (year: number): YearIds => {
  const { from, to } = spanOf(year)
  return { from: idAt(from), to: idAt(to) }
}

export const yearState = async (ctx: Context, account: string, year: number): Promise<AnnualReportState['state']> => {
  const now = ctx.clock.now()
  const campaign = campaignYear(ctx.policy.settings().wrapstodon, now)
  const [report, wrote] = await Promise.all([
    reportOf(ctx.db, account, year),
    year === campaign ? hasPostedIn(ctx.db, account, idsOfYear(year)) : false,
  ])
  return stateOf(report, { year, campaign, wrote, now })
}
