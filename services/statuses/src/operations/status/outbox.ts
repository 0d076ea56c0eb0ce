/** Ids of an author’s public and unlisted statuses and boosts, newest first, for the outbox (A045). */
import { outboxPage } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { outboxIds, outboxTotal } from '../../store/timeline.js'

export const outbox = handle(outboxPage, async (ctx, _viewer, { author, counted = true, ...page }) => {
  const [ids, total] = await Promise.all([outboxIds(ctx.db, author, page), counted ? outboxTotal(ctx.db, author) : 0])
  return { ids, total }
})
