/** Deletes decisions of staff to delete accounts. */
import { sql, type Tx } from '@murmuration/db'
import { accountDecisions, decisionKind } from './older-table-names.store.js'

/**
 * Deletes the decisions to delete these accounts. The decisions no longer apply, because the accounts are no longer
 * suspended.
 */
export const dropDeletions = (tx: Tx, accounts: readonly string[]): Promise<number> =>
  tx.run(
    sql`delete from ${accountDecisions} where ${decisionKind} = 'delete' and account_id = any(${accounts}::bigint[])`,
  )
