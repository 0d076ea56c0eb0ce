/** Starts telling others about profiles that changed a moment ago. */
import { tellProfileJob } from '@murmuration/contracts/federation'
import { tick } from '../doors.js'
import { isProfileChangeDue, takeProfileChanges } from '../store/profile-change.js'

const MOST = 500

export const tellProfiles = tick('federation.tell-profiles', 2_000, async (ctx) => {
  if (!(await isProfileChangeDue(ctx.db, ctx.clock.date()))) return
  await ctx.db.tx(async (tx) => {
    const changes = await takeProfileChanges(tx, ctx.clock.date(), MOST)
    await ctx.queue(
      tx,
      tellProfileJob,
      ...changes.map((it) => ({ account: it.account_id, seq: it.seq, at: it.changed_at.toISOString() })),
    )
  })
})
