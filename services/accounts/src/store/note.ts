/** What people note about others for themselves. */
import { sql, type Tx } from '@murmuration/db'

/** Stores the note, or removes it when there is nothing in it. */
export const putNote = async (tx: Tx, pair: { from: string; to: string }, comment: string): Promise<void> => {
  await tx.run(
    comment === ''
      ? sql`delete from notes where account_id = ${pair.from} and target_id = ${pair.to}`
      : sql`insert into notes (account_id, target_id, comment) values (${pair.from}, ${pair.to}, ${comment})
          on conflict (account_id, target_id) do update set comment = excluded.comment`,
  )
}
