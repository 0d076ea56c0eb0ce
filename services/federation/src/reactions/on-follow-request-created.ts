/** Sends the wish of somebody here to follow somebody elsewhere. */
import { followRequested } from '@murmuration/contracts/accounts'
import { pairOf, tellDeed } from '../delivery/deed.js'
import { ourFollow } from '../delivery/follow.js'
import { react } from '../doors.js'

export const onFollowRequestCreated = react(followRequested, 'on-follow-request-created', async (ctx, e) => {
  if (!e.fromLocal || e.toLocal) return
  const pair = await pairOf(ctx, e.from, e.to)
  if (pair === null) return
  const { our, their } = pair
  await tellDeed(ctx, { actorId: our.id, seq: e.eventId, activity: ourFollow(e, our, their), their })
})
