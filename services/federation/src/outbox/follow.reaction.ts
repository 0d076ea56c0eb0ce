/** Event handlers that send the Follow, Accept, Reject and Undo of follows between local and remote accounts. */
import { followCreated, followRemoved, followRequested, followRequestRemoved } from '@murmuration/contracts/accounts'
import { react } from '../handlers.js'
import { pairOf, sendActivity, sendUndo } from './direct-activity.js'
import { followObject, followResponse, writeOwnFollow } from './follow.js'

/** Publishes the Accept of a follow to the remote follower. */
export const onFollowCreated = react(followCreated, 'on-follow-created', async (ctx, e) => {
  if (e.fromLocal || !e.toLocal) return
  const pair = await pairOf(ctx, e.to, e.from)
  if (pair === null) return
  const { our, their } = pair
  await sendActivity(ctx, {
    actorId: our.id,
    seq: e.eventId,
    activity: followResponse('accept', e, our, their),
    about: followObject(e, our, their),
    their,
  })
})

/** Publishes the end of a follow that a local account ended: the Undo of its own Follow, or the Reject of a remote follower. */
export const onFollowRemoved = react(followRemoved, 'on-follow-removed', async (ctx, e) => {
  const weUnfollowed = e.fromLocal && !e.toLocal && !e.byTarget
  const weEndedTheirs = !e.fromLocal && e.toLocal && e.byTarget
  if (!weUnfollowed && !weEndedTheirs) return
  const pair = weUnfollowed ? await pairOf(ctx, e.from, e.to) : await pairOf(ctx, e.to, e.from)
  if (pair === null) return
  const { our, their } = pair
  const common = { actorId: our.id, seq: e.eventId, their }
  if (weUnfollowed) await sendUndo(ctx, { ...common, activity: writeOwnFollow(e, our, their) })
  else
    await sendActivity(ctx, {
      ...common,
      activity: followResponse('reject', e, our, their),
      about: followObject(e, our, their),
    })
})

/** Publishes a follow request of a local account to a remote account. */
export const onFollowRequestCreated = react(followRequested, 'on-follow-request-created', async (ctx, e) => {
  if (!e.fromLocal || e.toLocal) return
  const pair = await pairOf(ctx, e.from, e.to)
  if (pair === null) return
  const { our, their } = pair
  await sendActivity(ctx, { actorId: our.id, seq: e.eventId, activity: writeOwnFollow(e, our, their), their })
})

/** Publishes the Reject of a follow request by a remote account, or the Undo of a request by a local one. */
export const onFollowRequestRemoved = react(followRequestRemoved, 'on-follow-request-removed', async (ctx, e) => {
  const isRefusal = e.why === 'rejected' && !e.fromLocal && e.toLocal
  const isCancelled = e.why === 'withdrawn' && e.fromLocal && !e.toLocal
  if (!isRefusal && !isCancelled) return
  const pair = isRefusal ? await pairOf(ctx, e.to, e.from) : await pairOf(ctx, e.from, e.to)
  if (pair === null) return
  const { our, their } = pair
  const common = { actorId: our.id, seq: e.eventId, their }
  if (isCancelled) await sendUndo(ctx, { ...common, activity: writeOwnFollow(e, our, their) })
  else
    await sendActivity(ctx, {
      ...common,
      activity: followResponse('reject', e, our, their),
      about: followObject(e, our, their),
    })
})
