/** A page of an author's outbox. */
import { outboxPage } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { outboxIds, outboxTotal } from '../../store/figure.js'

export const outbox = handle(outboxPage, async (ctx, _viewer, { author, limit, max_id, min_id }) => {
  const [ids, total] = await Promise.all([
    limit > 0 ? outboxIds(ctx.db, author, { limit, max_id, min_id }) : [],
    outboxTotal(ctx.db, author),
  ])
  return { ids, total }
})
