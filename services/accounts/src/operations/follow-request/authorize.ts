/** Accepts a request to follow. */
import { followRequestAuthorize } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { acceptRequests } from '../../changes/follow.js'
import { handle } from '../../doors.js'
import { lockPair } from '../../store/lock.js'
import { relationshipTo } from '../../views/relationship.js'

export const authorizeFollowRequest = handle(followRequestAuthorize, async (ctx, viewer, { account_id: from }) => {
  await ctx.db.tx(async (tx) => {
    await lockPair(tx, viewer.id, from)
    const accepted = await acceptRequests(ctx, tx, viewer.id, { from: [from] })
    // Only a request that is there can be accepted (A078).
    if (accepted.length === 0) throw notFound()
  })
  return relationshipTo(ctx, viewer.id, from)
})
