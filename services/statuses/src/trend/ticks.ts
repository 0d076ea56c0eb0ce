/** Ticks that score trends, and ask for reviews. */

import { trendReviewWanted } from '@murmuration/contracts/statuses'
import { tick } from '../handlers.js'
import { requestPublisherReview } from '../publisher/index.js'
import { scoreTrends } from './score.js'
import { lockTrends, takeReviewable } from './store.js'

/** Computes the scores of trends every five minutes. */
export const scoreAllTrends = tick('statuses.score-trends', 300_000, scoreTrends)

/** Minimum milliseconds between two requests to staff to review trends. Staff receives one review request for each item. */
const PAUSE_MS = 7_200_000

/** The tick runs every minute, so that a restart of the server does not restart the two hours. */
export const requestTrendReview = tick('statuses.ask-trend-review', 60_000, async (ctx) => {
  if (!ctx.policy.loaded()) return
  const settings = ctx.policy.settings()
  if (!settings.trends || settings.trendable_by_default) return
  await ctx.db.tx(async (tx) => {
    await lockTrends(tx)
    const kinds = await takeReviewable(tx, ctx.clock.date(), new Date(ctx.clock.now() - PAUSE_MS))
    if (kinds.length === 0) return
    if (kinds.includes('link')) await requestPublisherReview(tx, ctx.clock.date())
    const of = (kind: 'tag' | 'link' | 'status') => kinds.filter((one) => one === kind).length
    await ctx.announce(tx, trendReviewWanted, {
      id: ctx.ids.next(),
      tags: of('tag'),
      links: of('link'),
      statuses: of('status'),
    })
  })
})
