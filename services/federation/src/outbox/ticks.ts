/** Ticks that queue jobs for changed polls and profiles. */
import { sendPollUpdateJob, sendProfileUpdateJob } from '@murmuration/contracts/federation'
import { tick } from '../handlers.js'
import { isPollChangeDue, takePollChanges } from './poll-change.store.js'
import { isProfileChangeDue, takeProfileChanges } from './profile-change.store.js'

const MAX_POLLS = 200

/** Queues jobs that send the Updates of polls whose change is due. */
export const sendPollUpdates = tick('federation.tell-polls', 5_000, async (ctx) => {
  if (!(await isPollChangeDue(ctx.db, ctx.clock.date()))) return
  await ctx.db.tx(async (tx) => {
    const changes = await takePollChanges(tx, ctx.clock.date(), MAX_POLLS)
    await ctx.queue(
      tx,
      sendPollUpdateJob,
      ...changes.map((it) => ({
        status: it.status_id,
        seq: it.seq,
        at: it.changed_at.toISOString(),
        inboxes: it.inboxes,
      })),
    )
  })
})

const MAX_PROFILES = 500

/** Queues jobs that send the Updates of profiles whose change is due. */
export const sendProfileUpdates = tick('federation.tell-profiles', 5_000, async (ctx) => {
  if (!(await isProfileChangeDue(ctx.db, ctx.clock.date()))) return
  await ctx.db.tx(async (tx) => {
    const changes = await takeProfileChanges(tx, ctx.clock.date(), MAX_PROFILES)
    await ctx.queue(
      tx,
      sendProfileUpdateJob,
      ...changes.map((it) => ({ account: it.account_id, seq: it.seq, at: it.changed_at.toISOString() })),
    )
  })
})
