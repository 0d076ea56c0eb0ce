/** SQL of favourites. */
import { type Cursor, keyset, type Reader, sql, type Tx } from '@murmuration/db'
import type { Marked } from '../core/render/marked-page.js'

export interface Favourite {
  id: string
  account_id: string
  status_id: string
  uri: string | null
}

/** Stores a favourite. Returns null if the account has favourited the status already. */
export const insertFavourite = (tx: Tx, one: Favourite): Promise<Favourite | null> =>
  tx.row(sql`insert into favourites (id, account_id, status_id, uri)
    values (${one.id}, ${one.account_id}, ${one.status_id}, ${one.uri})
    on conflict (account_id, status_id) do nothing returning id, account_id, status_id, uri`)

/**
 * Deletes a favourite and returns it. Returns null if there is no favourite, or if the favourite has a uri that is not
 * in `only`.
 */
export const deleteFavourite = (
  tx: Tx,
  account: string,
  status: string,
  only: readonly string[] | null = null,
): Promise<Favourite | null> =>
  tx.row(sql`delete from favourites where account_id = ${account} and status_id = ${status}
      and (${only}::text[] is null or uri is null or uri = any(${only}::text[]))
    returning id, account_id, status_id, uri`)

/** ActivityPub id of a favourite's activity; null if there is none, or the favourite is local. */
export const uriOfFavourite = async (tx: Tx, account: string, status: string): Promise<string | null> =>
  (
    await tx.row<{ uri: string | null }>(
      sql`select uri from favourites where account_id = ${account} and status_id = ${status}`,
    )
  )?.uri ?? null

/** Replaces the activity id of a favourite. Throws a duplicate error if another favourite has this activity id. */
export const renameFavourite = (tx: Tx, account: string, status: string, uri: string | null): Promise<number> =>
  tx.run(sql`update favourites set uri = ${uri} where account_id = ${account} and status_id = ${status}`)

/**
 * Replaces the activity id of a favourite after the old activity was undone. If another favourite has the new id, this
 * favourite is left without one.
 */
export const renameUndoneFavourite = (tx: Tx, account: string, status: string, uri: string | null): Promise<number> =>
  tx.run(sql`update favourites set uri = case when exists (select 1 from favourites where uri = ${uri}::text) then null else ${uri}::text end
    where account_id = ${account} and status_id = ${status}`)

/** The favourite of an account with this activity id; null if there is none. */
export const favouriteByUri = (db: Reader, account: string, uri: string): Promise<Favourite | null> =>
  db.row(sql`select id, account_id, status_id, uri from favourites where uri = ${uri} and account_id = ${account}`)

/** A page of the favourites of an account, by row id. */
export const favouritesOf = (db: Reader, account: string, page: Cursor): Promise<Marked[]> =>
  db.rows(sql`select id, status_id from favourites where account_id = ${account} ${keyset(sql`id`, page)}`)

export interface Favouriter {
  id: string
  account_id: string
}

/** A page of the accounts that favourited a status, by row id. */
export const favouritersOf = (db: Reader, status: string, page: Cursor): Promise<Favouriter[]> =>
  db.rows(sql`select id, account_id from favourites where status_id = ${status} ${keyset(sql`id`, page)}`)
