/**
 * Takes advisory locks that order changes of the social graph. PostgreSQL releases these locks when the transaction
 * ends.
 */
import { sql, type Tx } from '@murmuration/db'

/**
 * Locks a pair of accounts exclusively and each of both accounts in shared mode. These locks are taken before any row
 * lock and in the order of ids, so that transactions cannot deadlock.
 */
export const lockPair = async (tx: Tx, a: string, b: string): Promise<void> => {
  const [low, high] = BigInt(a) < BigInt(b) ? [a, b] : [b, a]
  await tx.run(sql`select pg_advisory_xact_lock_shared(${low}::bigint), pg_advisory_xact_lock_shared(${high}::bigint),
    pg_advisory_xact_lock(hashtextextended(${`${low} ${high}`}, 0))`)
}

/** Locks an account for a change of all its relationships, such as a domain block or a suspension. */
export const lockAccount = (tx: Tx, id: string): Promise<void> => lockAccounts(tx, [id])

/** Locks several accounts in the order of their ids. All callers use this order, so that they do not deadlock. */
export const lockAccounts = async (tx: Tx, ids: readonly string[]): Promise<void> => {
  await tx.run(sql`select pg_advisory_xact_lock(id) from (
    select id from unnest(${ids}::bigint[]) as given(id) order by id offset 0) sorted`)
}

/**
 * Takes an advisory lock on a text. With this lock, concurrent checks of a limit run one after the other, for example
 * of the number of lists per account.
 */
export const lockName = async (tx: Tx, name: string): Promise<void> => {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 1))`)
}

/** Takes advisory locks on several texts. All callers lock in the order of the hashes, so that they do not deadlock. */
export const lockNames = async (tx: Tx, names: readonly string[]): Promise<void> => {
  await tx.run(sql`select pg_advisory_xact_lock(hash) from (
    select distinct hashtextextended(name, 1) as hash from unnest(${names}::text[]) as given(name)
    order by hash offset 0) sorted`)
}
