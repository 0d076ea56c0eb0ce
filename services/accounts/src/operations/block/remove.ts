/** Lifts a block; nothing else comes back. */
import { blockRemove, blockRemoved } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { deleteBlock } from '../../store/block.js'
import { lockPair } from '../../store/lock.js'
import { otherAccount } from '../../views/other-account.js'
import { relationshipTo } from '../../views/relationship.js'

export const removeBlock = handle(blockRemove, async (ctx, viewer, { id }) => {
  await otherAccount(ctx, id)
  await ctx.db.tx(async (tx) => {
    await lockPair(tx, viewer.id, id)
    const gone = await deleteBlock(tx, { from: viewer.id, to: id })
    if (gone) await ctx.announce(tx, blockRemoved, gone)
  })
  return relationshipTo(ctx, viewer.id, id)
})
