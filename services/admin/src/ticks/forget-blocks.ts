/** Deletes blocks of addresses that ran out; readers of the policy no longer count them anyway. */
import { tick } from '../doors.js'
import { forgetIpBlocks } from '../store/ip-block.js'

export const forgetBlocks = tick('admin.forget-blocks', 3_600_000, async (ctx) => {
  await ctx.db.tx((tx) => forgetIpBlocks(tx, ctx.clock.date()))
})
