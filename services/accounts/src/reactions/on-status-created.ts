/** A status counts for its author; direct ones do not. */
import { statusCreated } from '@murmuration/contracts/statuses'
import { timeOfId } from '@murmuration/kernel'
import { react } from '../doors.js'

export const onStatusCreated = react(statusCreated, 'on-status-created', async (ctx, e) => {
  if (e.visibility === 'direct') return
  await ctx.countStatus({ event: e, move: { id: e.author, statuses: 1, statusAt: new Date(timeOfId(e.id)) } })
})
