/** Handlers of blocks. */
import { blockCreate, blockList, blockRemove, blockRemoved } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { accountById } from '../core/account.store.js'
import { accountPage } from '../core/account-page.js'
import { lockPair } from '../core/lock.store.js'
import { relationshipTo } from '../core/relationship.js'
import { otherAccount } from '../core/visible-account.js'
import { handle } from '../handlers.js'
import { beginBlock } from './begin.js'
import { blockedBy, deleteBlock } from './store.js'

/** Accounts that the viewer blocks, newest first. */
export const listBlocks = handle(blockList, async (ctx, viewer, page) =>
  accountPage(ctx, blockList.output, page, await blockedBy(ctx.db, viewer.id, page)),
)

/** Blocks an account; follows end both ways. */
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

/** Lifts a block; nothing else comes back. */
export const removeBlock = handle(blockRemove, async (ctx, viewer, { id }) => {
  await otherAccount(ctx, id)
  await ctx.db.tx(async (tx) => {
    await lockPair(tx, viewer.id, id)
    const gone = await deleteBlock(tx, { from: viewer.id, to: id })
    if (gone) await ctx.announce(tx, blockRemoved, gone)
  })
  return relationshipTo(ctx, viewer.id, id)
})
