/** Collections of accounts that people elsewhere keep: made, changed, filled, emptied, removed (FEP-7aa9). */
import { changeRemoteCollection, putRemoteCollection } from '@murmuration/contracts/accounts'
import type { Context } from '../context.js'
import { remoteCollection } from '../domain/remote-collection.js'
import type { Loose, Ref } from '../vocabulary/loose.js'
import {
  isFeaturedCollection,
  isFeaturedItem,
  readFeaturedCollection,
  readFeaturedItem,
} from '../vocabulary/read-featured-collection.js'
import { sameOrigin, type Uri } from '../vocabulary/uri.js'
import { done, ignored, type Outcome, refused } from './outcome.js'
import { followerHere, type Received } from './received.js'

type By = Pick<Received<'Add'>, 'actor'> & { activity: { actor: Uri } }

/** A whole collection. One that is new is kept where somebody here follows its keeper; the others are none of our business. */
const takeWhole = async (ctx: Context, { activity, actor }: By, node: Loose): Promise<Outcome> => {
  const incoming = readFeaturedCollection(node)
  if (incoming === null) return refused('bad-object')
  const collection = remoteCollection(incoming)
  if (collection.ownerUri !== activity.actor || actor.suspended) return refused('not-yours')
  if (!(await ctx.reader.budgets.mayTell(actor.uri))) return refused('told-too-often')
  const follows = (await followerHere(ctx, actor.id)) !== null
  const look = follows && (await ctx.reader.budgets.mayLook(actor.uri))
  const { outcome } = await ctx.call(putRemoteCollection, { actor: actor.id, collection, make: follows, look })
  if (outcome === 'unknown') return ignored('not-followed')
  return outcome === 'refused' ? refused('too-many-collections') : done(outcome === 'done' ? null : outcome)
}

/** Null when the object is something else. */
export const collectionUpdated = async (ctx: Context, by: By, object: Ref): Promise<Outcome | null> =>
  isFeaturedCollection(object.node) ? takeWhole(ctx, by, object.node) : null

/** Null when what is added is something else. */
export const collectionAdded = async (
  ctx: Context,
  by: By,
  { object, target }: { object: Ref; target: Uri },
): Promise<Outcome | null> => {
  const { node } = object
  if (!isFeaturedCollection(node) && !isFeaturedItem(node)) return null
  if (!sameOrigin(target, by.activity.actor)) return refused('not-yours')
  if (isFeaturedCollection(node)) return takeWhole(ctx, by, node)
  const item = readFeaturedItem(node, target)
  if (item === null) return refused('bad-object')
  if (!(await ctx.reader.budgets.mayTell(by.actor.uri))) return refused('told-too-often')
  const { outcome } = await ctx.call(changeRemoteCollection, { actor: by.actor.id, uri: target, add: item })
  return outcome === 'unknown' ? ignored('unknown-object') : done(outcome === 'done' ? null : outcome)
}

/** Null when what is removed is no collection, or item of one, that is known here. */
export const collectionTakenOff = async (
  ctx: Context,
  { actor }: By,
  { object, target }: { object: Ref; target: Uri },
): Promise<Outcome | null> => {
  if (object.id === null || target === actor.featured_url) return null
  const whose = { actor: actor.id }
  const item = await ctx.call(changeRemoteCollection, { ...whose, uri: target, remove: object.id })
  if (item.outcome !== 'unknown') return done(item.outcome === 'done' ? null : item.outcome)
  const whole = await ctx.call(changeRemoteCollection, { ...whose, uri: object.id, gone: true })
  return whole.outcome === 'unknown' ? null : done()
}
