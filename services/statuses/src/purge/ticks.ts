/** The tick that permanently deletes statuses thirty days after their deletion, with their remaining files. */
import { limits } from '@murmuration/contracts/limits'
import { inSteps } from '@murmuration/kernel'
import { queueRelease } from '../attachment/index.js'
import { mayHaveMedia } from '../core/status/media.js'
import { tick } from '../handlers.js'
import { deletedBefore, eraseSomeReactions, eraseStatuses } from './store.js'

/**
 * Steps that delete the reactions to statuses before the statuses themselves. Statuses of a popular account have
 * millions, which one statement cannot delete within its time limit.
 */
const REACTIONS = { size: 5_000, steps: 400 }

export const eraseDeleted = tick('statuses.erase-deleted', 600_000, async (ctx) => {
  const before = new Date(ctx.clock.now() - limits.statuses.deletedKeptSeconds * 1_000)
  await inSteps({ size: 500, steps: 100 }, async (limit) => {
    const rows = await deletedBefore(ctx.db, before, limit)
    const ids = rows.map((row) => row.id)
    const holders = rows.filter(mayHaveMedia).map((row) => row.id)
    if (ids.length === 0) return 0
    const erased = await inSteps(REACTIONS, (some) => eraseSomeReactions(ctx.db, ids, some))
    // The next run continues with the reactions to the same statuses.
    if (erased >= REACTIONS.size * REACTIONS.steps) return 0
    await ctx.db.tx(async (tx) => {
      await eraseStatuses(tx, ids)
      await queueRelease(ctx, tx, holders)
    })
    return ids.length
  })
})
