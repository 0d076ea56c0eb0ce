/** A collection of another server by its address: known, or read there with its keeper. */
import { collectionResolve } from '@murmuration/contracts/accounts'
import { fetchFeaturedCollection } from '@murmuration/contracts/federation'
import { putCollection } from '../../changes/put-collection.js'
import { handle } from '../../doors.js'
import { resolveAccount } from '../../outside/resolve-account.js'
import { remoteCollection } from '../../store/remote-collection.js'

export const resolveCollection = handle(collectionResolve, async (ctx, _viewer, { url }) => {
  const known = await remoteCollection(ctx.db, url)
  if (known) return { id: known.id }
  const { collection } = await ctx.call(fetchFeaturedCollection, { uri: url, page: true })
  if (collection === null) return { id: null }
  const owner = await resolveAccount(ctx, { uri: collection.ownerUri })
  const { id } = await putCollection(ctx, owner, collection, { make: true, look: true })
  return { id }
})
