/** The tick that permanently deletes statuses thirty days after their deletion, with their remaining files. */
import { limits } from '@murmuration/contracts/limits'
import { inSteps } from '@murmuration/kernel'
import { queueRelease } from '../attachment/index.js'
import { mayHaveMedia } from '../core/status/media.js'
import { tick } from '../handlers.js'
import { deletedBefore, eraseStatuses } from './store.js'

export const eraseDeleted = tick('statuses.erase-deleted', 600_000, async (ctx) => {
  const before = new Date(ctx.clock.now() - limits.statuses.deletedKeptSeconds * 1_000)
  await inSteps({ size: 500, steps: 100 }, async (limit) => {
    const rows = await deletedBefore(ctx.db, before, limit)
    const ids = rows.map((row) => row.id)
    const holders = rows.filter(mayHaveMedia).map((row) => row.id)
    if (ids.length > 0)
      await ctx.db.tx(async (tx) => {
        await eraseStatuses(tx, ids)
        await queueRelease(ctx, tx, holders)
      })
    return ids.length
  })
})
