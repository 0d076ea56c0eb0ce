/** Erases statuses for good that were deleted thirty days ago. */
import { limits } from '@murmuration/contracts/limits'
import { inSteps } from '@murmuration/kernel'
import { tick } from '../doors.js'
import { deletedBefore, eraseStatuses } from '../store/erase.js'

export const eraseDeleted = tick('statuses.erase-deleted', 600_000, async (ctx) => {
  const before = new Date(ctx.clock.now() - limits.statuses.deletedKeptSeconds * 1_000)
  await inSteps({ size: 500, steps: 100 }, async (most) => {
    const ids = await deletedBefore(ctx.db, before, most)
    if (ids.length) await ctx.db.tx((tx) => eraseStatuses(tx, ids))
    return ids.length
  })
})
