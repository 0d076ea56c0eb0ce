/** Final decisions of staff about accounts. */
import { sql, type Tx } from '@murmuration/db'

export type Verdict = 'approve' | 'reject' | 'delete'

/** Stores a decision. False when the same one is stored already. */
export const insertVerdict = async (
  tx: Tx,
  row: { account: string; verdict: Verdict; by: string | null; at: Date },
): Promise<boolean> =>
  (await tx.run(sql`insert into verdicts (account_id, verdict, by_account_id, decided_at)
    values (${row.account}, ${row.verdict}, ${row.by}, ${row.at}) on conflict do nothing`)) > 0
