/** Handlers that return follower digests by server (FEP-8fcf), and the followers on one server. */
import { followerDigests, followersAt, storeDigestsJob } from '@murmuration/contracts/accounts'
import { handle } from '../handlers.js'
import { hexOfBits } from './rules.js'
import { digestsOf, followerUrisAt, hasAtMostFollowers, storedDigestsOf } from './store.js'

/**
 * Up to this number of followers, follower digests of an account are computed per request. For more followers, digests
 * are stored and updated with each follow.
 */
const MAX_COUNTED = 25_000

export const getFollowerDigests = handle(followerDigests, async (ctx, _viewer, { account, origins = null }) => {
  const kept = await storedDigestsOf(ctx.db, account, origins)
  const isSmall = kept === null && (await hasAtMostFollowers(ctx.db, account, MAX_COUNTED))
  const rows = isSmall ? await digestsOf(ctx.db, account, origins) : kept
  if (rows === null) {
    await ctx.queues.push(storeDigestsJob, { id: account, data: { account } })
    return { comparable: false, digests: {} }
  }
  return { comparable: true, digests: Object.fromEntries(rows.map((row) => [row.origin, hexOfBits(row.bits)])) }
})

/** Returns a page of actor ids of followers on one server. */
export const getFollowersAt = handle(followersAt, async (ctx, _viewer, { account, origin, after, limit }) => {
  const found = await followerUrisAt(ctx.db, account, { origin, after, limit: limit + 1 })
  const page = found.slice(0, limit)
  return { uris: page.map((one) => one.uri), next: found.length > limit ? (page.at(-1)?.id ?? null) : null }
})
