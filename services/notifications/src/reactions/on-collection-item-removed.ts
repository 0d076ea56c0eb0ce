/** Whoever is in a collection no more is not told of it any more. */
import { collectionItemRemoved } from '@murmuration/contracts/accounts'
import { sources } from '../changes/news.js'
import { undo, undoFor } from '../changes/undo.js'
import { react } from '../doors.js'

export const onCollectionItemRemoved = react(collectionItemRemoved, 'on-collection-item-removed', async (ctx, e) => {
  if (!e.accountLocal) return
  await undo(ctx, sources.collectionItem(e.id))
  await undoFor(ctx, e.account, sources.collection(e.collection))
})
