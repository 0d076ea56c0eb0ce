/** Deletes expired IP blocks. Readers of the policy ignore them already. */
import { tick } from '../handlers.js'
import { deleteIpBlocks } from './store.js'

export const deleteExpiredBlocks = tick('admin.forget-blocks', 3_600_000, async (ctx) => {
  await ctx.db.tx((tx) => deleteIpBlocks(tx, ctx.clock.date()))
})
