/** Which of these accounts somebody elsewhere follows: most of what people here write need not leave the server. */
import { followedElsewhere } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { followedElsewhere as followedAmong } from '../../store/audience.js'

export const getFollowedElsewhere = handle(followedElsewhere, async (ctx, _viewer, { ids }) => ({
  ids: await followedAmong(ctx.db, ids),
}))
