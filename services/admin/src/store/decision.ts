/** What staff decided last about each state of an account. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export type AccountState = 'disable' | 'sensitive' | 'silence' | 'suspend'

export interface DecisionRow {
  wanted: boolean
  stamp: string
}

export const putDecision = (tx: Tx, account: string, state: AccountState, row: DecisionRow): Promise<number> =>
  tx.run(sql`insert into decisions (account_id, state, wanted, stamp)
    values (${account}, ${state}, ${row.wanted}, ${row.stamp})
    on conflict (account_id, state) do update set wanted = excluded.wanted, stamp = excluded.stamp`)

export const decisionOf = (db: Reader, account: string, state: AccountState): Promise<DecisionRow | null> =>
  db.row<DecisionRow>(sql`select wanted, stamp from decisions where account_id = ${account} and state = ${state}`)
