/** Deletes a collection of the viewer. */
import { collectionRemove, collectionRemoved } from '@murmuration/contracts/accounts'
import { reply } from '@murmuration/contracts/kit'
import { announceGone } from '../../changes/collection.js'
import { isOpen } from '../../domain/collection.js'
import { handle } from '../../doors.js'
import { deleteCollection } from '../../store/collection.js'
import { itemsOf } from '../../store/collection-item.js'
import { lockName } from '../../store/lock.js'
import { ownCollection } from '../../views/own-collection.js'

export const removeCollection = handle(collectionRemove, async (ctx, viewer, { id }) => {
  await ctx.db.tx(async (tx) => {
    await lockName(tx, `collection ${id}`)
    const { discoverable } = await ownCollection(tx, viewer, id)
    const items = (await itemsOf(tx, [id], viewer.id)).filter((item) => isOpen(item.state))
    await deleteCollection(tx, id)
    await announceGone(
      ctx,
      tx,
      items.map((item) => ({ ...item, owner: viewer.id })),
    )
    await ctx.announce(tx, collectionRemoved, { id, owner: viewer.id, discoverable })
  })
  return reply('')
})
