/** Whoever was put into a collection is told. */
import { collectionItemAdded } from '@murmuration/contracts/accounts'
import { sources } from '../changes/news.js'
import { notify } from '../changes/notify.js'
import { react } from '../doors.js'
import type { CollectionFacts } from '../views/detail.js'

export const onCollectionItemAdded = react(collectionItemAdded, 'on-collection-item-added', async (ctx, e) => {
  if (!e.accountLocal || e.state !== 'accepted') return
  const detail: CollectionFacts = { collection: e.collection }
  await notify(ctx, e, e.owner, [
    {
      type: 'added_to_collection',
      recipients: [e.account],
      source: sources.collectionItem(e.id),
      status: null,
      detail,
      at: e.at,
    },
  ])
})
