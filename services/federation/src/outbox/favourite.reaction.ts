/** Reactions that send favourites of remote statuses, and their end. */
import { favouriteCreated, favouriteRemoved } from '@murmuration/contracts/statuses'
import { react } from '../doors.js'
import { pairOf, sendActivity, sendUndo } from './direct-activity.js'
import { ourLike } from './favourite.js'

/** Tells an author elsewhere that somebody here favourited their status. */
export const onFavouriteCreated = react(favouriteCreated, 'on-favourite-created', async (ctx, e) => {
  if (!e.byLocal || e.authorLocal) return
  const pair = await pairOf(ctx, e.by, e.author)
  if (pair === null) return
  const { our, their } = pair
  await sendActivity(ctx, { actorId: our.id, seq: e.eventId, activity: ourLike(e, our, their), their })
})

/** Takes a favourite of ours back at the author elsewhere. */
export const onFavouriteRemoved = react(favouriteRemoved, 'on-favourite-removed', async (ctx, e) => {
  if (!e.byLocal || e.authorLocal) return
  const pair = await pairOf(ctx, e.by, e.author)
  if (pair === null) return
  const { our, their } = pair
  await sendUndo(ctx, { actorId: our.id, seq: e.eventId, activity: ourLike(e, our, their), their })
})
