/** Collections of accounts that people elsewhere keep: made, changed, filled, emptied, removed (FEP-7aa9). */

import { type Loose, type Ref, typesOf } from '@murmuration/activitypub/vocabulary/loose'
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
import { remoteCollection } from '../../core/remote-collection.rules.js'
import { done, ignored, type Outcome, refused } from './outcome.js'
import { countOnce, followerHere, type Received, tryLater } from './received.js'
import { areItemsNewer, inTurn, noteItems } from './turn.js'

type By = Pick<Received<'Add'>, 'actor' | 'letter'> & { activity: { actor: Uri } }

/** One that is new is kept where somebody here follows its keeper; the others are none of our business. */
const put = async (ctx: Context, { actor }: By, collection: RemoteCollection, make: boolean): Promise<Outcome> => {
  const look = make && (await ctx.reader.budgets.mayLook(actor.uri))
  const { outcome } = await ctx.call(putRemoteCollection, { actor: actor.id, collection, make, look })
  if (outcome === 'unknown') return ignored('not-followed')
  return outcome === 'refused' ? refused('too-many-collections') : done(outcome === 'done' ? null : outcome)
}

/** Whether a collection of the actor is known here. */
const isKnown = async (ctx: Context, { actor }: By, uri: Uri): Promise<boolean> =>
  (await ctx.call(collectionRecords, { uris: [uri] })).records.some((it) => it.owner === actor.id)

/** So much is told of collections by their keeper, each letter counted once. */
const mayTell = (ctx: Context, { actor, letter }: By): Promise<boolean> =>
  countOnce(ctx, letter, 'tell', () => ctx.reader.budgets.mayTell(actor.uri))

/** What is not heard is read where it stands, when somebody opens the collection a while later. */
const unheard = async (ctx: Context, { actor }: By, uri: Uri, reason: string): Promise<Outcome> => {
  await ctx.call(changeRemoteCollection, { actor: actor.id, uri, soon: true })
  return refused(reason)
}

/** A collection that was only named, or whose items are on pages: what stands at its own address. */
const readWhole = async (ctx: Context, by: By, uri: Uri): Promise<Outcome> => {
  const { actor } = by
  const make = !actor.suspended && (await followerHere(ctx, actor.id)) !== null
  if (!make && !(await isKnown(ctx, by, uri))) return ignored('not-followed')
  if (!(await mayTell(ctx, by))) return unheard(ctx, by, uri, 'told-too-often')
  const mayConsult = () => ctx.reader.budgets.mayConsult(uri, hostOf(uri) as string)
  if (!(await countOnce(ctx, by.letter, 'consult', mayConsult))) return unheard(ctx, by, uri, 'asked-too-often')
  const { outcome, collection } = await ctx.call(fetchFeaturedCollection, { uri, fresh: true })
  if (outcome === 'later') throw tryLater('the collection cannot be read yet')
  if (collection === null) return refused(`collection-${outcome}`)
  return collection.ownerUri === by.activity.actor ? put(ctx, by, collection, make) : refused('not-yours')
}

const takeWhole = async (ctx: Context, by: By, node: Loose): Promise<Outcome> => {
  const { actor, activity } = by
  const incoming = readFeaturedCollection(node)
  if (incoming === null) return refused('bad-object')
  if (incoming.ownerUri !== activity.actor) return refused('not-yours')
  const uri = incoming.uri as Uri
  if (incoming.first !== null || (await areItemsNewer(ctx, by, uri))) return readWhole(ctx, by, uri)
  if (!(await mayTell(ctx, by))) return unheard(ctx, by, uri, 'told-too-often')
  const make = !actor.suspended && (await followerHere(ctx, actor.id)) !== null
  const outcome = await put(ctx, by, remoteCollection(incoming), make)
  // What was put in or taken out while this was stored may be missing, or stand there again.
  return outcome.outcome === 'done' && (await areItemsNewer(ctx, by, uri)) ? readWhole(ctx, by, uri) : outcome
}

const takeItem = async (
  ctx: Context,
  by: By,
  collection: Uri,
  item: { add: RemoteCollectionItem } | { addNamed: Uri },
): Promise<Outcome> => {
  const { actor } = by
  if (!(await mayTell(ctx, by))) return unheard(ctx, by, collection, 'told-too-often')
  if (!(await isKnown(ctx, by, collection))) return ignored('unknown-object')
  // First: whoever takes the whole of it meanwhile looks for this afterwards.
  await noteItems(ctx, by, collection)
  const { outcome } = await ctx.call(changeRemoteCollection, { actor: actor.id, uri: collection, ...item })
  if (outcome === 'unknown') return ignored('unknown-object')
  return done(outcome === 'done' ? null : outcome)
}

/** What is added by its address alone; null when that cannot be a collection, or an item of one that is known here. */
const takeNamed = async (ctx: Context, by: By, id: Uri, target: Uri): Promise<Outcome | null> => {
  const { actor } = by
  if (target === actor.featured_url || !sameOrigin(id, target)) return null
  if (target === actor.featured_collections_url) return readWhole(ctx, by, id)
  return (await isKnown(ctx, by, target)) ? takeItem(ctx, by, target, { addNamed: id }) : null
}

/** Null when the object is something else. */
export const collectionUpdated = async (ctx: Context, by: By, { id, node }: Ref): Promise<Outcome | null> => {
  if (id === null) return null
  if (isFeaturedCollection(node)) return inTurn(ctx, by, { thing: id }, () => takeWhole(ctx, by, node))
  return node === null && (await isKnown(ctx, by, id))
    ? inTurn(ctx, by, { thing: id }, () => readWhole(ctx, by, id))
    : null
}

/** Null when what is added is something else. */
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

/** The end of a collection that is known here; null when it is none. */
export const collectionEnded = async (ctx: Context, by: By, { id, node }: Ref): Promise<Outcome | null> => {
  // What says that it is something else is not asked about.
  const types = node === null ? [] : typesOf(node)
  if (id === null || (types.length > 0 && !types.some((it) => it === 'FeaturedCollection' || it === 'Tombstone')))
    return null
  // It may have overtaken what tells of it, which matters only of those who are followed.
  if (!(await isKnown(ctx, by, id)) && !(await ctx.acquaintances.isFollowed(by.actor.id))) return null
  return inTurn(ctx, by, { thing: id, ends: true }, async () => {
    const { outcome } = await ctx.call(changeRemoteCollection, { actor: by.actor.id, uri: id, gone: true })
    return outcome === 'unknown' ? null : done()
  })
}

/** Null when what is removed is no collection, or item of one, that is known here. */
export const collectionTakenOff = async (
  ctx: Context,
  by: By,
  { object, target }: { object: Ref; target: Uri },
): Promise<Outcome | null> => {
  const { actor } = by
  if (object.id === null || target === actor.featured_url) return null
  const whose = { actor: actor.id }
  if (await isKnown(ctx, by, target)) {
    await noteItems(ctx, by, target)
    const item = await ctx.call(changeRemoteCollection, { ...whose, uri: target, remove: object.id })
    return item.outcome === 'unknown' ? null : done(item.outcome === 'done' ? null : item.outcome)
  }
  // Some were met before they said where their collections are listed.
  const list = actor.featured_collections_url ?? target
  if (target !== list || !sameOrigin(target, object.id)) return null
  const whole = await ctx.call(changeRemoteCollection, { ...whose, uri: object.id, gone: true })
  return whole.outcome === 'unknown' ? null : done()
}
