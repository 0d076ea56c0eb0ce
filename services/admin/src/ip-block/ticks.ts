/** Deletes expired IP blocks. Services that read the policy ignore expired blocks even before their deletion. */
import { tick } from '../handlers.js'
import { deleteIpBlocks } from './store.js'

export const deleteExpiredBlocks = tick('admin.forget-blocks', 3_600_000, async (ctx) => {
  await ctx.db.tx((tx) => deleteIpBlocks(tx, ctx.clock.date()))
})
