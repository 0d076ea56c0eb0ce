/** The author of a favourited status is told. */
import { favouriteCreated } from '@murmuration/contracts/statuses'
import { sources } from '../changes/news.js'
import { notify } from '../changes/notify.js'
import { react } from '../doors.js'

export const onFavouriteCreated = react(favouriteCreated, 'on-favourite-created', async (ctx, e) => {
  if (!e.authorLocal) return
  await notify(ctx, e, e.by, [
    { type: 'favourite', recipients: [e.author], source: sources.favourite(e.id), status: e.status, at: e.at },
  ])
})
