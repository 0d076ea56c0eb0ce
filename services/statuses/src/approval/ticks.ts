/** Notes whose answers approvals are for where nobody did, some each minute: those noted before that was asked, or as answers here. */

import { placeApprovals } from '../core/reply/approval.store.js'
import { tick } from '../handlers.js'

const BATCH = 1_000

export const placeUnplaced = tick('statuses.place-approvals', 60_000, async (ctx) => {
  await ctx.db.tx((tx) => placeApprovals(tx, BATCH))
})
