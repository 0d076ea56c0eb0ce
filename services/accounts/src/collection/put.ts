/** Stores the complete state of a remote collection. */
import { collectionChanged, type RemoteCollection } from '@murmuration/contracts/accounts'
import { isValidTag, normaliseTag, readTime } from '@murmuration/text'
import type { Context } from '../context.js'
import type { AccountRow } from '../core/account/store.js'
import { lockName } from '../core/lock.store.js'
import { localMembers } from './item.store.js'
import { MAX_REMOTE_COLLECTIONS } from './remote.rules.js'
import {
  changeRemoteText,
  countCollections,
  insertRemoteCollection,
  type RemoteCollectionText,
  remoteCollection,
} from './remote.store.js'
import { storeRemoteItems } from './remote-items.js'

const textOf = (it: RemoteCollection): RemoteCollectionText => ({
  url: it.url,
  name: it.name,
  description: it.description,
  language: it.language,
  sensitive: it.sensitive,
  discoverable: it.discoverable,
  tag: it.tag !== null && isValidTag(it.tag) ? normaliseTag(it.tag) : null,
})

export interface Put {
  outcome: 'done' | 'unchanged' | 'unknown' | 'refused'
  /** Id of the collection if it is stored, else null. */
  id: string | null
}

/**
 * Stores a remote collection with its items, or replaces the stored state.
 * @param make whether a collection that is not stored yet is inserted
 * @param look whether lookups of unknown accounts and of authorizations are queued
 */
export const putCollection = async (
  ctx: Context,
  owner: AccountRow | null,
  collection: RemoteCollection,
  { make, look }: { make: boolean; look: boolean },
): Promise<Put> => {
  const no = (outcome: Put['outcome']): Put => ({ outcome, id: null })
  if (!owner || owner.domain === null || owner.uri !== collection.ownerUri) return no('refused')
  const now = ctx.clock.date()
  const notLater = (time: string | null) =>
    time !== null && readTime(time) < now.getTime() ? new Date(readTime(time)) : now
  return ctx.db.tx(async (tx) => {
    await lockName(tx, `collections ${owner.id}`)
    const known = await remoteCollection(tx, collection.uri)
    if (known && known.account_id !== owner.id) return no('refused')
    // A stored collection is updated even if its owner is suspended. The updated collection stays hidden.
    if (!known && (!make || owner.suspended)) return no(make ? 'refused' : 'unknown')
    if (!known && (await countCollections(tx, owner.id)) >= MAX_REMOTE_COLLECTIONS) return no('refused')
    const id = known?.id ?? ctx.ids.next()
    await lockName(tx, `collection ${id}`)
    const text = textOf(collection)
    const updated = notLater(collection.updated)
    const changed = known ? await changeRemoteText(tx, id, text, updated) : false
    if (!known)
      await insertRemoteCollection(
        tx,
        { ...text, id, account_id: owner.id, uri: collection.uri },
        { at: notLater(collection.published), updated, now },
      )
    const members = changed ? await localMembers(tx, id) : []
    if (members.length) await ctx.announce(tx, collectionChanged, { id, owner: owner.id, accounts: members })
    const moved = await storeRemoteItems(ctx, tx, { id, account_id: owner.id }, collection, { whole: true, look })
    return { outcome: !known || changed || moved ? 'done' : 'unchanged', id }
  })
}
