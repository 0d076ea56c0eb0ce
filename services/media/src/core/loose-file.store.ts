/** Table of files without a row. Keys are entered before a file is stored and before it is deleted, so that no file is lost. */
import { type Reader, sql, type Tx } from '@murmuration/db'

/** Enters files that are about to be stored. A tick deletes the files after `due`, unless a row refers to them by then. */
export const expectFiles = (db: Reader, keys: readonly string[], due: Date): Promise<number> =>
  db.run(sql`insert into loose_files (key, due_at) select key, ${due}::timestamptz from unnest(${keys}::text[]) as fresh(key)
    order by key on conflict (key) do update set due_at = excluded.due_at where not loose_files.dying`)

/** Removes files to which rows refer now. False if a file is being deleted already: then the transaction must not commit. */
export const holdFiles = async (tx: Tx, keys: readonly string[]): Promise<boolean> =>
  (await tx.run(sql`delete from loose_files where key = any(${keys}::text[]) and not dying`)) === new Set(keys).size

/** Enters files to which no row refers any longer. The files are deleted from `due` on. */
export const loosenFiles = (tx: Tx, keys: readonly string[], due: Date): Promise<number> =>
  tx.run(sql`insert into loose_files (key, due_at) select key, ${due}::timestamptz from unnest(${keys}::text[]) as fresh(key)
    order by key on conflict (key) do update set due_at = excluded.due_at`)

/** Marks up to `limit` due files as dying and returns their keys, including those of an earlier failed deletion. */
export const takeDueFiles = async (db: Reader, now: Date, limit: number): Promise<string[]> => {
  const rows = await db.rows<{ key: string }>(sql`update loose_files set dying = true where key in (
      select key from loose_files where due_at <= ${now} order by due_at limit ${limit} for update skip locked)
    returning key`)
  return rows.map((row) => row.key)
}

/** Marks the due files among `keys` as dying and returns their keys. Files to which a row refers again are not included. */
export const takeFiles = async (db: Reader, keys: readonly string[], now: Date): Promise<string[]> => {
  const rows = await db.rows<{ key: string }>(
    sql`update loose_files set dying = true where key = any(${keys}::text[]) and due_at <= ${now} returning key`,
  )
  return rows.map((row) => row.key)
}

/** Removes deleted files from the table. */
export const deleteFileRows = (db: Reader, keys: readonly string[]): Promise<number> =>
  db.run(sql`delete from loose_files where key = any(${keys}::text[])`)

/** Makes files due for deletion now that were entered before they were stored, but are not used. */
export const dueNow = (db: Reader, keys: readonly string[], now: Date): Promise<number> =>
  db.run(sql`update loose_files set due_at = ${now} where key = any(${keys}::text[])`)
