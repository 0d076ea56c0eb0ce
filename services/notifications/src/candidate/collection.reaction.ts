/** Event handlers for collections of accounts. */
import {
  collectionChanged,
  collectionItemAdded,
  collectionItemRemoved,
  collectionRemoved,
} from '@murmuration/contracts/accounts'
import type { CollectionDetail } from '../core/detail.js'
import { react } from '../handlers.js'
import { sources } from './candidate.js'
import { notify } from './notify.js'
import { undo, undoFor } from './undo.js'

/** Notifies the accounts in a collection that its name or description changed. */
export const onCollectionChanged = react(collectionChanged, 'on-collection-changed', async (ctx, e) => {
  const detail: CollectionDetail = { collection: e.id }
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

/** Notifies a local account that was added to a collection. */
export const onCollectionItemAdded = react(collectionItemAdded, 'on-collection-item-added', async (ctx, e) => {
  if (!e.accountLocal || e.state !== 'accepted') return
  const detail: CollectionDetail = { collection: e.collection }
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

/** Removes the notifications about a collection for an account that is no longer in it. */
export const onCollectionItemRemoved = react(collectionItemRemoved, 'on-collection-item-removed', async (ctx, e) => {
  if (!e.accountLocal) return
  await undo(ctx, sources.collectionItem(e.id))
  await undoFor(ctx, e.account, sources.collection(e.collection))
})

/** Removes the notifications about a collection that was deleted. */
export const onCollectionRemoved = react(collectionRemoved, 'on-collection-removed', (ctx, e) =>
  undo(ctx, sources.collection(e.id)),
)
