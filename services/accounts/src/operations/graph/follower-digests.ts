/** One digest for each server that followers of an account live on. */
import { followerDigests, keepDigestsJob } from '@murmuration/contracts/accounts'
import { hexOfBits } from '../../domain/follower-digest.js'
import { handle } from '../../doors.js'
import { digestsOf, hasAtMost, keptDigestsOf } from '../../store/follower-digest.js'

/** Of accounts with more followers the digests are kept and not counted each time. */
const MOST_COUNTED = 25_000

export const getFollowerDigests = handle(followerDigests, async (ctx, _viewer, { account, origins = null }) => {
  const kept = await keptDigestsOf(ctx.db, account, origins)
  const isSmall = kept === null && (await hasAtMost(ctx.db, account, MOST_COUNTED))
  const rows = isSmall ? await digestsOf(ctx.db, account, origins) : kept
  if (rows === null) {
    await ctx.queues.push(keepDigestsJob, { id: account, data: { account } })
    return { comparable: false, digests: {} }
  }
  return { comparable: true, digests: Object.fromEntries(rows.map((row) => [row.origin, hexOfBits(row.bits)])) }
})
