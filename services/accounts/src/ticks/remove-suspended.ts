/** Ends for good the accounts of people here who have been suspended for thirty days; who is free again by then stays. */
import { limits } from '@murmuration/contracts/limits'
import { inSteps } from '@murmuration/kernel'
import { remove } from '../changes/removal.js'
import { tick } from '../doors.js'
import { lockAccounts } from '../store/lock.js'
import { dueSuspended, stillSuspended } from '../store/removal.js'

/** Each of them is news to every server that knew them: some at a time. */
const STEPS = { size: 20, steps: 5 }

export const removeSuspended = tick('accounts.remove-suspended', 600_000, async (ctx) => {
  const before = new Date(ctx.clock.now() - limits.accounts.suspendedKeptSeconds * 1_000)
  await inSteps(STEPS, async (most) => {
    const ids = await dueSuspended(ctx.db, before, most)
    if (ids.length === 0) return 0
    await ctx.db.tx(async (tx) => {
      await lockAccounts(tx, ids)
      await remove(ctx, tx, await stillSuspended(tx, ids, before))
    })
    return ids.length
  })
})
