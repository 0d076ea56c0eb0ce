/** The people in a collection are told that it says something else of itself. */
import { collectionChanged } from '@murmuration/contracts/accounts'
import { sources } from '../changes/news.js'
import { notify } from '../changes/notify.js'
import { react } from '../doors.js'
import type { CollectionFacts } from '../views/detail.js'

export const onCollectionChanged = react(collectionChanged, 'on-collection-changed', async (ctx, e) => {
  const detail: CollectionFacts = { collection: e.id }
  await notify(ctx, e, e.owner, [
    {
      type: 'collection_update',
      recipients: e.accounts,
      source: sources.collection(e.id),
      status: null,
      replaces: true,
      detail,
      at: e.at,
    },
  ])
})
