/** Reactions that count the statuses of an account. */
import { statusCreated, statusDeleted } from '@murmuration/contracts/statuses'
import { timeOfId } from '@murmuration/kernel'
import { react } from '../handlers.js'

/** A status counts for its author; direct ones do not. */
export const onStatusCreated = react(statusCreated, 'on-status-created', async (ctx, e) => {
  if (e.visibility === 'direct') return
  await ctx.countStatus({ event: e, move: { id: e.author, statuses: 1, statusAt: new Date(timeOfId(e.id)) } })
})

/** A deleted status no longer counts for its author. */
export const onStatusDeleted = react(statusDeleted, 'on-status-deleted', async (ctx, e) => {
  if (e.visibility === 'direct') return
  await ctx.countStatus({ event: e, move: { id: e.author, statuses: -1 } })
})
