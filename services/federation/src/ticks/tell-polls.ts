/** Starts telling others the numbers of polls that changed a moment ago. */
import { tellPollJob } from '@murmuration/contracts/federation'
import { tick } from '../doors.js'
import { isPollChangeDue, takePollChanges } from '../store/poll-change.js'

const MOST = 200

export const tellPolls = tick('federation.tell-polls', 2_000, async (ctx) => {
  if (!(await isPollChangeDue(ctx.db, ctx.clock.date()))) return
  await ctx.db.tx(async (tx) => {
    const changes = await takePollChanges(tx, ctx.clock.date(), MOST)
    await ctx.queue(
      tx,
      tellPollJob,
      ...changes.map((it) => ({
        status: it.status_id,
        seq: it.seq,
        at: it.changed_at.toISOString(),
        inboxes: it.inboxes,
      })),
    )
  })
})
