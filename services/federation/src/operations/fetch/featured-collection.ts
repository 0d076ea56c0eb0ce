/** Reads a collection of accounts that somebody elsewhere keeps. */
import { fetchFeaturedCollection } from '@murmuration/contracts/federation'
import { handle } from '../../doors.js'
import { featuredCollectionAt } from '../../outside/fetch/featured-collection.js'
import { placeBehind, placeOf } from '../../outside/fetch/place.js'
import { keepMsOf, type Outcome } from '../../outside/fetch/reader.js'

export const featuredCollection = handle(fetchFeaturedCollection, async (ctx, _viewer, input) => {
  const { uri, page = false, fresh } = input
  const work = async () => {
    const found = await featuredCollectionAt(page ? placeOf(ctx) : placeBehind(ctx), uri, page)
    return found.ok
      ? { outcome: 'ok' as const, collection: found.collection }
      : { outcome: found.outcome as Outcome, collection: null }
  }
  return ctx.reader.flight.run(`featured collection ${page} ${uri}`, work, (it) => keepMsOf(it.outcome), fresh)
})
