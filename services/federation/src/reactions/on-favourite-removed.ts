/** Takes a favourite of ours back at the author elsewhere. */
import { favouriteRemoved } from '@murmuration/contracts/statuses'
import { pairOf, takeBack } from '../delivery/deed.js'
import { ourLike } from '../delivery/favourite.js'
import { react } from '../doors.js'

export const onFavouriteRemoved = react(favouriteRemoved, 'on-favourite-removed', async (ctx, e) => {
  if (!e.byLocal || e.authorLocal) return
  const pair = await pairOf(ctx, e.by, e.author)
  if (pair === null) return
  const { our, their } = pair
  await takeBack(ctx, { actorId: our.id, seq: e.eventId, activity: ourLike(e, our, their), their })
})
