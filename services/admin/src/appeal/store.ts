/** Stores appeals. The module `strike` reads strikes together with their appeals. */
import { sql, type Tx } from '@murmuration/db'

export interface AppealRow {
  id: string
  strike_id: string
  text: string
  state: 'pending' | 'approved' | 'rejected'
}

/** Stores the appeal against a strike. The caller has locked the strike, and checked that it has no appeal. */
export const insertAppeal = (tx: Tx, row: Omit<AppealRow, 'state'> & { created_at: Date }): Promise<number> =>
  tx.run(sql`insert into appeals (id, strike_id, text, created_at)
    values (${row.id}, ${row.strike_id}, ${row.text}, ${row.created_at})`)

/** One appeal, locked until the transaction ends. */
export const lockAppeal = (tx: Tx, id: string): Promise<AppealRow | null> =>
  tx.row<AppealRow>(sql`select id, strike_id, text, state from appeals where id = ${id} for update`)

export const storeDecision = (
  tx: Tx,
  row: { id: string; state: AppealRow['state']; by: string | null; at: Date },
): Promise<number> =>
  tx.run(sql`update appeals set state = ${row.state}, decided_at = ${row.at}, decided_by_account_id = ${row.by}
    where id = ${row.id} and state = 'pending'`)
