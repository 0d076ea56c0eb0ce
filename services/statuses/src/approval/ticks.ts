/** The tick that links stored approvals to the parent of their reply: 1,000 approvals each minute. */

import { linkApprovals } from '../core/reply/approval.store.js'
import { tick } from '../handlers.js'

const BATCH = 1_000

export const linkUnlinked = tick('statuses.place-approvals', 60_000, async (ctx) => {
  await ctx.db.tx((tx) => linkApprovals(tx, BATCH))
})
