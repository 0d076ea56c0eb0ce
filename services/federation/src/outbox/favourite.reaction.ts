/** Reactions that send the Like of a remote status, and its Undo. */
import { favouriteCreated, favouriteRemoved } from '@murmuration/contracts/statuses'
import { react } from '../handlers.js'
import { pairOf, sendActivity, sendUndo } from './direct-activity.js'
import { writeOwnLike } from './favourite.js'

/** Publishes a Like to the remote author. */
export const onFavouriteCreated = react(favouriteCreated, 'on-favourite-created', async (ctx, e) => {
  if (!e.byLocal || e.authorLocal) return
  const pair = await pairOf(ctx, e.by, e.author)
  if (pair === null) return
  const { our, their } = pair
  await sendActivity(ctx, { actorId: our.id, seq: e.eventId, activity: writeOwnLike(e, our, their), their })
})

/** Publishes the Undo of a Like to the remote author. */
export const onFavouriteRemoved = react(favouriteRemoved, 'on-favourite-removed', async (ctx, e) => {
  if (!e.byLocal || e.authorLocal) return
  const pair = await pairOf(ctx, e.by, e.author)
  if (pair === null) return
  const { our, their } = pair
  await sendUndo(ctx, { actorId: our.id, seq: e.eventId, activity: writeOwnLike(e, our, their), their })
})
