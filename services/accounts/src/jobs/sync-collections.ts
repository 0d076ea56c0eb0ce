/** Reads which collections an account elsewhere keeps that somebody here follows, and takes them over. */
import { syncCollectionsJob } from '@murmuration/contracts/accounts'
import { fetchFeaturedCollections } from '@murmuration/contracts/federation'
import { notYet } from '@murmuration/contracts/kit'
import { putCollection } from '../changes/put-collection.js'
import { work } from '../doors.js'
import { accountById } from '../store/account.js'
import { collectionUris } from '../store/remote-collection.js'

export const syncCollections = work(syncCollectionsJob, async (ctx, { account, url }, { tries }) => {
  const owner = await accountById(ctx.db, account)
  if (!owner || owner.suspended) return
  const before = await collectionUris(ctx.db, account)
  const { outcome, collections, look } = await ctx.call(fetchFeaturedCollections, { url, owner: owner.uri })
  // After the last try it waits for the next reading of the profile.
  if (outcome === 'later' && tries < syncCollectionsJob.retry.times) throw notYet('The collections cannot be read yet')
  // One that was here before and is not any more ended while the list was read.
  await Promise.all(collections.map((one) => putCollection(ctx, owner, one, { make: !before.has(one.uri), look })))
})
