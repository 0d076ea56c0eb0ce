/**
 * SQL of idempotency keys. For an hour, an idempotency key of an account identifies one status, also after a crash
 * (F055).
 */
import { bigints, type Reader, sql, type Tx } from '@murmuration/db'

const LIFETIME = sql`interval '1 hour'`

/**
 * Plans a status id for a key before other services are called. Concurrent attempts get the same id, so that
 * attachments are reserved once. `done`: the key already identifies a stored status.
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

/**
 * Deletes the plan of a failed attempt, so that the next attempt gets a newer id. Afterwards no attempt can store a
 * status with the planned id, because `takePlan` refuses it.
 */
export const dropPlan = (db: Reader, account: string, key: string, planned: string): Promise<number> =>
  db.run(
    sql`delete from idempotency_keys where account_id = ${account} and key = ${key} and status_id = ${planned} and not done`,
  )

/**
 * Takes the key for a status. Returns false if the key identifies another stored status. The caller must then not store
 * its status.
 */
export const takeKey = async (tx: Tx, account: string, key: string, status: string): Promise<boolean> =>
  (await tx.run(sql`insert into idempotency_keys as k (account_id, key, status_id, done)
      values (${account}, ${key}, ${status}, true)
    on conflict (account_id, key) do update set status_id = excluded.status_id, done = true, at = now()
    where not k.done or k.at < now() - ${LIFETIME}`)) > 0

/**
 * Takes the key for the status that was planned for it. Returns false if another attempt stored a status or deleted the
 * plan. The caller must then not store its status.
 */
export const takePlan = async (tx: Tx, account: string, key: string, planned: string): Promise<boolean> =>
  (await tx.run(sql`update idempotency_keys set done = true, at = now()
    where account_id = ${account} and key = ${key} and status_id = ${planned} and not done`)) > 0

/** The status that an idempotency key identifies; null if none. */
export const statusOfKey = async (db: Reader, account: string, key: string): Promise<string | null> =>
  (
    await db.row<{ status_id: string }>(sql`select status_id from idempotency_keys
      where account_id = ${account} and key = ${key} and done and at >= now() - ${LIFETIME}`)
  )?.status_id ?? null

/** Attachments that statuses and scheduled statuses with these ids have. */
export const mediaOf = async (db: Reader, ids: readonly string[]): Promise<Set<string>> => {
  const rows = await db.rows<{ media_ids: string[] }>(sql`select media_ids from statuses where id = any(${bigints(ids)})
    union all select media_ids from scheduled_statuses where id = any(${bigints(ids)})`)
  return new Set(rows.flatMap((row) => row.media_ids))
}

/** Deletes at most `limit` keys older than an hour. Returns the number of deleted rows. */
export const deleteKeys = (db: Reader, limit: number): Promise<number> =>
  db.run(sql`delete from idempotency_keys where (account_id, key) in (
    select account_id, key from idempotency_keys where at < now() - ${LIFETIME} limit ${limit})`)
