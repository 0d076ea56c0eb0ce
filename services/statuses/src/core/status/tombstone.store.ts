/** Tombstones of undone and deleted objects by uri and author, so that a late Create or Like does nothing. */
import { type Reader, sql, type Tx } from '@murmuration/db'

/** Lets the addresses of deleted statuses be somebody's again, who took nothing back: what is read there later is new. */
export const freeAddresses = async (tx: Tx, ids: readonly string[]): Promise<void> => {
  await tx.run(sql`delete from post_uris where status_id = any(${ids}::bigint[])`)
  await tx.run(sql`delete from post_urls where status_id = any(${ids}::bigint[])`)
}

/**
 * Makes everything about one uri happen one after the other, so that a Create and its Delete, or a Like and its Undo,
 * end in the same state whichever comes first. Held until the transaction ends.
 */
export const lockUri = async (tx: Tx, uri: string): Promise<void> => {
  await tx.row(sql`select pg_advisory_xact_lock(hashtextextended(${uri}, 0))`)
}

/** Stores tombstones of an author. Because only the author counts, a tombstone of another account never blocks a status. */
export const insertTombstones = async (tx: Tx, author: string, uris: readonly string[]): Promise<void> => {
  if (uris.length)
    await tx.run(sql`insert into tombstones (uri, author_id) select uri, ${author}::bigint
      from unnest(${uris}::text[]) as one(uri) on conflict do nothing`)
}

/** Whether its author took back what an address stands for; until the transaction ends nobody else does. */
export const lockedHasTombstone = async (tx: Tx, author: string, uri: string): Promise<boolean> => {
  await lockUri(tx, uri)
  return hasTombstone(tx, author, uri)
}

/** Forgets that its author took back what an address stands for; until the transaction ends nobody does so again. */
export const deleteTombstone = async (tx: Tx, author: string, uri: string): Promise<void> => {
  await lockUri(tx, uri)
  await tx.run(sql`delete from tombstones where uri = ${uri} and author_id = ${author}`)
}

export const hasTombstone = async (db: Reader, author: string, uri: string): Promise<boolean> =>
  (await db.row(sql`select 1 from tombstones where uri = ${uri} and author_id = ${author}`)) !== null

/** Forgets what an author took back until then, the oldest first; gives the statuses that were deleted by it, where there were any. */
export const takeTombstones = (
  tx: Tx,
  author: string,
  before: Date,
  most: number,
): Promise<{ uri: string; status: string | null }[]> =>
  tx.rows(sql`with gone as (delete from tombstones where (uri, author_id) in (
      select uri, author_id from tombstones where author_id = ${author} and at < ${before} order by at limit ${most})
      returning uri)
    select gone.uri, s.id as status from gone left join post_uris p on p.uri = gone.uri
    left join lateral (select s.id from statuses s
      where s.id = p.status_id and s.author_id = ${author} and s.deleted_at is not null) s on true`)

/** Erases old ones; returns how many. */
export const deleteOldTombstones = (db: Reader, most: number): Promise<number> =>
  db.run(sql`delete from tombstones where (uri, author_id) in (
    select uri, author_id from tombstones where at < now() - interval '30 days' limit ${most})`)
