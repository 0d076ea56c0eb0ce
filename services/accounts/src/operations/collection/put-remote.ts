/** What somebody elsewhere says of a collection of theirs. */
import { putRemoteCollection } from '@murmuration/contracts/accounts'
import { putCollection } from '../../changes/put-collection.js'
import { handle } from '../../doors.js'
import { accountById } from '../../store/account.js'

export const putRemote = handle(putRemoteCollection, async (ctx, _viewer, { actor, collection, ...how }) => {
  const { outcome } = await putCollection(ctx, await accountById(ctx.db, actor), collection, how)
  return { outcome }
})
