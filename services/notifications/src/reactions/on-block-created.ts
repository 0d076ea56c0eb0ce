/** Who blocks somebody has nothing of them left, and no exception for them. */
import { blockCreated } from '@murmuration/contracts/accounts'
import { silence } from '../changes/undo.js'
import { react } from '../doors.js'

export const onBlockCreated = react(blockCreated, 'on-block-created', async (ctx, e) => {
  if (e.fromLocal) await silence(ctx, e.from, e.to, true)
})
