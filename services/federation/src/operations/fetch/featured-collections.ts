/** Reads the list of collections of accounts that somebody elsewhere keeps. */
import { fetchFeaturedCollections } from '@murmuration/contracts/federation'
import { handle } from '../../doors.js'
import { featuredCollectionsAt } from '../../outside/fetch/featured-collection.js'
import { placeBehind } from '../../outside/fetch/place.js'
import { keepMsOf, type Outcome } from '../../outside/fetch/reader.js'

export const featuredCollections = handle(fetchFeaturedCollections, async (ctx, _viewer, { url, owner }) => {
  const work = async () => {
    const found = await featuredCollectionsAt(placeBehind(ctx), url, owner)
    return found.ok
      ? { outcome: 'ok' as const, collections: found.collections }
      : { outcome: found.outcome as Outcome, collections: [] }
  }
  const found = await ctx.reader.flight.run(
    `featured collections ${owner} ${url}`,
    work,
    (it) => keepMsOf(it.outcome),
    true,
  )
  return { ...found, look: found.collections.length > 0 && (await ctx.reader.budgets.mayLook(owner)) }
})
