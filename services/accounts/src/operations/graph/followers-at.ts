/** Followers of an account on one server, a page at a time. */
import { followersAt } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { followerUrisAt } from '../../store/follower-digest.js'

export const getFollowersAt = handle(followersAt, async (ctx, _viewer, { account, origin, after, limit }) => {
  const found = await followerUrisAt(ctx.db, account, { origin, after, limit: limit + 1 })
  const page = found.slice(0, limit)
  return { uris: page.map((one) => one.uri), next: found.length > limit ? (page.at(-1)?.id ?? null) : null }
})
