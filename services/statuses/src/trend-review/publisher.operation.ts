/** Handlers with which staff lists, approves and rejects publishers. */
import { notFound, pageReply, toJson, type Viewer } from '@murmuration/contracts/kit'
import { approveTrendPublisher, listTrendPublishers, rejectTrendPublisher } from '@murmuration/contracts/statuses'
import { endsOf } from '@murmuration/db'
import type { Context } from '../context.js'
import { handle } from '../handlers.js'
import { decidePublisher, publisherPage } from '../publisher/index.js'
import { announceTaxonomy, recordedTaxonomy } from '../taxonomy/index.js'
import { allowLinksOf, lockTrends } from '../trend/index.js'
import { publisherOf } from './publisher.view.js'

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

/** Stores a decision about a publisher, and applies it to trending links at once. */
const decide = (ctx: Context, by: Viewer, id: string, trendable: boolean) =>
  ctx.db.tx(async (tx) => {
    await lockTrends(tx)
    const before = await recordedTaxonomy(tx, 'publisher', id)
    const row = await decidePublisher(tx, id, trendable, ctx.clock.date())
    if (row === null || before === null) throw notFound()
    const action = `${trendable ? 'approve' : 'reject'}_trend_publisher` as const
    await announceTaxonomy(ctx, tx, by, { action, kind: 'publisher', before })
    await allowLinksOf(tx, row.domain, trendable)
    return publisherOf(row)
  })

export const approvePublisher = handle(approveTrendPublisher, (ctx, viewer, { id }) => decide(ctx, viewer, id, true))
export const rejectPublisher = handle(rejectTrendPublisher, (ctx, viewer, { id }) => decide(ctx, viewer, id, false))
