/** SQL of bookmarks. */
import { type Cursor, keyset, type Reader, sql, type Tx } from '@murmuration/db'
import type { Marked } from '../core/render/marked-page.js'

/** Stores a bookmark. Returns 0 if the account has bookmarked the status already. */
export const insertBookmark = (tx: Tx, id: string, account: string, status: string): Promise<number> =>
  tx.run(sql`insert into bookmarks (id, account_id, status_id) values (${id}, ${account}, ${status})
    on conflict (account_id, status_id) do nothing`)

/** Deletes at most `limit` bookmarks of an account. Returns the number of deleted rows. */
export const deleteBookmarks = (tx: Tx, account: string, limit: number): Promise<number> =>
  tx.run(sql`delete from bookmarks where id in
    (select id from bookmarks where account_id = ${account} order by id limit ${limit})`)

export const hasBookmarks = async (db: Reader, account: string): Promise<boolean> =>
  (await db.row(sql`select 1 from bookmarks where account_id = ${account} limit 1`)) !== null

/** Deletes a bookmark. Returns 0 if the account had not bookmarked the status. */
export const deleteBookmark = (db: Reader, account: string, status: string): Promise<number> =>
  db.run(sql`delete from bookmarks where account_id = ${account} and status_id = ${status}`)

/** A page of the bookmarks of an account, by row id. */
export const bookmarksOf = (db: Reader, account: string, page: Cursor): Promise<Marked[]> =>
  db.rows(sql`select id, status_id from bookmarks where account_id = ${account} ${keyset(sql`id`, page)}`)
