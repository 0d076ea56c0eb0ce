/** Blocks an account; follows end both ways. */
import { blockCreate } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { beginBlock } from '../../changes/block.js'
import { handle } from '../../doors.js'
import { accountById } from '../../store/account.js'
import { lockPair } from '../../store/lock.js'
import { otherAccount } from '../../views/other-account.js'
import { relationshipTo } from '../../views/relationship.js'

export const createBlock = handle(blockCreate, async (ctx, viewer, { id }) => {
  const target = await otherAccount(ctx, id)
  // Blocking oneself does nothing.
  if (id !== viewer.id)
    await ctx.db.tx(async (tx) => {
      await lockPair(tx, viewer.id, id)
      const self = await accountById(tx, viewer.id)
      if (!self) throw notFound()
      await beginBlock(ctx, tx, self, target)
    })
  return relationshipTo(ctx, viewer.id, id)
})
