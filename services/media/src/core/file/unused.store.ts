/**
 * Table of files without a row. A key is inserted before its file is stored and before it is deleted, so
 * that no file is lost.
 */
import { type Reader, sql, type Tx } from '@murmuration/db'
import { unusedFiles } from '../older-table-names.store.js'

/**
 * Inserts the keys of files that are about to be stored. A tick deletes such a file after `due`, unless a row refers to
 * it by then.
 */
export const reserveFileKeys = (db: Reader, keys: readonly string[], due: Date): Promise<number> =>
  db.run(sql`insert into ${unusedFiles} (key, due_at) select key, ${due}::timestamptz from unnest(${keys}::text[]) as fresh(key)
    order by key on conflict (key) do update set due_at = excluded.due_at where not ${unusedFiles}.dying`)

/**
 * Removes files from the table, because rows refer to them now. Returns false if one of them is already being deleted.
 * The transaction must then not commit.
 */
export const claimFiles = async (tx: Tx, keys: readonly string[]): Promise<boolean> =>
  (await tx.run(sql`delete from ${unusedFiles} where key = any(${keys}::text[]) and not dying`)) === new Set(keys).size

/** Inserts the keys of files to which no row refers any longer. A tick deletes them after `due`. */
export const insertUnusedFiles = (tx: Tx, keys: readonly string[], due: Date): Promise<number> =>
  tx.run(sql`insert into ${unusedFiles} (key, due_at) select key, ${due}::timestamptz from unnest(${keys}::text[]) as fresh(key)
    order by key on conflict (key) do update set due_at = excluded.due_at`)

/**
 * Marks up to `limit` due files as being deleted, and returns their keys. Files whose earlier deletion failed are due as
 * well. A copy to which a row refers is kept. A failed refetch under the same key had made it due.
 */
export const startDueDeletions = async (tx: Tx, now: Date, limit: number): Promise<string[]> => {
  // While the rows are locked, no other transaction can release the files of a copy that is kept.
  const due = await tx.rows<{ key: string }>(
    sql`select key from ${unusedFiles} where due_at <= ${now} order by due_at limit ${limit} for update skip locked`,
  )
  const keys = due.map((row) => row.key)
  await tx.run(sql`delete from ${unusedFiles} where key in (
      select due.key from (select key, substring(key from '^cache/[at]([0-9]{1,18})-')::bigint as id
        from unnest(${keys}::text[]) as due(key)) due
        join attachments a on a.id = due.id and due.key in (a.original_key, a.small_key)
      union all select due.key from (select key, substring(key from '^cache/[ps]([0-9]{1,18})-')::bigint as id
        from unnest(${keys}::text[]) as due(key)) due
        join pictures p on p.id = due.id and due.key in (p.key, p.still_key))`)
  const rows = await tx.rows<{ key: string }>(
    sql`update ${unusedFiles} set dying = true where key = any(${keys}::text[]) returning key`,
  )
  return rows.map((row) => row.key)
}

/**
 * Marks those of the files that are due as being deleted, and returns their keys. A file to which a row refers again is
 * no longer in the table.
 */
export const startDeletions = async (db: Reader, keys: readonly string[], now: Date): Promise<string[]> => {
  const rows = await db.rows<{ key: string }>(
    sql`update ${unusedFiles} set dying = true where key = any(${keys}::text[]) and due_at <= ${now} returning key`,
  )
  return rows.map((row) => row.key)
}

/** Removes the rows of files that were deleted from the blob store. */
export const deleteFileRows = (db: Reader, keys: readonly string[]): Promise<number> =>
  db.run(sql`delete from ${unusedFiles} where key = any(${keys}::text[])`)

/** Makes files due for deletion at a time. Their keys must be in the table. A copy to which a row refers stays. */
export const makeFilesDue = (db: Reader, keys: readonly string[], at: Date): Promise<number> =>
  db.run(sql`update ${unusedFiles} set due_at = ${at} where key = any(${keys}::text[])`)
