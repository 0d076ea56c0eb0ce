/** Files that no row holds: noted before they are stored and before they are deleted, so that none is ever forgotten. */
import { type Reader, sql, type Tx } from '@murmuration/db'

/** Notes files about to be stored; unless a row comes to hold them they may be deleted from `due` on. */
export const expectFiles = (db: Reader, keys: readonly string[], due: Date): Promise<number> =>
  db.run(sql`insert into loose_files (key, due_at) select key, ${due}::timestamptz from unnest(${keys}::text[]) as fresh(key)
    on conflict (key) do update set due_at = excluded.due_at where not loose_files.dying`)

/** A row holds the files now. False when they are already being deleted; then the transaction must not commit. */
export const holdFiles = async (tx: Tx, keys: readonly string[]): Promise<boolean> =>
  (await tx.run(sql`delete from loose_files where key = any(${keys}::text[]) and not dying`)) === new Set(keys).size

/** No row holds the files any more: they are deleted from `due` on. */
export const loosenFiles = (tx: Tx, keys: readonly string[], due: Date): Promise<number> =>
  tx.run(sql`insert into loose_files (key, due_at) select key, ${due}::timestamptz from unnest(${keys}::text[]) as fresh(key)
    on conflict (key) do update set due_at = excluded.due_at`)

/** Marks up to `most` due files as dying and gives back their names, those of an earlier try included. */
export const takeDueFiles = async (db: Reader, now: Date, most: number): Promise<string[]> => {
  const rows = await db.rows<{ key: string }>(sql`update loose_files set dying = true where key in (
      select key from loose_files where due_at <= ${now} order by due_at limit ${most} for update skip locked)
    returning key`)
  return rows.map((row) => row.key)
}

/** Marks those of these files as dying that are due, and gives back their names: what somebody holds or expects again is not among them. */
export const takeFiles = async (db: Reader, keys: readonly string[], now: Date): Promise<string[]> => {
  const rows = await db.rows<{ key: string }>(
    sql`update loose_files set dying = true where key = any(${keys}::text[]) and due_at <= ${now} returning key`,
  )
  return rows.map((row) => row.key)
}

/** The files are deleted. */
export const forgetFiles = (db: Reader, keys: readonly string[]): Promise<number> =>
  db.run(sql`delete from loose_files where key = any(${keys}::text[])`)

/** Files that were expected and will not be used may be deleted now. */
export const dueNow = (db: Reader, keys: readonly string[], now: Date): Promise<number> =>
  db.run(sql`update loose_files set due_at = ${now} where key = any(${keys}::text[])`)
