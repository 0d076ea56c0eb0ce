/** Ends following, or takes the request back. */
import { followRemove } from '@murmuration/contracts/accounts'
import { endFollows, endRequests } from '../../changes/follow.js'
import { handle } from '../../doors.js'
import { lockPair } from '../../store/lock.js'
import { otherAccount } from '../../views/other-account.js'
import { relationshipTo } from '../../views/relationship.js'

export const removeFollow = handle(followRemove, async (ctx, viewer, { id }) => {
  await otherAccount(ctx, id)
  const pair = { from: viewer.id, to: id }
  await ctx.db.tx(async (tx) => {
    await lockPair(tx, viewer.id, id)
    await endFollows(ctx, tx, [pair], () => false)
    await endRequests(ctx, tx, [pair], () => 'withdrawn')
  })
  return relationshipTo(ctx, viewer.id, id)
})
