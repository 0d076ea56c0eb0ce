/** Reactions that send follows, follow requests and their answers. */
import { followCreated, followRemoved, followRequested, followRequestRemoved } from '@murmuration/contracts/accounts'
import { react } from '../doors.js'
import { pairOf, sendActivity, sendUndo } from './direct-activity.js'
import { followThing, ourAnswer, ourFollow } from './follow.js'

/** Tells somebody elsewhere that they follow a person here now. */
export const onFollowCreated = react(followCreated, 'on-follow-created', async (ctx, e) => {
  if (e.fromLocal || !e.toLocal) return
  const pair = await pairOf(ctx, e.to, e.from)
  if (pair === null) return
  const { our, their } = pair
  await sendActivity(ctx, {
    actorId: our.id,
    seq: e.eventId,
    activity: ourAnswer('accept', e, our, their),
    about: followThing(e, our, their),
    their,
  })
})

/** Tells the other side that a follow between here and elsewhere is over, when it was ended here. */
export const onFollowRemoved = react(followRemoved, 'on-follow-removed', async (ctx, e) => {
  const weUnfollowed = e.fromLocal && !e.toLocal && !e.byTarget
  const weEndedTheirs = !e.fromLocal && e.toLocal && e.byTarget
  if (!weUnfollowed && !weEndedTheirs) return
  const pair = weUnfollowed ? await pairOf(ctx, e.from, e.to) : await pairOf(ctx, e.to, e.from)
  if (pair === null) return
  const { our, their } = pair
  const common = { actorId: our.id, seq: e.eventId, their }
  if (weUnfollowed) await sendUndo(ctx, { ...common, activity: ourFollow(e, our, their) })
  else
    await sendActivity(ctx, {
      ...common,
      activity: ourAnswer('reject', e, our, their),
      about: followThing(e, our, their),
    })
})

/** Sends the wish of somebody here to follow somebody elsewhere. */
export const onFollowRequestCreated = react(followRequested, 'on-follow-request-created', async (ctx, e) => {
  if (!e.fromLocal || e.toLocal) return
  const pair = await pairOf(ctx, e.from, e.to)
  if (pair === null) return
  const { our, their } = pair
  await sendActivity(ctx, { actorId: our.id, seq: e.eventId, activity: ourFollow(e, our, their), their })
})

/** Tells an asker elsewhere that they were refused, or somebody asked elsewhere that the wish is withdrawn. */
export const onFollowRequestRemoved = react(followRequestRemoved, 'on-follow-request-removed', async (ctx, e) => {
  const isRefusal = e.why === 'rejected' && !e.fromLocal && e.toLocal
  const isWithdrawal = e.why === 'withdrawn' && e.fromLocal && !e.toLocal
  if (!isRefusal && !isWithdrawal) return
  const pair = isRefusal ? await pairOf(ctx, e.to, e.from) : await pairOf(ctx, e.from, e.to)
  if (pair === null) return
  const { our, their } = pair
  const common = { actorId: our.id, seq: e.eventId, their }
  if (isWithdrawal) await sendUndo(ctx, { ...common, activity: ourFollow(e, our, their) })
  else
    await sendActivity(ctx, {
      ...common,
      activity: ourAnswer('reject', e, our, their),
      about: followThing(e, our, their),
    })
})
