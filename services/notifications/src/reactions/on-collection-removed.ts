/** Nothing is told any more of a collection that is gone. */
import { collectionRemoved } from '@murmuration/contracts/accounts'
import { sources } from '../changes/news.js'
import { undo } from '../changes/undo.js'
import { react } from '../doors.js'

export const onCollectionRemoved = react(collectionRemoved, 'on-collection-removed', (ctx, e) =>
  undo(ctx, sources.collection(e.id)),
)
