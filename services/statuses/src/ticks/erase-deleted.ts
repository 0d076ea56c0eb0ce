/** Erases statuses for good that were deleted thirty days ago. */
import { limits } from '@murmuration/contracts/limits'
import { tick } from '../doors.js'
import { deletedBefore, eraseStatuses } from '../store/erase.js'

const BATCH = 500

export const eraseDeleted = tick('statuses.erase-deleted', 600_000, async (ctx) => {
  const before = new Date(ctx.clock.now() - limits.statuses.deletedKeptSeconds * 1_000)
  const ids = await deletedBefore(ctx.db, before, BATCH)
  if (ids.length) await ctx.db.tx((tx) => eraseStatuses(tx, ids))
})
