/** Handlers of blocks. */
import { blockRemoved, createBlock, listBlocks, removeBlock } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { accountPage } from '../core/account/page.js'
import { accountById } from '../core/account/store.js'
import { otherAccount } from '../core/account/visible-account.js'
import { lockPair } from '../core/lock.store.js'
import { relationshipTo } from '../core/relationship/relationship.js'
import { handle } from '../handlers.js'
import { beginBlock } from './begin.js'
import { blockedBy, deleteBlock } from './store.js'

/** Accounts that the viewer blocks, newest first. */
export const list = handle(listBlocks, async (ctx, viewer, page) =>
  accountPage(ctx, listBlocks.output, page, await blockedBy(ctx.db, viewer.id, page)),
)

/** Blocks an account for the viewer. Follows between both accounts end. */
export const create = handle(createBlock, async (ctx, viewer, { id }) => {
  const target = await otherAccount(ctx, id)
  // An account cannot block itself: such a request changes nothing.
  if (id !== viewer.id)
    await ctx.db.tx(async (tx) => {
      await lockPair(tx, viewer.id, id)
      const self = await accountById(tx, viewer.id)
      if (!self) throw notFound()
      await beginBlock(ctx, tx, self, target)
    })
  return relationshipTo(ctx, viewer.id, id)
})

/** Removes a block. Follows that the block ended are not restored. */
export const remove = handle(removeBlock, async (ctx, viewer, { id }) => {
  await otherAccount(ctx, id)
  await ctx.db.tx(async (tx) => {
    await lockPair(tx, viewer.id, id)
    const gone = await deleteBlock(tx, { from: viewer.id, to: id })
    if (gone) await ctx.announce(tx, blockRemoved, gone)
  })
  return relationshipTo(ctx, viewer.id, id)
})
