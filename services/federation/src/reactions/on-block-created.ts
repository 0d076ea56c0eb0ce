/** Tells the server of somebody elsewhere that a person here blocks them. */
import { blockCreated } from '@murmuration/contracts/accounts'
import { ourBlock } from '../delivery/block.js'
import { pairOf, tellDeed } from '../delivery/deed.js'
import { react } from '../doors.js'

export const onBlockCreated = react(blockCreated, 'on-block-created', async (ctx, e) => {
  if (!e.fromLocal || e.toLocal) return
  const pair = await pairOf(ctx, e.from, e.to)
  if (pair === null) return
  const { our, their } = pair
  await tellDeed(ctx, { actorId: our.id, seq: e.eventId, activity: ourBlock(e, our, their), their })
})
