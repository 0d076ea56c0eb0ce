/** Reads and writes items of collections. */
import { bigints, type Reader, sql, type Tx } from '@murmuration/db'
import type { Pair } from '../core/follow/store.js'
import type { ItemState } from './rules.js'

export interface CollectionItemRow {
  id: string
  collection_id: string
  account_id: string
  state: ItemState
  /** Address of the feature authorization of a remote account (FEP-7aa9). */
  authorization_uri: string | null
  created_at: Date
}

const columns = sql`i.id, i.collection_id, i.account_id, i.state, i.authorization_uri, i.created_at`

/**
 * Items of the given collections, in the order of collection ids and item ids. Suspended accounts and accounts that
 * block the viewer are left out.
 */
export const itemsOf = (
  db: Reader,
  collections: readonly string[],
  viewer: string | null,
): Promise<CollectionItemRow[]> =>
  collections.length === 0
    ? Promise.resolve([])
    : db.rows(sql`select ${columns} from collection_items i
        join accounts a on a.id = i.account_id and a.suspended_at is null
        where i.collection_id = any(${bigints(collections)})
          and not exists (select 1 from blocks b where b.account_id = i.account_id and b.target_id = ${viewer}::bigint)
        order by i.collection_id, i.id`)

export const itemById = (db: Reader, collection: string, id: string): Promise<CollectionItemRow | null> =>
  db.row(sql`select ${columns} from collection_items i where i.id = ${id} and i.collection_id = ${collection}`)

/** Number of items that count towards the limit of a collection: pending and accepted. */
export const countItems = async (tx: Tx, collection: string): Promise<number> =>
  (
    await tx.row<{ n: number }>(sql`select count(*)::int as n from collection_items
      where collection_id = ${collection} and state in ('pending', 'accepted')`)
  )?.n ?? 0

/** Stores items and returns them by id. An account that has an item in the collection already is skipped. */
export const insertItems = (
  tx: Tx,
  collection: string,
  items: readonly { id: string; account: string; state: ItemState }[],
  at: Date,
): Promise<CollectionItemRow[]> =>
  tx.rows(sql`with added as (insert into collection_items as i (id, collection_id, account_id, state, created_at)
    select id, ${collection}::bigint, account, state, ${at}::timestamptz
    from unnest(${items.map((one) => one.id)}::bigint[], ${items.map((one) => one.account)}::bigint[],
      ${items.map((one) => one.state)}::text[]) as given(id, account, state)
    order by account, id on conflict (collection_id, account_id) do nothing returning ${columns})
    select * from added order by id`)

export const deleteItem = (tx: Tx, id: string): Promise<number> =>
  tx.run(sql`delete from collection_items where id = ${id}`)

/** The collection item with this id and the owner of its collection; null if the item does not exist. */
export const itemWithOwner = (db: Reader, id: string): Promise<(CollectionItemRow & { owner: string }) | null> =>
  db.row(sql`select ${columns}, c.account_id as owner from collection_items i join collections c on c.id = i.collection_id
    where i.id = ${id}`)

/** Collection items by id, of collections of any owner, in the order of their ids. */
export const itemsByIds = (db: Reader, ids: readonly string[]): Promise<CollectionItemRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db.rows(sql`select ${columns} from collection_items i where i.id = any(${bigints(ids)}) order by i.id`)

export const itemOfAccount = (db: Reader, collection: string, account: string): Promise<CollectionItemRow | null> =>
  db.row(sql`select ${columns} from collection_items i
    where i.collection_id = ${collection} and i.account_id = ${account}`)

/** Ids of the items of an account in the given collections, by collection. */
export const itemsOfMember = async (
  db: Reader,
  collections: readonly string[],
  account: string,
): Promise<Map<string, string>> => {
  const rows = await db.rows<{ id: string; collection_id: string }>(sql`select id, collection_id from collection_items
    where collection_id = any(${bigints(collections)}) and account_id = ${account}`)
  return new Map(rows.map((row) => [row.collection_id, row.id]))
}

/**
 * Items of an account with this authorization address, except revoked ones. Accepted items are first, because other
 * items may name the authorization without permission.
 */
export const itemsByAuthorization = (
  db: Reader,
  uri: string,
  account: string,
  limit: number,
): Promise<CollectionItemRow[]> =>
  db.rows(sql`select ${columns} from collection_items i
    where i.authorization_uri = ${uri} and i.account_id = ${account} and i.state <> 'revoked'
    order by i.state = 'accepted' desc, i.id limit ${limit}`)

/** Marks items as revoked by their account. Returns the rows that changed. */
export const revokeItems = (tx: Tx, ids: readonly string[]): Promise<(CollectionItemRow & { owner: string })[]> =>
  tx.rows(sql`update collection_items i set state = 'revoked' from collections c
    where i.id = any(${ids}::bigint[]) and c.id = i.collection_id and i.state <> 'revoked'
    returning ${columns}, c.account_id as owner`)

/** Stores the response of a remote account to a request for its consent. Returns false if nothing changed. */
export const setItemResponse = async (
  tx: Tx,
  id: string,
  { state, authorization }: { state: ItemState; authorization: string | null },
): Promise<boolean> =>
  (await tx.run(sql`update collection_items set state = ${state}, authorization_uri = ${authorization}
    where id = ${id} and (state, authorization_uri) is distinct from (${state}, ${authorization})`)) > 0

/** Stores the state of a collection item. Returns false if the item has this state already. */
export const setItemState = async (tx: Tx, id: string, state: ItemState): Promise<boolean> =>
  (await tx.run(sql`update collection_items set state = ${state} where id = ${id} and state <> ${state}`)) > 0

/**
 * Deletes collection items, for each pair of accounts: items of the account `to` in collections of the account `from`.
 * Returns the deleted items with their collections.
 */
export const deleteItemsBetween = (
  tx: Tx,
  pairs: readonly Pair[],
): Promise<(CollectionItemRow & { owner: string; collection_uri: string | null })[]> =>
  tx.rows(sql`delete from collection_items i using collections c,
      unnest(${pairs.map((one) => one.from)}::bigint[], ${pairs.map((one) => one.to)}::bigint[]) as pair(from_id, to_id)
    where c.account_id = pair.from_id and i.collection_id = c.id and i.account_id = pair.to_id
    returning ${columns}, c.account_id as owner, c.uri as collection_uri`)

/** Local accounts with an accepted item in the collection. */
export const localMembers = async (db: Reader, collection: string): Promise<string[]> => {
  const rows = await db.rows<{ account_id: string }>(sql`select i.account_id from collection_items i
    join accounts a on a.id = i.account_id and a.domain is null
    where i.collection_id = ${collection} and i.state = 'accepted' order by i.id`)
  return rows.map((row) => row.account_id)
}
