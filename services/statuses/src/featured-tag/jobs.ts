/** The job that fetches the featured hashtags of a remote account and replaces the stored ones. */
import { fetchFeaturedTags } from '@murmuration/contracts/federation'
import { notYet } from '@murmuration/contracts/kit'
import { syncFeaturedTags as syncFeaturedTagsJob } from '@murmuration/contracts/statuses'
import { namedTag } from '../core/tag/rules.js'
import { work } from '../handlers.js'
import { setRemoteFeatured } from './feature.js'

export const syncFeaturedTags = work(syncFeaturedTagsJob, async (ctx, { account, url }, { tries }) => {
  const { outcome, names } = await ctx.call(fetchFeaturedTags, { url })
  // If the last try fails, the stored featured hashtags stay until the profile is read again.
  if (outcome === 'later' && tries < syncFeaturedTagsJob.retry.times)
    throw notYet('The featured hashtags cannot be read yet')
  if (outcome !== 'ok') return
  const tags = names.map(namedTag).filter((tag) => tag !== null)
  await ctx.db.tx((tx) => setRemoteFeatured(ctx, tx, account, () => tags))
})
