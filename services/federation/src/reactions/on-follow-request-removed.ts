/** Tells an asker elsewhere that they were refused, or somebody asked elsewhere that the wish is withdrawn. */
import { followRequestRemoved } from '@murmuration/contracts/accounts'
import { pairOf, takeBack, tellDeed } from '../delivery/deed.js'
import { followThing, ourAnswer, ourFollow } from '../delivery/follow.js'
import { react } from '../doors.js'

export const onFollowRequestRemoved = react(followRequestRemoved, 'on-follow-request-removed', async (ctx, e) => {
  const isRefusal = e.why === 'rejected' && !e.fromLocal && e.toLocal
  const isWithdrawal = e.why === 'withdrawn' && e.fromLocal && !e.toLocal
  if (!isRefusal && !isWithdrawal) return
  const pair = isRefusal ? await pairOf(ctx, e.to, e.from) : await pairOf(ctx, e.from, e.to)
  if (pair === null) return
  const { our, their } = pair
  const common = { actorId: our.id, seq: e.eventId, their }
  if (isWithdrawal) await takeBack(ctx, { ...common, activity: ourFollow(e, our, their) })
  else
    await tellDeed(ctx, {
      ...common,
      activity: ourAnswer('reject', e, our, their),
      about: followThing(e, our, their),
    })
})
