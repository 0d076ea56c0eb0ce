/** The tick that queues the publication of due scheduled statuses, each once. */
import { publishScheduled } from '@murmuration/contracts/statuses'
import { tick } from '../handlers.js'
import { isScheduledDue, takeDue } from './store.js'

const BATCH = 500

export const publishDue = tick('statuses.publish-due', 5_000, async (ctx) => {
  if (!(await isScheduledDue(ctx.db, ctx.clock.date()))) return
  await ctx.db.tx(async (tx) => {
    const due = await takeDue(tx, ctx.clock.date(), BATCH)
    await ctx.queue(tx, publishScheduled, ...due.map((id) => ({ id })))
  })
})
