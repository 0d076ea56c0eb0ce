/** Somebody elsewhere who was put into a collection is asked; who agreed is added to it before everybody. */

import { writeAddOfItem, writeFeatureRequest } from '@murmuration/activitypub/vocabulary/write-featured-collection'
import { collectionItemAdded } from '@murmuration/contracts/accounts'
import { pairOf, tellDeed } from '../delivery/deed.js'
import { collectionSource, memberInboxes, tellOfCollection } from '../delivery/featured-collection.js'
import { react } from '../doors.js'

export const onCollectionItemAdded = react(collectionItemAdded, 'on-collection-item-added', async (ctx, e) => {
  if (!e.ownerLocal) return
  const readAfter = ctx.ids.next()
  const source = await collectionSource(ctx, e.collection)
  if (source === null) return
  const { owner: keeper, ownerUri, uri, discoverable } = source
  if (e.state === 'pending') {
    const pair = await pairOf(ctx, keeper, e.account)
    if (pair === null) return
    const activity = writeFeatureRequest({ keeper: ownerUri, item: e.id, account: pair.their.uri, collection: uri })
    await tellDeed(ctx, { actorId: keeper, seq: e.eventId, activity, their: pair.their })
    return
  }
  // Who left meanwhile is told of by another event.
  const item = source.items.find((one) => one.id === e.id)
  if (item === undefined) return
  await tellOfCollection(ctx, {
    keeper,
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
