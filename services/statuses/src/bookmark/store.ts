/** Bookmarks as rows. */
import { type Cursor, keyset, type Reader, sql, type Tx } from '@murmuration/db'
import type { Marked } from '../core/render/marked-page.js'

/** Stores one; 0 when it is there already. */
export const insertBookmark = (tx: Tx, id: string, account: string, status: string): Promise<number> =>
  tx.run(sql`insert into bookmarks (id, account_id, status_id) values (${id}, ${account}, ${status})
    on conflict (account_id, status_id) do nothing`)

/** Removes some of what an account bookmarked; says how many went. */
export const deleteBookmarks = (tx: Tx, account: string, most: number): Promise<number> =>
  tx.run(sql`delete from bookmarks where id in
    (select id from bookmarks where account_id = ${account} order by id limit ${most})`)

/** Removes one; 0 when there was none. */
export const deleteBookmark = (db: Reader, account: string, status: string): Promise<number> =>
  db.run(sql`delete from bookmarks where account_id = ${account} and status_id = ${status}`)

/** A page of what an account bookmarked, by row id. */
export const bookmarksOf = (db: Reader, account: string, page: Cursor): Promise<Marked[]> =>
  db.rows(sql`select id, status_id from bookmarks where account_id = ${account} ${keyset(sql`id`, page)}`)
