/** Reads a collection of another server again that was not read for a day, or of which more was said than was heard. */
import { refreshCollectionJob } from '@murmuration/contracts/accounts'
import { fetchFeaturedCollection } from '@murmuration/contracts/federation'
import { notYet } from '@murmuration/contracts/kit'
import { putCollection } from '../changes/put-collection.js'
import { endCollection } from '../changes/remote-collection.js'
import { work } from '../doors.js'
import { accountById } from '../store/account.js'
import { collectionById } from '../store/collection.js'
import { lockName } from '../store/lock.js'

export const refreshCollection = work(refreshCollectionJob, async (ctx, { collection: id }, { tries }) => {
  const row = await collectionById(ctx.db, id)
  if (!row?.uri || row.owner_suspended) return
  const { outcome, collection } = await ctx.call(fetchFeaturedCollection, { uri: row.uri })
  // After the last try it waits for the next one who opens it.
  if (outcome === 'later' && tries < refreshCollectionJob.retry.times) throw notYet('The collection cannot be read yet')
  if (collection !== null)
    await putCollection(ctx, await accountById(ctx.db, row.account_id), collection, { make: false, look: true })
  if (outcome === 'gone')
    await ctx.db.tx(async (tx) => {
      await lockName(tx, `collection ${id}`)
      if (await collectionById(tx, id)) await endCollection(ctx, tx, row)
    })
})
