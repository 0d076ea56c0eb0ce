/** Tells an author elsewhere that somebody here favourited their status. */
import { favouriteCreated } from '@murmuration/contracts/statuses'
import { pairOf, tellDeed } from '../delivery/deed.js'
import { ourLike } from '../delivery/favourite.js'
import { react } from '../doors.js'

export const onFavouriteCreated = react(favouriteCreated, 'on-favourite-created', async (ctx, e) => {
  if (!e.byLocal || e.authorLocal) return
  const pair = await pairOf(ctx, e.by, e.author)
  if (pair === null) return
  const { our, their } = pair
  await tellDeed(ctx, { actorId: our.id, seq: e.eventId, activity: ourLike(e, our, their), their })
})
