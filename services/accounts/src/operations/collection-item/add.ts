/** Puts an account into a collection of the viewer. */
import { collectionItemAdd } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { addToCollection } from '../../changes/collection.js'
import { handle } from '../../doors.js'
import { lockName, lockPair } from '../../store/lock.js'
import { itemOf } from '../../views/collection.js'
import { ownCollection } from '../../views/own-collection.js'

export const addCollectionItem = handle(collectionItemAdd, async (ctx, viewer, { collection_id, account_id }) => {
  const item = await ctx.db.tx(async (tx) => {
    // Nobody blocks the other between the check and the row, and two at once do not pass the most there may be.
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
