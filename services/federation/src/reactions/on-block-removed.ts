/** Tells the server of somebody elsewhere that a person here lifted a block. */
import { blockRemoved } from '@murmuration/contracts/accounts'
import { ourBlock } from '../delivery/block.js'
import { pairOf, takeBack } from '../delivery/deed.js'
import { react } from '../doors.js'

export const onBlockRemoved = react(blockRemoved, 'on-block-removed', async (ctx, e) => {
  if (!e.fromLocal || e.toLocal) return
  const pair = await pairOf(ctx, e.from, e.to)
  if (pair === null) return
  const { our, their } = pair
  await takeBack(ctx, { actorId: our.id, seq: e.eventId, activity: ourBlock(e, our, their), their })
})
