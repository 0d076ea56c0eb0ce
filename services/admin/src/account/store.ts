/** Final decisions of staff about accounts. */
import { sql, type Tx } from '@murmuration/db'

export type Verdict = 'approve' | 'reject' | 'delete'

/** Stores one decision about several accounts. Returns the accounts for which it was not stored yet. */
export const insertVerdicts = async (
  tx: Tx,
  row: { accounts: readonly string[]; verdict: Verdict; by: string | null; at: Date },
): Promise<Set<string>> => {
  const stored = await tx.rows<{ id: string }>(sql`insert into verdicts (account_id, verdict, by_account_id, decided_at)
    select account, ${row.verdict}, ${row.by}::bigint, ${row.at}::timestamptz
    from unnest(${row.accounts}::bigint[]) as given(account) order by account
    on conflict do nothing returning account_id as id`)
  return new Set(stored.map(({ id }) => id))
}
