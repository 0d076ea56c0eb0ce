/** Makes somebody no longer follow the viewer. */
import { followerRemove } from '@murmuration/contracts/accounts'
import { endFollows } from '../../changes/follow.js'
import { handle } from '../../doors.js'
import { lockPair } from '../../store/lock.js'
import { otherAccount } from '../../views/other-account.js'
import { relationshipTo } from '../../views/relationship.js'

export const removeFollower = handle(followerRemove, async (ctx, viewer, { id }) => {
  await otherAccount(ctx, id)
  await ctx.db.tx(async (tx) => {
    await lockPair(tx, viewer.id, id)
    await endFollows(ctx, tx, [{ from: id, to: viewer.id }], () => true)
  })
  return relationshipTo(ctx, viewer.id, id)
})
