/** Followers of an account on one server. */
import { followersAt } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { followerUrisAt } from '../../store/follower-digest.js'

export const getFollowersAt = handle(followersAt, async (ctx, _viewer, { account, origin, limit }) => ({
  uris: await followerUrisAt(ctx.db, account, { origin, limit }),
}))
