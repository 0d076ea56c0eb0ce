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
export const lockAccount = (tx: Tx, id: string): Promise<void> => lockAccounts(tx, [id])

/** The same for several accounts, in the order in which everybody takes these locks. */
export const lockAccounts = async (tx: Tx, ids: readonly string[]): Promise<void> => {
  await tx.run(sql`select pg_advisory_xact_lock(id) from (
    select id from unnest(${ids}::bigint[]) as given(id) order by id offset 0) sorted`)
}

/** For a rule about a number of rows, such as the most lists of a person. */
export const lockName = async (tx: Tx, name: string): Promise<void> => {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 1))`)
}

/** The same for several, in one order everywhere. */
export const lockNames = async (tx: Tx, names: readonly string[]): Promise<void> => {
  await tx.run(sql`select pg_advisory_xact_lock(hash) from (
    select distinct hashtextextended(name, 1) as hash from unnest(${names}::text[]) as given(name)
    order by hash offset 0) sorted`)
}
