/** A collection that is gone is a Remove from the collections of its keeper. */

import {
  featuredCollectionUri,
  writeRemoveOfCollection,
} from '@murmuration/activitypub/vocabulary/write-featured-collection'
import { collectionRemoved } from '@murmuration/contracts/accounts'
import { recordsOf } from '../delivery/audience.js'
import { tellOfCollection } from '../delivery/featured-collection.js'
import { react } from '../doors.js'

export const onCollectionRemoved = react(collectionRemoved, 'on-collection-removed', async (ctx, e) => {
  const keeper = (await recordsOf(ctx, [e.owner])).get(e.owner)
  if (!keeper || keeper.domain !== null || keeper.suspended) return
  const uri = featuredCollectionUri(keeper.uri, e.id)
  await tellOfCollection(ctx, {
    keeper: keeper.id,
    uri,
    activity: writeRemoveOfCollection({ keeper: keeper.uri, uri, seq: e.eventId }),
    seq: e.eventId,
    discoverable: e.discoverable ?? true,
  })
})
