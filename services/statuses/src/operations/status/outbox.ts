/** Ids of an author’s public and unlisted statuses and boosts, newest first, for the outbox (A045). */
import { outboxPage } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { outboxIds, outboxTotal } from '../../store/timeline.js'

export const outbox = handle(outboxPage, async (ctx, _viewer, { author, ...page }) => {
  const [ids, total] = await Promise.all([outboxIds(ctx.db, author, page), outboxTotal(ctx.db, author)])
  return { ids, total }
})
