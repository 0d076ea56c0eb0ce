/** Event handlers that count the statuses of an account. Direct statuses do not count. */
import { statusCreated, statusDeleted } from '@murmuration/contracts/statuses'
import { timeOfId } from '@murmuration/kernel'
import { react } from '../handlers.js'

export const onStatusCreated = react(statusCreated, 'on-status-created', async (ctx, e) => {
  if (e.visibility === 'direct') return
  await ctx.countStatus({ event: e, move: { id: e.author, statuses: 1, statusAt: new Date(timeOfId(e.id)) } })
})

export const onStatusDeleted = react(statusDeleted, 'on-status-deleted', async (ctx, e) => {
  if (e.visibility === 'direct') return
  await ctx.countStatus({ event: e, move: { id: e.author, statuses: -1 } })
})
