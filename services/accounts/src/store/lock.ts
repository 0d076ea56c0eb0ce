/** Locks that put changes of the graph into one order; held until the transaction ends. */
import { sql, type Tx } from '@murmuration/db'

/**
 * For a change between two accounts: nobody else changes this pair, and nobody changes either of them as a whole.
 * Taken before any row, in the order of ids, so that no two transactions wait for each other.
 */
export const lockPair = async (tx: Tx, a: string, b: string): Promise<void> => {
  const [low, high] = BigInt(a) < BigInt(b) ? [a, b] : [b, a]
  await tx.run(sql`select pg_advisory_xact_lock_shared(${low}::bigint), pg_advisory_xact_lock_shared(${high}::bigint),
    pg_advisory_xact_lock(hashtextextended(${`${low} ${high}`}, 0))`)
}

/** For a change that concerns all relations of one account: unlocking, blocking a domain, suspending. */
export const lockAccount = async (tx: Tx, id: string): Promise<void> => {
  await tx.run(sql`select pg_advisory_xact_lock(${id}::bigint)`)
}

/** For a rule about a number of rows, such as the most lists of a person. */
export const lockName = async (tx: Tx, name: string): Promise<void> => {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 1))`)
}
