/** Refuses a request to follow. */
import { followRequestReject } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { endRequests } from '../../changes/follow.js'
import { handle } from '../../doors.js'
import { lockPair } from '../../store/lock.js'
import { relationshipTo } from '../../views/relationship.js'

export const rejectFollowRequest = handle(followRequestReject, async (ctx, viewer, { account_id: from }) => {
  await ctx.db.tx(async (tx) => {
    await lockPair(tx, viewer.id, from)
    const rejected = await endRequests(ctx, tx, [{ from, to: viewer.id }], () => 'rejected')
    if (rejected.length === 0) throw notFound()
  })
  return relationshipTo(ctx, viewer.id, from)
})
