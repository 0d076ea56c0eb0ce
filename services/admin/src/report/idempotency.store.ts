/** Stores idempotency keys: for an hour, a key of an account identifies one report. */
import { type Reader, sql, type Tx } from '@murmuration/db'

const LIFETIME_MS = 3_600_000

/**
 * Reserves an idempotency key for this report. Returns false if another report has the key. Waits for a concurrent
 * transaction with the same key.
 */
export const takeKey = async (tx: Tx, account: string, key: string, report: string, at: Date): Promise<boolean> =>
  (await tx.run(sql`insert into idempotency_keys as k (account_id, key, report_id, created_at)
      values (${account}, ${key}, ${report}, ${at})
    on conflict (account_id, key) do update set report_id = excluded.report_id, created_at = excluded.created_at
    where k.created_at < ${new Date(at.getTime() - LIFETIME_MS)}`)) > 0

/** Id of the report that an idempotency key identifies; null if there is none. */
export const reportOfKey = async (db: Reader, account: string, key: string, at: Date): Promise<string | null> =>
  (
    await db.row<{ report_id: string }>(sql`select report_id from idempotency_keys where account_id = ${account}
      and key = ${key} and created_at >= ${new Date(at.getTime() - LIFETIME_MS)}`)
  )?.report_id ?? null

/** Deletes expired idempotency keys of reports. Returns the number of deleted keys. */
export const deleteKeys = (db: Reader, at: Date): Promise<number> =>
  db.run(sql`delete from idempotency_keys where (account_id, key) in (select account_id, key from idempotency_keys
    where created_at < ${new Date(at.getTime() - LIFETIME_MS)} limit 5000)`)
