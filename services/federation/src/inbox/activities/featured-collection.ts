/**
 * Handles activities about remote collections of accounts: creation, update, added and removed items, and deletion
 * (FEP-7aa9).
 */

import { type JsonObject, type Ref, typesOf } from '@murmuration/activitypub/vocabulary/json'
import {
  isFeaturedCollection,
  isFeaturedItem,
  readFeaturedCollection,
  readFeaturedItem,
} from '@murmuration/activitypub/vocabulary/read-featured-collection'
import { hostOf, sameOrigin, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import {
  changeRemoteCollection,
  collectionRecords,
  putRemoteCollection,
  type RemoteCollection,
  type RemoteCollectionItem,
} from '@murmuration/contracts/accounts'
import { fetchFeaturedCollection } from '@murmuration/contracts/federation'
import type { Context } from '../../context.js'
import { remoteCollection } from '../../core/remote-object/collection.rules.js'
import { isAddressOf } from './author.js'
import { areItemsNewer, inOrder, recordItemChange } from './ordering.js'
import { done, ignored, type Outcome, refused } from './outcome.js'
import { countOnce, followerHere, type Received, retryLater } from './received.js'

type By = Pick<Received<'Add'>, 'actor' | 'delivery'> & { activity: { actor: Uri } }

/**
 * Stores a collection. With `make`, an unknown collection is created. The caller checks that its owner has local
 * followers.
 */
const put = async (ctx: Context, { actor }: By, collection: RemoteCollection, make: boolean): Promise<Outcome> => {
  const look = make && (await ctx.fetcher.limits.mayLookUpMembers(actor.uri))
  const { outcome } = await ctx.call(putRemoteCollection, { actor: actor.id, collection, make, look })
  if (outcome === 'unknown') return ignored('not-followed')
  return outcome === 'refused' ? refused('too-many-collections') : done(outcome === 'done' ? null : outcome)
}

/** True if a collection of the actor with this URI is stored. */
const isKnown = async (ctx: Context, { actor }: By, uri: Uri): Promise<boolean> =>
  (await ctx.call(collectionRecords, { uris: [uri] })).records.some((it) => it.owner === actor.id)

/**
 * True if the rate limit permits a change of collections by their owner. Each delivery of a change is counted once. The
 * purpose `tell` has an older name, so that processes of two releases count the delivery once.
 */
const mayChangeCollection = (ctx: Context, { actor, delivery }: By): Promise<boolean> =>
  countOnce(ctx, delivery, 'tell', () => ctx.fetcher.limits.mayChangeCollection(actor.uri))

/**
 * Skips a change of a collection above the rate limit: the collection is marked, and fetched when a local account opens
 * it.
 */
const skipChange = async (ctx: Context, { actor }: By, uri: Uri, reason: string): Promise<Outcome> => {
  await ctx.call(changeRemoteCollection, { actor: actor.id, uri, soon: true })
  return refused(reason)
}

/**
 * Fetches and stores a collection: if the activity contains no copy of it, if its items are on pages or missing, or if
 * the copy is outdated.
 */
const readWhole = async (ctx: Context, by: By, uri: Uri): Promise<Outcome> => {
  const { actor } = by
  const make = !actor.suspended && (await followerHere(ctx, actor.id)) !== null
  if (!make && !(await isKnown(ctx, by, uri))) return ignored('not-followed')
  if (!(await mayChangeCollection(ctx, by))) return skipChange(ctx, by, uri, 'collection-limit')
  const mayFetchForwarded = () => ctx.fetcher.limits.mayFetchForwarded(uri, hostOf(uri) as string)
  if (!(await countOnce(ctx, by.delivery, 'consult', mayFetchForwarded))) return skipChange(ctx, by, uri, 'fetch-limit')
  const { outcome, collection } = await ctx.call(fetchFeaturedCollection, { uri, fresh: true })
  if (outcome === 'later') throw retryLater('the collection cannot be read yet')
  if (collection === null) return refused(`collection-${outcome}`)
  return (await isAddressOf(ctx, collection.ownerUri as Uri, actor))
    ? put(ctx, by, collection, make)
    : refused('not-yours')
}

const takeWhole = async (ctx: Context, by: By, node: JsonObject): Promise<Outcome> => {
  const { actor, activity } = by
  const incoming = readFeaturedCollection(node)
  if (incoming === null) return refused('bad-object')
  if (incoming.ownerUri !== activity.actor) return refused('not-yours')
  const uri = incoming.uri as Uri
  if (incoming.first !== null || incoming.incomplete || (await areItemsNewer(ctx, by, uri)))
    return readWhole(ctx, by, uri)
  if (!(await mayChangeCollection(ctx, by))) return skipChange(ctx, by, uri, 'collection-limit')
  const make = !actor.suspended && (await followerHere(ctx, actor.id)) !== null
  const outcome = await put(ctx, by, remoteCollection(incoming), make)
  // While the collection in the Update was stored, another activity may have added or removed items.
  return outcome.outcome === 'done' && (await areItemsNewer(ctx, by, uri)) ? readWhole(ctx, by, uri) : outcome
}

const takeItem = async (
  ctx: Context,
  by: By,
  collection: Uri,
  item: { add: RemoteCollectionItem } | { addNamed: Uri },
): Promise<Outcome> => {
  const { actor } = by
  if (!(await mayChangeCollection(ctx, by))) return skipChange(ctx, by, collection, 'collection-limit')
  if (!(await isKnown(ctx, by, collection))) return ignored('unknown-object')
  // The time of the change is stored before the item, because a handler that stores the whole collection checks this
  // time afterwards.
  await recordItemChange(ctx, by, collection)
  const { outcome } = await ctx.call(changeRemoteCollection, { actor: actor.id, uri: collection, ...item })
  if (outcome === 'unknown') return ignored('unknown-object')
  return done(outcome === 'done' ? null : outcome)
}

/**
 * Handles an Add whose object is only a URI. Returns null if the object can be neither a collection nor an item of a
 * known one.
 */
const takeNamed = async (ctx: Context, by: By, id: Uri, target: Uri): Promise<Outcome | null> => {
  const { actor } = by
  if (target === actor.featured_url || !sameOrigin(id, target)) return null
  if (target === actor.featured_collections_url) return readWhole(ctx, by, id)
  return (await isKnown(ctx, by, target)) ? takeItem(ctx, by, target, { addNamed: id }) : null
}

/** Handles an Update of a collection. Null if the object is not a collection. */
export const collectionUpdated = async (ctx: Context, by: By, { id, node }: Ref): Promise<Outcome | null> => {
  if (id === null) return null
  if (isFeaturedCollection(node)) return inOrder(ctx, by, { object: id }, () => takeWhole(ctx, by, node))
  return node === null && (await isKnown(ctx, by, id))
    ? inOrder(ctx, by, { object: id }, () => readWhole(ctx, by, id))
    : null
}

/** Handles an Add of a collection or of an item. Returns null if the object is neither a collection nor an item. */
export const collectionAdded = async (
  ctx: Context,
  by: By,
  { object, target }: { object: Ref; target: Uri },
): Promise<Outcome | null> => {
  const { id, node } = object
  if (node === null && id !== null && sameOrigin(target, by.activity.actor)) return takeNamed(ctx, by, id, target)
  if (!isFeaturedCollection(node) && !isFeaturedItem(node)) return null
  if (!sameOrigin(target, by.activity.actor)) return refused('not-yours')
  if (isFeaturedCollection(node)) return takeWhole(ctx, by, node)
  const item = readFeaturedItem(node, target)
  return item === null ? refused('bad-object') : takeItem(ctx, by, target, { add: item })
}

/** Handles a Delete of a collection. Null if the object is not a known collection. */
export const collectionEnded = async (ctx: Context, by: By, { id, node }: Ref): Promise<Outcome | null> => {
  // An object of a known other type cannot be a collection.
  const types = node === null ? [] : typesOf(node)
  if (id === null || (types.length > 0 && !types.some((it) => it === 'FeaturedCollection' || it === 'Tombstone')))
    return null
  // For owners with local followers, the Delete of an unknown collection counts too, because its Add may arrive later.
  if (!(await isKnown(ctx, by, id)) && !(await ctx.accountCache.isFollowed(by.actor.id))) return null
  return inOrder(ctx, by, { object: id, ends: true }, async () => {
    const { outcome } = await ctx.call(changeRemoteCollection, { actor: by.actor.id, uri: id, gone: true })
    return outcome === 'unknown' ? null : done()
  })
}

/** Handles a Remove of a collection or of an item. Null if the object is neither a known collection nor an item of one. */
export const removeFromCollections = async (
  ctx: Context,
  by: By,
  { object, target }: { object: Ref; target: Uri },
): Promise<Outcome | null> => {
  const { actor } = by
  if (object.id === null || target === actor.featured_url) return null
  const whose = { actor: actor.id }
  if (await isKnown(ctx, by, target)) {
    await recordItemChange(ctx, by, target)
    const item = await ctx.call(changeRemoteCollection, { ...whose, uri: target, remove: object.id })
    return item.outcome === 'unknown' ? null : done(item.outcome === 'done' ? null : item.outcome)
  }
  // The address of the actor's list of collections is unknown if the actor was fetched before it had a list. Any target
  // then counts as the list.
  const list = actor.featured_collections_url ?? target
  if (target !== list || !sameOrigin(target, object.id)) return null
  const whole = await ctx.call(changeRemoteCollection, { ...whose, uri: object.id, gone: true })
  return whole.outcome === 'unknown' ? null : done()
}
