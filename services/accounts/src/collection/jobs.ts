/** Jobs that fetch collections of remote accounts. */
import { refreshCollectionJob, syncCollectionsJob } from '@murmuration/contracts/accounts'
import { fetchFeaturedCollection, fetchFeaturedCollections } from '@murmuration/contracts/federation'
import { notYet } from '@murmuration/contracts/kit'
import { accountById } from '../core/account/store.js'
import { lockName } from '../core/lock.store.js'
import { work } from '../handlers.js'
import { putCollection } from './put.js'
import { collectionUris } from './remote.store.js'
import { deleteRemoteCollection } from './remote-items.js'
import { collectionById } from './store.js'

/** Fetches a remote collection again after a day, or after the rate limit skipped a change by its owner. */
export const refreshCollection = work(refreshCollectionJob, async (ctx, { collection: id }, { tries }) => {
  const row = await collectionById(ctx.db, id)
  if (!row?.uri || row.owner_suspended) return
  const { outcome, collection } = await ctx.call(fetchFeaturedCollection, { uri: row.uri })
  // After the last try, a request for the collection queues this job again, at the earliest a day later.
  if (outcome === 'later' && tries < refreshCollectionJob.retry.times) throw notYet('The collection cannot be read yet')
  if (collection !== null)
    await putCollection(ctx, await accountById(ctx.db, row.account_id), collection, { make: false, look: true })
  if (outcome === 'gone')
    await ctx.db.tx(async (tx) => {
      await lockName(tx, `collection ${id}`)
      if (await collectionById(tx, id)) await deleteRemoteCollection(ctx, tx, row)
    })
})

/** Fetches the list of collections of a followed remote account, and stores the collections. */
export const syncCollections = work(syncCollectionsJob, async (ctx, { account, url }, { tries }) => {
  const owner = await accountById(ctx.db, account)
  if (!owner || owner.suspended) return
  const before = await collectionUris(ctx.db, account)
  const { outcome, collections, look } = await ctx.call(fetchFeaturedCollections, { url, owner: owner.uri })
  // On the last try, the job ends without an error, because the next fetch of the owner's profile queues the job again.
  if (outcome === 'later' && tries < syncCollectionsJob.retry.times) throw notYet('The collections cannot be read yet')
  // A collection that was stored before the fetch but is absent now was deleted meanwhile, so it is not stored again.
  await Promise.all(collections.map((one) => putCollection(ctx, owner, one, { make: !before.has(one.uri), look })))
})
