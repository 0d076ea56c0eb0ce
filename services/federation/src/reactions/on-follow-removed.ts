/** Tells the other side that a follow between here and elsewhere is over, when it was ended here. */
import { followRemoved } from '@murmuration/contracts/accounts'
import { pairOf, takeBack, tellDeed } from '../delivery/deed.js'
import { followThing, ourAnswer, ourFollow } from '../delivery/follow.js'
import { react } from '../doors.js'

export const onFollowRemoved = react(followRemoved, 'on-follow-removed', async (ctx, e) => {
  const weUnfollowed = e.fromLocal && !e.toLocal && !e.byTarget
  const weEndedTheirs = !e.fromLocal && e.toLocal && e.byTarget
  if (!weUnfollowed && !weEndedTheirs) return
  const pair = weUnfollowed ? await pairOf(ctx, e.from, e.to) : await pairOf(ctx, e.to, e.from)
  if (pair === null) return
  const { our, their } = pair
  const common = { actorId: our.id, seq: e.eventId, their }
  if (weUnfollowed) await takeBack(ctx, { ...common, activity: ourFollow(e, our, their) })
  else
    await tellDeed(ctx, {
      ...common,
      activity: ourAnswer('reject', e, our, their),
      about: followThing(e, our, their),
    })
})
