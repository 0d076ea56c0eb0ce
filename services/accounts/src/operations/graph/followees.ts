/** Everyone a person follows, or the members of one of their lists, for rebuilding a feed. */
import { followees } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { followeesOf, membersForFeed } from '../../store/audience.js'
import { listOfOwner } from '../../store/list.js'

export const getFollowees = handle(followees, async (ctx, _viewer, { id, list }) => {
  if (list === undefined) return { followees: await followeesOf(ctx.db, id), replies: null }
  const found = await listOfOwner(ctx.db, id, list)
  if (!found) return { followees: [], replies: null }
  return { followees: await membersForFeed(ctx.db, id, list), replies: found.replies_policy }
})
