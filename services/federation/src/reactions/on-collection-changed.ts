/**
 * A collection that says something else of itself is an Update; one that wants to be found now, or no more, is an Add to
 * the collections of its keeper, or a Remove.
 */

import {
  writeAddOfCollection,
  writeRemoveOfCollection,
  writeUpdateOfCollection,
} from '@murmuration/activitypub/vocabulary/write-featured-collection'
import { collectionChanged } from '@murmuration/contracts/accounts'
import { collectionSource, memberInboxes, tellOfCollection } from '../delivery/featured-collection.js'
import { react } from '../doors.js'

export const onCollectionChanged = react(collectionChanged, 'on-collection-changed', async (ctx, e) => {
  const readAfter = ctx.ids.next()
  const source = e.discoverable === undefined ? null : await collectionSource(ctx, e.id)
  if (source === null || e.discoverable === undefined) return
  const { owner: keeper, ownerUri, uri } = source
  const tell = { keeper, uri, seq: e.eventId, readAfter }
  const { before, after } = e.discoverable
  if (before && !after)
    return tellOfCollection(ctx, {
      ...tell,
      activity: writeRemoveOfCollection({ keeper: ownerUri, uri, seq: e.eventId }),
      discoverable: true,
    })
  await tellOfCollection(ctx, {
    ...tell,
    activity: (!before && after ? writeAddOfCollection : writeUpdateOfCollection)(source, e.eventId),
    discoverable: after,
    inboxes: await memberInboxes(
      ctx,
      source.items.map((item) => item.account),
    ),
  })
})
