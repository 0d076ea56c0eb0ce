/** Deletes expired IP blocks. Readers of the policy ignore them already. */
import { tick } from '../handlers.js'
import { forgetIpBlocks } from './store.js'

export const forgetBlocks = tick('admin.forget-blocks', 3_600_000, async (ctx) => {
  await ctx.db.tx((tx) => forgetIpBlocks(tx, ctx.clock.date()))
})
