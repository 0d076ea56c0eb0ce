/** A deleted status no longer counts for its author. */
import { statusDeleted } from '@murmuration/contracts/statuses'
import { react } from '../doors.js'

export const onStatusDeleted = react(statusDeleted, 'on-status-deleted', async (ctx, e) => {
  if (e.visibility === 'direct') return
  await ctx.countStatus({ event: e, move: { id: e.author, statuses: -1 } })
})
