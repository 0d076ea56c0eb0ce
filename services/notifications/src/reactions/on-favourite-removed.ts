/** A favourite that was taken back is not told any more. */
import { favouriteRemoved } from '@murmuration/contracts/statuses'
import { sources } from '../changes/news.js'
import { undo } from '../changes/undo.js'
import { react } from '../doors.js'

export const onFavouriteRemoved = react(favouriteRemoved, 'on-favourite-removed', async (ctx, e) => {
  if (e.authorLocal) await undo(ctx, sources.favourite(e.id))
})
