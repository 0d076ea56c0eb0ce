/** A list with other members or rules is made anew when it is read next. */
import { listChanged } from '@murmuration/contracts/accounts'
import { react } from '../doors.js'
import { dropFeeds, listKey } from '../store/feed.js'

export const onListChanged = react(listChanged, 'on-list-changed', async (ctx, { id, owner }) => {
  await dropFeeds(ctx.redis, [listKey(owner, id)])
})
