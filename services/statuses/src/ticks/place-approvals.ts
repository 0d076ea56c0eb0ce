/** Notes whose answers approvals are for where nobody did, some each minute: those noted before that was asked, or as answers here. */
import { tick } from '../doors.js'
import { placeApprovals } from '../store/reply-approval.js'

const BATCH = 1_000

export const placeUnplaced = tick('statuses.place-approvals', 60_000, async (ctx) => {
  await ctx.db.tx((tx) => placeApprovals(tx, BATCH))
})
