/** Makes the ledger small again: settled activities keep only whom they reached, and what no longer matters is deleted. */
import { inSteps } from '@murmuration/kernel'
import { tick } from '../doors.js'
import { foldSettled, forgetActivities } from '../store/delivery-upkeep.js'
import { foldReaders, forgetReadersOfGone } from '../store/reader.js'

const KEPT_MS = 30 * 86_400_000
/** Activities of one step: each may have gone to thousands. */
const MOST = 200
const MOST_STEPS = 20

export const forgetDeliveries = tick('federation.forget-deliveries', 600_000, async (ctx) => {
  const before = new Date(ctx.clock.now() - KEPT_MS)
  for (let step = 0; step < MOST_STEPS; step++) {
    const forgotten = await forgetActivities(ctx.db, before, MOST)
    const folded = await ctx.db.tx((tx) => foldSettled(tx, before, MOST))
    const moved = await foldReaders(ctx.db, before, MOST)
    if (Math.max(forgotten, folded, moved) < MOST) break
  }
  // Twice as long as anybody could have stopped this.
  const lately = new Date(before.getTime() - KEPT_MS)
  await inSteps({ size: 5_000, steps: 20 }, (most) => forgetReadersOfGone(ctx.db, lately, most))
})
