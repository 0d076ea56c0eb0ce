/** Tells somebody elsewhere that they follow a person here now. */
import { followCreated } from '@murmuration/contracts/accounts'
import { pairOf, tellDeed } from '../delivery/deed.js'
import { followThing, ourAnswer } from '../delivery/follow.js'
import { react } from '../doors.js'

export const onFollowCreated = react(followCreated, 'on-follow-created', async (ctx, e) => {
  if (e.fromLocal || !e.toLocal) return
  const pair = await pairOf(ctx, e.to, e.from)
  if (pair === null) return
  const { our, their } = pair
  await tellDeed(ctx, {
    actorId: our.id,
    seq: e.eventId,
    activity: ourAnswer('accept', e, our, their),
    about: followThing(e, our, their),
    their,
  })
})
