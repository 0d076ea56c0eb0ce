/**
 * SQL of tombstones: uris that their author deleted or undid, so that a late Create or Like has no effect. Also locks
 * uris.
 */
import { type Reader, sql, type Tx } from '@murmuration/db'

/** Deletes the uris and page addresses of deleted statuses. A status read at such an address later counts as new. */
export const freeAddresses = async (tx: Tx, ids: readonly string[]): Promise<void> => {
  await tx.run(sql`delete from post_uris where status_id = any(${ids}::bigint[])`)
  await tx.run(sql`delete from post_urls where status_id = any(${ids}::bigint[])`)
}

/**
 * Locks a uri until the transaction ends. Because of the lock, a Create and its Delete, or a Like and its Undo, run one
 * after the other. Such pairs of activities end in the same state in any order.
 */
export const lockUri = async (tx: Tx, uri: string): Promise<void> => {
  await tx.row(sql`select pg_advisory_xact_lock(hashtextextended(${uri}, 0))`)
}

/**
 * Stores tombstones of an author. A tombstone only blocks objects of the same author, so no account can block a status
 * of another.
 */
export const insertTombstones = async (tx: Tx, author: string, uris: readonly string[]): Promise<void> => {
  if (uris.length)
    await tx.run(sql`insert into tombstones (uri, author_id) select uri, ${author}::bigint
      from unnest(${uris}::text[]) as one(uri) order by uri on conflict do nothing`)
}

/** Locks a uri until the transaction ends. Returns whether the author has a tombstone for the uri. */
export const lockedHasTombstone = async (tx: Tx, author: string, uri: string): Promise<boolean> => {
  await lockUri(tx, uri)
  return hasTombstone(tx, author, uri)
}

/** Deletes the tombstone of a uri. The uri stays locked until the transaction ends. */
export const deleteTombstone = async (tx: Tx, author: string, uri: string): Promise<void> => {
  await lockUri(tx, uri)
  await tx.run(sql`delete from tombstones where uri = ${uri} and author_id = ${author}`)
}

export const hasTombstone = async (db: Reader, author: string, uri: string): Promise<boolean> =>
  (await db.row(sql`select 1 from tombstones where uri = ${uri} and author_id = ${author}`)) !== null

/**
 * Deletes the oldest tombstones of an author from before `before`. Returns each uri, and the author's status that has
 * it, or null.
 */
export const takeTombstones = (
  tx: Tx,
  author: string,
  before: Date,
  limit: number,
): Promise<{ uri: string; status: string | null }[]> =>
  tx.rows(sql`with gone as (delete from tombstones where (uri, author_id) in (
      select uri, author_id from tombstones where author_id = ${author} and at < ${before} order by at limit ${limit})
      returning uri)
    select gone.uri, s.id as status from gone left join post_uris p on p.uri = gone.uri
    left join lateral (select s.id from statuses s
      where s.id = p.status_id and s.author_id = ${author} and s.deleted_at is not null) s on true`)

/** Deletes at most `limit` tombstones older than 30 days. Returns the number of deleted rows. */
export const deleteOldTombstones = (db: Reader, limit: number): Promise<number> =>
  db.run(sql`delete from tombstones where (uri, author_id) in (
    select uri, author_id from tombstones where at < now() - interval '30 days' limit ${limit})`)
