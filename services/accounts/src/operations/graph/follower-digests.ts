/** One digest for each server that followers of an account live on. */
import { followerDigests } from '@murmuration/contracts/accounts'
import { hexOfBits } from '../../domain/follower-digest.js'
import { handle } from '../../doors.js'
import { digestsOf, hasAtMost } from '../../store/follower-digest.js'

/** Accounts with more followers are not compared, by us as by others. */
const MOST_FOLLOWERS = 25_000

export const getFollowerDigests = handle(followerDigests, async (ctx, _viewer, { account, origins }) => {
  if (!(await hasAtMost(ctx.db, account, MOST_FOLLOWERS))) return { comparable: false, digests: {} }
  const rows = await digestsOf(ctx.db, account, origins ?? null)
  return { comparable: true, digests: Object.fromEntries(rows.map((row) => [row.origin, hexOfBits(row.bits)])) }
})
