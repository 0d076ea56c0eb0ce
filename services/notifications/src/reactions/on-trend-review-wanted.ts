/** Something would trend once staff looked at it: those who may decide are told by mail. */
import { rolesOf } from '@murmuration/contracts/accounts'
import { trendReviewWanted } from '@murmuration/contracts/statuses'
import { queueMails } from '../changes/mail.js'
import { react } from '../doors.js'

export const onTrendReviewWanted = react(trendReviewWanted, 'on-trend-review-wanted', async (ctx, e) => {
  const { accountIds } = await ctx.call(rolesOf, { permission: 'manage_taxonomies' })
  const facts = { tags: e.tags, links: e.links, statuses: e.statuses }
  await ctx.db.tx((tx) =>
    queueMails(
      ctx,
      tx,
      accountIds.map((recipient_id) => ({
        kind: 'trends' as const,
        source: `trends:${e.id}:${recipient_id}`,
        recipient_id,
        facts,
      })),
    ),
  )
})
