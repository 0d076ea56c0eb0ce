/** Reads which hashtags a remote account features, and takes them over as a whole. */
import { fetchFeaturedTags } from '@murmuration/contracts/federation'
import { notYet } from '@murmuration/contracts/kit'
import { syncFeaturedTags as contract } from '@murmuration/contracts/statuses'
import { setRemoteFeatured } from '../changes/featured-tag.js'
import { namedTag } from '../domain/tag.js'
import { work } from '../doors.js'

export const syncFeaturedTags = work(contract, async (ctx, { account, url }, { tries }) => {
  const { outcome, names } = await ctx.call(fetchFeaturedTags, { url })
  // After the last try it waits for the next reading of the profile.
  if (outcome === 'later' && tries < contract.retry.times) throw notYet('The featured hashtags cannot be read yet')
  if (outcome !== 'ok') return
  const tags = names.map(namedTag).filter((tag) => tag !== null)
  await setRemoteFeatured(ctx, account, () => tags)
})
