/** The viewer leaves a collection of somebody else; its keeper cannot put them back. */
import { collectionItemRevoke } from '@murmuration/contracts/accounts'
import { fail, notFound, reply } from '@murmuration/contracts/kit'
import { announceGone } from '../../changes/collection.js'
import { handle } from '../../doors.js'
import { collectionById } from '../../store/collection.js'
import { itemById, setItemState } from '../../store/collection-item.js'
import { lockName } from '../../store/lock.js'

export const revokeCollectionItem = handle(collectionItemRevoke, async (ctx, viewer, { collection_id, id }) => {
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
