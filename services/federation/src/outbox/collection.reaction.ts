/** Event handlers that publish local collections of accounts and their items (FEP-7aa9). */

import type { OutgoingActivity } from '@murmuration/activitypub/vocabulary/write-activity'
import {
  featureAuthorizationUri,
  featuredCollectionUri,
  writeAddOfCollection,
  writeAddOfItem,
  writeDeleteOfFeatureAuthorization,
  writeFeatureRequest,
  writeRemoveOfCollection,
  writeRemoveOfItem,
  writeUpdateOfCollection,
} from '@murmuration/activitypub/vocabulary/write-featured-collection'
import {
  type AccountRecord,
  collectionChanged,
  collectionCreated,
  collectionItemAdded,
  collectionItemRemoved,
  collectionRemoved,
} from '@murmuration/contracts/accounts'
import type { Context } from '../context.js'
import { react } from '../handlers.js'
import { recordsOf } from './audience.js'
import { pairOf, sendActivity } from './direct-activity.js'
import { collectionSource, memberInboxes, publishCollectionActivity } from './featured-collection.js'
import { publish, publishTo } from './publish.js'

/** Publishes a new discoverable collection: an Add to the collections of its owner. */
export const onCollectionCreated = react(collectionCreated, 'on-collection-created', async (ctx, e) => {
  const readAfter = ctx.ids.next()
  const source = await collectionSource(ctx, e.id)
  if (!source?.discoverable) return
  const { owner, uri, discoverable } = source
  const activity = writeAddOfCollection(source, e.eventId)
  await publishCollectionActivity(ctx, { owner, uri, discoverable, activity, readAfter, seq: e.eventId })
})

/**
 * Publishes a change of a collection.
 *
 * | Change | Activity |
 * |---|---|
 * | became discoverable | Add to the collections of its owner |
 * | no longer discoverable | Remove |
 * | other | Update |
 */
export const onCollectionChanged = react(collectionChanged, 'on-collection-changed', async (ctx, e) => {
  const readAfter = ctx.ids.next()
  const source = e.discoverable === undefined ? null : await collectionSource(ctx, e.id)
  if (source === null || e.discoverable === undefined) return
  const { owner, ownerUri, uri } = source
  const common = { owner, uri, seq: e.eventId, readAfter }
  const { before, after } = e.discoverable
  if (before && !after)
    return publishCollectionActivity(ctx, {
      ...common,
      activity: writeRemoveOfCollection({ owner: ownerUri, uri, seq: e.eventId }),
      discoverable: true,
    })
  await publishCollectionActivity(ctx, {
    ...common,
    activity: (!before && after ? writeAddOfCollection : writeUpdateOfCollection)(source, e.eventId),
    discoverable: after,
    inboxes: await memberInboxes(
      ctx,
      source.items.map((item) => item.account),
    ),
  })
})

/** Publishes the deletion of a collection: a Remove from the collections of its owner. */
export const onCollectionRemoved = react(collectionRemoved, 'on-collection-removed', async (ctx, e) => {
  const owner = (await recordsOf(ctx, [e.owner])).get(e.owner)
  if (!owner || owner.domain !== null || owner.suspended) return
  const uri = featuredCollectionUri(owner.uri, e.id)
  await publishCollectionActivity(ctx, {
    owner: owner.id,
    uri,
    activity: writeRemoveOfCollection({ owner: owner.uri, uri, seq: e.eventId }),
    seq: e.eventId,
    discoverable: e.discoverable ?? true,
  })
})

/**
 * Handles an item that was added to a collection. For a pending item, sends the FeatureRequest to the remote account.
 * For an accepted item, publishes the Add.
 */
export const onCollectionItemAdded = react(collectionItemAdded, 'on-collection-item-added', async (ctx, e) => {
  if (!e.ownerLocal) return
  const readAfter = ctx.ids.next()
  const source = await collectionSource(ctx, e.collection)
  if (source === null) return
  const { owner, ownerUri, uri, discoverable } = source
  if (e.state === 'pending') {
    const pair = await pairOf(ctx, owner, e.account)
    if (pair === null) return
    const activity = writeFeatureRequest({ owner: ownerUri, item: e.id, account: pair.their.uri, collection: uri })
    await sendActivity(ctx, { actorId: owner, seq: e.eventId, activity, their: pair.their })
    return
  }
  // The item was removed before this event was processed. The removal of an item has an event of its own.
  const item = source.items.find((one) => one.id === e.id)
  if (item === undefined) return
  await publishCollectionActivity(ctx, {
    owner,
    uri,
    activity: writeAddOfItem(source, item, e.eventId),
    seq: e.eventId,
    discoverable,
    readAfter,
    inboxes: await memberInboxes(
      ctx,
      source.items.map((one) => one.account),
    ),
  })
})

const endOf = (account: AccountRecord, item: string, collection: string): OutgoingActivity =>
  writeDeleteOfFeatureAuthorization({
    uri: featureAuthorizationUri(account.uri, item),
    account: account.uri,
    collection,
  })

const deletionOf = (account: AccountRecord, activity: OutgoingActivity, e: { id: string; eventId: string }) => ({
  actorId: account.id,
  seq: e.eventId,
  activity,
  uri: activity.id,
  kind: 'Delete',
  about: featureAuthorizationUri(account.uri, e.id),
})

/** Revokes the consent of a local account that left a remote collection: sends the Delete of its authorization. */
const leave = async (
  ctx: Context,
  e: { id: string; eventId: string; account: string; owner: string },
  collection: string,
): Promise<void> => {
  const pair = await pairOf(ctx, e.account, e.owner)
  if (pair === null) return
  await publishTo(ctx, pair.their, deletionOf(pair.our, endOf(pair.our, e.id, collection), e))
}

/** Publishes the Remove of an item. If a local account left the collection, also publishes the Delete of its authorization. */
export const onCollectionItemRemoved = react(collectionItemRemoved, 'on-collection-item-removed', async (ctx, e) => {
  if (e.left !== undefined) await leave(ctx, e, e.left)
  // A pending item was never published, and a deleted collection has no items.
  const source = e.ownerLocal && e.state !== 'pending' ? await collectionSource(ctx, e.collection) : null
  if (source === null) return
  const { owner, ownerUri, uri, discoverable } = source
  await publishCollectionActivity(ctx, {
    owner,
    uri,
    activity: writeRemoveOfItem({ owner: ownerUri, uri, item: e.id, seq: e.eventId }),
    seq: e.eventId,
    discoverable,
    inboxes: await memberInboxes(ctx, [e.account]),
  })
  if (!e.accountLocal || e.state !== 'revoked') return
  const account = (await recordsOf(ctx, [e.account])).get(e.account)
  if (!account) return
  const activity = endOf(account, e.id, uri)
  await publish(ctx, { ...deletionOf(account, activity, e), reachedBy: [uri] })
})
