/** Reads and writes remote collections and their items. */
import { type Reader, sql, type Tx } from '@murmuration/db'
import type { NewItem, StoredItem } from './remote.rules.js'

export interface RemoteCollectionText {
  url: string | null
  name: string
  description: string
  language: string | null
  sensitive: boolean
  discoverable: boolean
  /** Normalised hashtag of the collection; null if it has none. */
  tag: string | null
}

/** Id and owner of a remote collection. */
export const remoteCollection = (db: Reader, uri: string): Promise<{ id: string; account_id: string } | null> =>
  db.row(sql`select id, account_id from collections where uri = ${uri}`)

/** Addresses of the stored collections of a remote account. */
export const collectionUris = async (db: Reader, account: string): Promise<Set<string>> => {
  const rows = await db.rows<{ uri: string }>(
    sql`select uri from collections where account_id = ${account} and uri is not null`,
  )
  return new Set(rows.map((row) => row.uri))
}

/**
 * Stores that the list of collections of a remote account is fetched at `at`. Returns the address of the list; null if
 * the list was fetched after `since`.
 */
export const markRead = async (tx: Tx, account: string, at: Date, since: Date): Promise<string | null> =>
  (
    await tx.row<{ url: string }>(sql`update accounts set collections_read_at = ${at}
      where id = ${account} and domain is not null and suspended_at is null and featured_collections_url is not null
        and (collections_read_at is null or collections_read_at <= ${since})
      returning featured_collections_url as url`)
  )?.url ?? null

export const countCollections = async (tx: Tx, owner: string): Promise<number> =>
  (await tx.row<{ n: number }>(sql`select count(*)::int as n from collections where account_id = ${owner}`))?.n ?? 0

export const insertRemoteCollection = async (
  tx: Tx,
  row: RemoteCollectionText & { id: string; account_id: string; uri: string },
  { at, updated, now }: { at: Date; updated: Date; now: Date },
): Promise<void> => {
  await tx.run(sql`insert into collections
      (id, account_id, uri, url, name, description, language, sensitive, discoverable, tag, created_at, updated_at, read_at)
    values (${row.id}, ${row.account_id}, ${row.uri}, ${row.url}, ${row.name}, ${row.description}, ${row.language},
      ${row.sensitive}, ${row.discoverable}, ${row.tag}, ${at}, ${updated}, ${now})`)
}

/** Stores that a remote collection is fetched at `at`. Returns false if the collection was fetched after `since`. */
export const markCollectionRead = async (db: Reader, id: string, at: Date, since: Date): Promise<boolean> =>
  (await db.run(sql`update collections set read_at = ${at}
    where id = ${id} and uri is not null and (read_at is null or read_at <= ${since})`)) > 0

/**
 * Sets the time of the last fetch of a collection back to `at`, so that the collection is fetched again earlier.
 * Returns false if the time was `at` or earlier.
 */
export const expireFetch = async (db: Reader, id: string, at: Date): Promise<boolean> =>
  (await db.run(sql`update collections set read_at = ${at} where id = ${id} and read_at > ${at}`)) > 0

/** Stores the texts of a remote collection; false if nothing changed. */
export const changeRemoteText = async (
  tx: Tx,
  id: string,
  row: RemoteCollectionText,
  updated: Date,
): Promise<boolean> =>
  (await tx.run(sql`update collections set url = ${row.url}, name = ${row.name}, description = ${row.description},
      language = ${row.language}, sensitive = ${row.sensitive}, discoverable = ${row.discoverable}, tag = ${row.tag},
      updated_at = ${updated}
    where id = ${id} and (url, name, description, language, sensitive, discoverable, tag)
      is distinct from (${row.url}, ${row.name}, ${row.description}, ${row.language}, ${row.sensitive}, ${row.discoverable}, ${row.tag})`)) >
  0

export const storedItems = (db: Reader, collection: string): Promise<StoredItem[]> =>
  db.rows(sql`select i.id, i.account_id, a.domain is null as local, i.state, i.uri, i.authorization_uri
    from collection_items i join accounts a on a.id = i.account_id where i.collection_id = ${collection} order by i.id`)

export const insertRemoteItems = async (
  tx: Tx,
  collection: string,
  items: readonly (NewItem & { id: string })[],
  at: Date,
): Promise<void> => {
  if (items.length === 0) return
  await tx.run(sql`insert into collection_items (id, collection_id, account_id, state, uri, authorization_uri, created_at)
    select id, ${collection}::bigint, account, state, uri, authorization_uri, ${at}::timestamptz
    from unnest(${items.map((one) => one.id)}::bigint[], ${items.map((one) => one.account)}::bigint[],
      ${items.map((one) => one.state)}::text[], ${items.map((one) => one.uri)}::text[],
      ${items.map((one) => one.authorization)}::text[]) as given(id, account, state, uri, authorization_uri)
    order by account, id on conflict (collection_id, account_id) do nothing`)
}

export const changeRemoteItems = async (
  tx: Tx,
  items: readonly (Omit<NewItem, 'account'> & { id: string })[],
): Promise<void> => {
  if (items.length === 0) return
  await tx.run(sql`update collection_items i set state = given.state, uri = given.uri,
      authorization_uri = given.authorization_uri
    from unnest(${items.map((one) => one.id)}::bigint[], ${items.map((one) => one.state)}::text[],
      ${items.map((one) => one.uri)}::text[], ${items.map((one) => one.authorization)}::text[])
      as given(id, state, uri, authorization_uri)
    where i.id = given.id`)
}

export const deleteItems = async (tx: Tx, ids: readonly string[]): Promise<void> => {
  if (ids.length) await tx.run(sql`delete from collection_items where id = any(${ids}::bigint[])`)
}

export interface WaitingItem {
  id: string
  authorization_uri: string
  account_uri: string
}

/** Pending items of remote accounts among `ids` that name an authorization. */
export const waitingItems = (db: Reader, collection: string, ids: readonly string[]): Promise<WaitingItem[]> =>
  db.rows(sql`select i.id, i.authorization_uri, a.uri as account_uri
    from collection_items i join accounts a on a.id = i.account_id
    where i.id = any(${ids}::bigint[]) and i.collection_id = ${collection} and i.state = 'pending'
      and i.authorization_uri is not null and a.domain is not null
    order by i.id`)

/** Addresses among `uris` that belong to items of a collection. */
export const knownItems = async (db: Reader, collection: string, uris: readonly string[]): Promise<Set<string>> => {
  const rows = await db.rows<{ uri: string }>(sql`select uri from collection_items
    where collection_id = ${collection} and uri = any(${uris}::text[])`)
  return new Set(rows.map((row) => row.uri))
}

/** Stores the states of pending items. Skips items whose authorization address changed since the authorization was fetched. */
export const setPendingStates = async (
  tx: Tx,
  items: readonly (WaitingItem & { state: 'accepted' | 'rejected' })[],
): Promise<void> => {
  if (items.length === 0) return
  await tx.run(sql`update collection_items i set state = given.state
    from unnest(${items.map((one) => one.id)}::bigint[], ${items.map((one) => one.state)}::text[],
      ${items.map((one) => one.authorization_uri)}::text[]) as given(id, state, authorization_uri)
    where i.id = given.id and i.state = 'pending' and i.authorization_uri = given.authorization_uri`)
}
