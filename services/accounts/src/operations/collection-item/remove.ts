/** Takes an account out of a collection of the viewer. */
import { collectionItemRemove } from '@murmuration/contracts/accounts'
import { notFound, reply } from '@murmuration/contracts/kit'
import { announceGone } from '../../changes/collection.js'
import { handle } from '../../doors.js'
import { deleteItem, itemById } from '../../store/collection-item.js'
import { lockName } from '../../store/lock.js'
import { ownCollection } from '../../views/own-collection.js'

export const removeCollectionItem = handle(collectionItemRemove, async (ctx, viewer, { collection_id, id }) => {
  await ctx.db.tx(async (tx) => {
    await lockName(tx, `collection ${collection_id}`)
    await ownCollection(tx, viewer, collection_id)
    const item = await itemById(tx, collection_id, id)
    if (!item) throw notFound()
    await deleteItem(tx, id)
    await announceGone(ctx, tx, [{ ...item, owner: viewer.id }])
  })
  return reply('')
})
