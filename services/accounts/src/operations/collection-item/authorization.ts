/** That somebody here agreed to be in a collection, while it holds. */
import { collectionItemAuthorization } from '@murmuration/contracts/accounts'
import { collectionAddress } from '../../domain/collection.js'
import { handle } from '../../doors.js'
import { accountsByIds } from '../../store/account.js'
import { collectionById } from '../../store/collection.js'
import { itemWithOwner } from '../../store/collection-item.js'

export const showItemAuthorization = handle(collectionItemAuthorization, async (ctx, _viewer, { id }) => {
  const none = { authorization: null }
  const item = await itemWithOwner(ctx.db, id)
  if (item?.state !== 'accepted') return none
  const [[account], collection] = await Promise.all([
    accountsByIds(ctx.db, [item.account_id]),
    collectionById(ctx.db, item.collection_id),
  ])
  if (!account || !collection || account.domain !== null || account.suspended || collection.owner_suspended) return none
  const collectionUri = collection.uri ?? collectionAddress(collection.owner_uri, collection.id)
  return { authorization: { account: account.id, accountUri: account.uri, collectionUri } }
})
