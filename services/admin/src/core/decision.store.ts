/** Stored deletions of accounts by staff. */
import { sql, type Tx } from '@murmuration/db'

/** Deletes decisions to delete accounts, which no longer apply because the accounts are not suspended any more. */
export const dropDeletions = (tx: Tx, accounts: readonly string[]): Promise<number> =>
  tx.run(sql`delete from verdicts where verdict = 'delete' and account_id = any(${accounts}::bigint[])`)
