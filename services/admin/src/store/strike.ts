/** Strikes: what staff did to an account, and why. */
import { sql, type Tx } from '@murmuration/db'

export interface StrikeRow {
  id: string
  account_id: string
  target_account_id: string
  action: 'none' | 'disable' | 'sensitive' | 'silence' | 'suspend'
  text: string
  report_id: string | null
  status_ids: string[]
  created_at: Date
}

export const insertStrike = (tx: Tx, row: StrikeRow): Promise<number> =>
  tx.run(sql`insert into strikes (id, account_id, target_account_id, action, text, report_id, status_ids, created_at)
    values (${row.id}, ${row.account_id}, ${row.target_account_id}, ${row.action}, ${row.text}, ${row.report_id},
      ${row.status_ids}::bigint[], ${row.created_at})`)
