/** Publishers: listed for staff, approved and rejected. */
import { notFound, pageReply, toJson } from '@murmuration/contracts/kit'
import { approveTrendPublisher, listTrendPublishers, rejectTrendPublisher } from '@murmuration/contracts/statuses'
import { endsOf } from '@murmuration/db'
import type { Context } from '../context.js'
import { handle } from '../doors.js'
import { allowLinksOf, holdTrends } from '../store/trend.js'
import { decidePublisher, publisherPage } from './store.js'
import { publisherOf } from './view.js'

export const listPublishers = handle(listTrendPublishers, async (ctx, _viewer, page) => {
  const rows = await publisherPage(ctx.db, page)
  return pageReply(
    listTrendPublishers.output,
    rows.map((row) => toJson(publisherOf(row))),
    endsOf(
      rows.map((row) => row.id),
      page,
    ),
  )
})

/** Stores the decision; it counts for links in the trends at once. */
const decide = (ctx: Context, id: string, trendable: boolean) =>
  ctx.db.tx(async (tx) => {
    await holdTrends(tx)
    const row = await decidePublisher(tx, id, trendable, ctx.clock.date())
    if (row === null) throw notFound()
    await allowLinksOf(tx, row.domain, trendable)
    return publisherOf(row)
  })

export const approvePublisher = handle(approveTrendPublisher, (ctx, _viewer, { id }) => decide(ctx, id, true))
export const rejectPublisher = handle(rejectTrendPublisher, (ctx, _viewer, { id }) => decide(ctx, id, false))
