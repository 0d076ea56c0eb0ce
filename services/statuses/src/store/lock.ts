/** Advisory locks of one transaction. */
import { sql, type Tx } from '@murmuration/db'

/**
 * Makes what a remote account does with one status happen one after the other: its boosts, likes and their undoing may be
 * worked on at the same time. Taken after the lock of the activity id, and before rows are read.
 */
export const lockInteraction = async (tx: Tx, account: string, status: string): Promise<void> => {
  await tx.row(sql`select pg_advisory_xact_lock(hashtextextended(${`${account} ${status}`}, 1))`)
}
