/** Handlers of the items of a collection for the API. */
import { addCollectionItem, removeCollectionItem, revokeCollectionItem } from '@murmuration/contracts/accounts'
import { fail, notFound, reply } from '@murmuration/contracts/kit'
import { lockName, lockPair } from '../core/lock.store.js'
import { handle } from '../handlers.js'
import { deleteItem, itemById, setItemState } from './item.store.js'
import { addToCollection, announceGone } from './members.js'
import { ownCollection } from './own.js'
import { itemOf } from './present.js'
import { collectionById } from './store.js'

/** Adds an account to a collection of the viewer. A remote account stays pending until its server accepts. */
export const addItem = handle(addCollectionItem, async (ctx, viewer, { collection_id, account_id }) => {
  const item = await ctx.db.tx(async (tx) => {
    // The locks prevent that a block is stored between the check and the item, and that concurrent requests exceed the limit of items.
    if (account_id !== undefined) await lockPair(tx, viewer.id, account_id)
    await lockName(tx, `collection ${collection_id}`)
    const collection = await ownCollection(tx, viewer, collection_id)
    if (account_id === undefined) throw fail('unprocessable', '`account_id` parameter is missing')
    const [added] = await addToCollection(ctx, tx, { id: collection.id, owner: viewer.id }, [account_id])
    return added
  })
  if (!item) throw new Error('a stored item is gone')
  return { collection_item: itemOf(item) }
})

/** Removes an account from a collection of the viewer. */
export const remove = handle(removeCollectionItem, async (ctx, viewer, { collection_id, id }) => {
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

/** The viewer leaves a collection of another account. The owner cannot add the viewer again. */
export const revoke = handle(revokeCollectionItem, async (ctx, viewer, { collection_id, id }) => {
  await ctx.db.tx(async (tx) => {
    await lockName(tx, `collection ${collection_id}`)
    const collection = await collectionById(tx, collection_id)
    const item = await itemById(tx, collection_id, id)
    if (!collection || !item) throw notFound()
    if (item.account_id !== viewer.id) throw fail('forbidden', 'This action is not allowed')
    if (await setItemState(tx, id, 'revoked'))
      await announceGone(ctx, tx, [
        { ...item, state: 'revoked', owner: collection.account_id, collection_uri: collection.uri },
      ])
  })
  return reply('')
})
