/** Handlers that fetch featured collections of other servers (FEP-7aa9). */
import {
  fetchFeatureAuthorization,
  fetchFeaturedCollection,
  fetchFeaturedCollections,
  fetchFeaturedItem,
} from '@murmuration/contracts/federation'
import { handle } from '../handlers.js'
import { keepMsOf, type Outcome } from './document-fetcher.js'
import { proveFeatureAuthorization } from './feature-authorization.js'
import { featuredCollectionAt, featuredCollectionsAt, featuredItemAt } from './featured-collection.js'
import { backgroundFetch, fetchContext } from './fetch-context.js'

/** Fetches a collection of accounts (FEP-7aa9) of a remote account. */
export const featuredCollection = handle(fetchFeaturedCollection, async (ctx, _viewer, input) => {
  const { uri, page = false, fresh } = input
  const work = async () => {
    const found = await featuredCollectionAt(page ? fetchContext(ctx) : backgroundFetch(ctx), uri, page)
    return found.ok
      ? { outcome: 'ok' as const, collection: found.collection }
      : { outcome: found.outcome as Outcome, collection: null }
  }
  return ctx.fetcher.flight.run(`featured collection ${page} ${uri}`, work, (it) => keepMsOf(it.outcome), fresh)
})

/** Fetches the list of collections of a remote account. */
export const featuredCollections = handle(fetchFeaturedCollections, async (ctx, _viewer, { url, owner }) => {
  const work = async () => {
    const found = await featuredCollectionsAt(backgroundFetch(ctx), url, owner)
    return found.ok
      ? { outcome: 'ok' as const, collections: found.collections }
      : { outcome: found.outcome as Outcome, collections: [] }
  }
  const found = await ctx.fetcher.flight.run(
    `featured collections ${owner} ${url}`,
    work,
    (it) => keepMsOf(it.outcome),
    true,
  )
  return { ...found, look: found.collections.length > 0 && (await ctx.fetcher.limits.mayLookUpMembers(owner)) }
})

/** Fetches an item of a collection of a remote account. */
export const featuredItem = handle(fetchFeaturedItem, async (ctx, _viewer, { uri, collection }) => {
  const work = async () => {
    const found = await featuredItemAt(backgroundFetch(ctx), uri, collection)
    return found.ok ? { outcome: 'ok' as const, item: found.item } : { outcome: found.outcome as Outcome, item: null }
  }
  // Items of a collection are always fetched anew, because a missing item may exist after the next Update of its
  // collection.
  return ctx.fetcher.flight.run(`featured item ${collection} ${uri}`, work, (it) => keepMsOf(it.outcome), true)
})

/** Fetches the consent of an actor to be in a collection; `ok` if it is valid. */
export const featureAuthorization = handle(fetchFeatureAuthorization, async (ctx, _viewer, input) => {
  const work = async () => {
    const found = await proveFeatureAuthorization(backgroundFetch(ctx), input)
    return { outcome: found.ok ? ('ok' as const) : (found.outcome as Outcome) }
  }
  const { authorization, collection, account } = input
  const name = `feature authorization ${authorization} ${collection} ${account}`
  return ctx.fetcher.flight.run(name, work, ({ outcome }) => (outcome === 'later' ? keepMsOf(outcome) : 0))
})
