/** A status counts for its author; direct ones do not. */
import { statusCreated } from '@murmuration/contracts/statuses'
import { once, timeOfId } from '@murmuration/kernel'
import { countAndForget } from '../changes/counters.js'
import { react } from '../doors.js'

export const onStatusCreated = react(statusCreated, 'on-status-created', async (ctx, e) => {
  if (e.visibility === 'direct') return
  const statusAt = new Date(timeOfId(e.id))
  await ctx.db.tx((tx) => once(tx, e, () => countAndForget(ctx, tx, [{ id: e.author, statuses: 1, statusAt }])))
})
