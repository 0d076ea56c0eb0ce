/** Reads an item of a collection of accounts that somebody elsewhere keeps. */
import { fetchFeaturedItem } from '@murmuration/contracts/federation'
import { handle } from '../../doors.js'
import { featuredItemAt } from '../../outside/fetch/featured-collection.js'
import { placeBehind } from '../../outside/fetch/place.js'
import { keepMsOf, type Outcome } from '../../outside/fetch/reader.js'

export const featuredItem = handle(fetchFeaturedItem, async (ctx, _viewer, { uri, collection }) => {
  const work = async () => {
    const found = await featuredItemAt(placeBehind(ctx), uri, collection)
    return found.ok ? { outcome: 'ok' as const, item: found.item } : { outcome: found.outcome as Outcome, item: null }
  }
  // An item that was missing a moment ago can be there after the next Update of its collection.
  return ctx.reader.flight.run(`featured item ${collection} ${uri}`, work, (it) => keepMsOf(it.outcome), true)
})
