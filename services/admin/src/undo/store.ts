/** Entries of the audit log that are undone. */
import { sql, type Tx } from '@murmuration/db'

export interface UndoRow {
  entry_id: string
  undo_entry_id: string | null
  by_account_id: string | null
  reason: string | null
}

/** Marks entries as undone. Returns the ids of those that were not yet. */
export const claimUndos = async (tx: Tx, rows: readonly UndoRow[], at: Date): Promise<Set<string>> => {
  const claimed = await tx.rows<{ entry_id: string }>(sql`insert into audit_undos
      (entry_id, undo_entry_id, by_account_id, reason, created_at)
    select entry, undo_entry, by_account, reason, ${at}::timestamptz
    from unnest(${rows.map((row) => row.entry_id)}::bigint[], ${rows.map((row) => row.undo_entry_id)}::bigint[],
      ${rows.map((row) => row.by_account_id)}::bigint[], ${rows.map((row) => row.reason)}::text[])
      as given(entry, undo_entry, by_account, reason)
    order by entry on conflict do nothing returning entry_id`)
  return new Set(claimed.map((row) => row.entry_id))
}
