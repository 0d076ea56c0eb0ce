/** A new collection that wants to be found is an Add to the collections of its keeper. */

import { writeAddOfCollection } from '@murmuration/activitypub/vocabulary/write-featured-collection'
import { collectionCreated } from '@murmuration/contracts/accounts'
import { collectionSource, tellOfCollection } from '../delivery/featured-collection.js'
import { react } from '../doors.js'

export const onCollectionCreated = react(collectionCreated, 'on-collection-created', async (ctx, e) => {
  const readAfter = ctx.ids.next()
  const source = await collectionSource(ctx, e.id)
  if (!source?.discoverable) return
  const { owner: keeper, uri, discoverable } = source
  const activity = writeAddOfCollection(source, e.eventId)
  await tellOfCollection(ctx, { keeper, uri, discoverable, activity, readAfter, seq: e.eventId })
})
