/** Stores which entries of the audit log are undone, and by which entries. */
import { bigints, type Reader, sql, type Tx } from '@murmuration/db'

export interface UndoRow {
  entry_id: string
  undo_entry_id: string | null
  by_account_id: string | null
  reason: string | null
  /** Id of the bulk undo that includes this undo. */
  batch_id: string | null
}

/** Marks audit log entries as undone. Returns the ids of the entries that were not marked before. */
export const claimUndos = async (tx: Tx, rows: readonly UndoRow[], at: Date): Promise<Set<string>> => {
  const claimed = await tx.rows<{ entry_id: string }>(sql`insert into audit_undos
      (entry_id, undo_entry_id, by_account_id, reason, batch_id, created_at)
    select entry, undo_entry, by_account, reason, batch, ${at}::timestamptz
    from unnest(${rows.map((row) => row.entry_id)}::bigint[], ${rows.map((row) => row.undo_entry_id)}::bigint[],
      ${rows.map((row) => row.by_account_id)}::bigint[], ${rows.map((row) => row.reason)}::text[],
      ${rows.map((row) => row.batch_id)}::bigint[]) as given(entry, undo_entry, by_account, reason, batch)
    order by entry on conflict do nothing returning entry_id`)
  return new Set(claimed.map((row) => row.entry_id))
}

/** Claims of undos that are not finished yet, locked until the transaction ends. */
export const lockOpenUndos = (tx: Tx, entries: readonly string[]): Promise<UndoRow[]> =>
  tx.rows<UndoRow>(sql`select entry_id, undo_entry_id, by_account_id, reason, batch_id from audit_undos
    where entry_id = any(${bigints(entries)}) and undo_entry_id is null order by entry_id for update`)

/** Entries whose undo an earlier run of this bulk undo claimed and did not finish. */
export const openUndosOf = async (db: Reader, batch: string, entries: readonly string[]): Promise<Set<string>> =>
  new Set(
    (
      await db.rows<{ entry_id: string }>(sql`select entry_id from audit_undos
        where batch_id = ${batch} and undo_entry_id is null and entry_id = any(${bigints(entries)})`)
    ).map((row) => row.entry_id),
  )

/** Stores, for finished undos, the ids of the audit log entries that they added. */
export const closeUndos = (tx: Tx, undos: readonly { entry: string; undoEntry: string }[]): Promise<number> =>
  tx.run(sql`update audit_undos set undo_entry_id = given.undo_entry
    from unnest(${bigints(undos.map(({ entry }) => entry))}, ${bigints(undos.map(({ undoEntry }) => undoEntry))})
      as given(entry, undo_entry)
    where entry_id = given.entry and undo_entry_id is null`)

/** Deletes the claims of undos that the owning service refused. */
export const dropOpenUndos = (db: Reader, entries: readonly string[]): Promise<number> =>
  db.run(sql`delete from audit_undos where entry_id = any(${bigints(entries)}) and undo_entry_id is null`)

/** Entries whose undo was claimed before this time and is not finished, oldest first. */
export const openUndos = async (db: Reader, before: Date, limit: number): Promise<string[]> =>
  (
    await db.rows<{ entry_id: string }>(sql`select entry_id from audit_undos
      where undo_entry_id is null and created_at < ${before} order by created_at limit ${limit}`)
  ).map((row) => row.entry_id)

/** Account ids of the authors of the statuses that strikes are about, by strike id. */
export const authorsOfStrikes = async (db: Reader, strikes: readonly string[]): Promise<Map<string, string>> => {
  const rows = await db.rows<{ id: string; author: string }>(
    sql`select id, target_account_id as author from strikes where id = any(${bigints(strikes)})`,
  )
  return new Map(rows.map(({ id, author }) => [id, author]))
}
