/** Adds accounts to collections and removes accounts from them. The rows and the events are written in the transaction of the caller. */
import { collectionItemAdded, collectionItemRemoved } from '@murmuration/contracts/accounts'
import { fail, notFound } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { accountsByIds } from '../core/account/store.js'
import type { Pair } from '../core/follow/store.js'
import { relationshipsOfViewer } from '../core/relationship/store.js'
import { type CollectionItemRow, countItems, deleteItemsBetween, insertItems } from './item.store.js'
import { alreadyIn, mayBeFeatured, tooManyItems } from './rules.js'

type Changing = Pick<Context, 'announce' | 'ids' | 'clock'>

/**
 * Adds accounts to a local collection. Items of local accounts are accepted immediately. Items of remote accounts stay
 * pending until the accounts accept. The caller has locked the collection.
 */
export const addToCollection = async (
  ctx: Changing,
  tx: Tx,
  collection: { id: string; owner: string },
  accounts: readonly string[],
): Promise<CollectionItemRow[]> => {
  if (accounts.length === 0) return []
  const known = (await accountsByIds(tx, accounts)).filter((row) => row.usable)
  if (known.length < accounts.length) throw notFound()
  const at = ctx.clock.date()
  const relationships = await relationshipsOfViewer(tx, collection.owner, accounts, at)
  const relationshipTo = new Map(relationships.map((one) => [one.id, one]))
  if (!known.every((row) => mayBeFeatured(row, collection.owner, relationshipTo.get(row.id))))
    throw fail('forbidden', 'This action is not allowed')
  if ((await countItems(tx, collection.id)) + accounts.length > limits.accounts.collectionItems) throw tooManyItems()

  const localOf = new Map(known.map((row) => [row.id, row.domain === null]))
  const items = accounts.map((account) => ({
    id: ctx.ids.next(),
    account,
    state: localOf.get(account) ? ('accepted' as const) : ('pending' as const),
  }))
  const added = await insertItems(tx, collection.id, items, at)
  if (added.length < accounts.length) throw alreadyIn()
  await ctx.announce(
    tx,
    collectionItemAdded,
    ...added.map((item) => ({
      id: item.id,
      collection: collection.id,
      owner: collection.owner,
      ownerLocal: true,
      account: item.account_id,
      accountLocal: localOf.get(item.account_id) ?? false,
      state: item.state,
    })),
  )
  return added
}

/** Announces that a remote account consented to be listed in a local collection. */
export const announceAgreed = (ctx: Changing, tx: Tx, item: CollectionItemRow & { owner: string }): Promise<unknown> =>
  ctx.announce(tx, collectionItemAdded, {
    id: item.id,
    collection: item.collection_id,
    owner: item.owner,
    ownerLocal: true,
    account: item.account_id,
    accountLocal: false,
    state: 'accepted',
  })

/**
 * Announces that items were removed. `item.state`: the present state, or the last one of a deleted item.
 * `collection_uri`: address of a remote collection; set if this server removed the item and has not informed the owner's server yet.
 */
export const announceGone = async (
  ctx: Changing,
  tx: Tx,
  items: readonly (CollectionItemRow & { owner: string; collection_uri?: string | null })[],
): Promise<void> => {
  if (items.length === 0) return
  const accounts = await accountsByIds(tx, [...new Set(items.flatMap((item) => [item.account_id, item.owner]))])
  const local = new Set(accounts.filter((row) => row.domain === null).map((row) => row.id))
  await ctx.announce(
    tx,
    collectionItemRemoved,
    ...items.map((item) => ({
      id: item.id,
      collection: item.collection_id,
      owner: item.owner,
      ownerLocal: local.has(item.owner),
      account: item.account_id,
      accountLocal: local.has(item.account_id),
      state: item.state,
      ...(item.collection_uri ? { left: item.collection_uri } : {}),
    })),
  )
}

/**
 * For each pair: removes the account `to` from the collections of the account `from`, because one of them blocked the
 * other.
 */
export const leaveCollections = async (ctx: Changing, tx: Tx, pairs: readonly Pair[]): Promise<void> =>
  announceGone(ctx, tx, await deleteItemsBetween(tx, pairs))
