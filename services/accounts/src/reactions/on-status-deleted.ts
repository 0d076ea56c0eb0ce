/** A deleted status no longer counts for its author. */
import { statusDeleted } from '@murmuration/contracts/statuses'
import { once } from '@murmuration/kernel'
import { countAndForget } from '../changes/counters.js'
import { react } from '../doors.js'

export const onStatusDeleted = react(statusDeleted, 'on-status-deleted', async (ctx, e) => {
  if (e.visibility === 'direct') return
  await ctx.db.tx((tx) => once(tx, e, () => countAndForget(ctx, tx, [{ id: e.author, statuses: -1 }])))
})
