/** Idempotency keys: one key of one person stands for one status, whatever dies meanwhile (F055). */
import { type Reader, sql, type Tx } from '@murmuration/db'

const LIFETIME = sql`interval '1 hour'`

/**
 * Plans an id for a key before anything outside the database is done with it. Attempts at the same time get the same id,
 * so that what they reserve elsewhere is reserved once. `done` when the key already stands for a status.
 */
export const planStatus = async (
  db: Reader,
  account: string,
  key: string,
  freshId: string,
): Promise<{ status_id: string; done: boolean }> => {
  const row = await db.row<{ status_id: string; done: boolean }>(sql`insert into idempotency_keys as k
      (account_id, key, status_id, done) values (${account}, ${key}, ${freshId}, false)
    on conflict (account_id, key) do update set
      status_id = case when k.at < now() - ${LIFETIME} then excluded.status_id else k.status_id end,
      done = k.done and k.at >= now() - ${LIFETIME},
      at = case when k.at < now() - ${LIFETIME} then now() else k.at end
    returning status_id, done`)
  return row ?? { status_id: freshId, done: false }
}

/** Forgets a plan that came to nothing, so that the next attempt gets an id of its own time. */
export const dropPlan = (db: Reader, account: string, key: string, planned: string): Promise<number> =>
  db.run(
    sql`delete from idempotency_keys where account_id = ${account} and key = ${key} and status_id = ${planned} and not done`,
  )

/** Takes the key for this status; false when another one has it, and then this one must not be stored. */
export const takeKey = async (tx: Tx, account: string, key: string, status: string): Promise<boolean> =>
  (await tx.run(sql`insert into idempotency_keys as k (account_id, key, status_id, done)
      values (${account}, ${key}, ${status}, true)
    on conflict (account_id, key) do update set status_id = excluded.status_id, done = true, at = now()
    where not k.done or k.at < now() - ${LIFETIME}`)) > 0

/** The status a key stands for, or null. */
export const statusOfKey = async (db: Reader, account: string, key: string): Promise<string | null> =>
  (
    await db.row<{ status_id: string }>(sql`select status_id from idempotency_keys
      where account_id = ${account} and key = ${key} and done and at >= now() - ${LIFETIME}`)
  )?.status_id ?? null

/** Erases keys after their hour; returns how many. */
export const forgetKeys = (db: Reader, most: number): Promise<number> =>
  db.run(sql`delete from idempotency_keys where (account_id, key) in (
    select account_id, key from idempotency_keys where at < now() - ${LIFETIME} limit ${most})`)
