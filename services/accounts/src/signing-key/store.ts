/** Reads and writes signing keys of local accounts. Private keys are encrypted. */
import { bigints, type Reader, sql } from '@murmuration/db'

/** Id of the instance actor in the table of keys. */
export const INSTANCE_ACTOR = '-99'

export interface KeyRow {
  account_id: string
  public_pem: string
  encrypted_private_pem: string
}

/** A signing key with the previous key, which signs the Update that announces the new key. */
export interface RotatedKeyRow extends KeyRow {
  encrypted_previous_pem: string | null
  rotated_at: Date | null
}

export const keysOf = (db: Reader, ids: readonly string[]): Promise<RotatedKeyRow[]> =>
  db.rows(sql`select account_id, public_pem, private_sealed as encrypted_private_pem,
      previous_sealed as encrypted_previous_pem, rotated_at
    from keys where account_id = any(${bigints(ids)})`)

/**
 * Time in milliseconds (7 days) in which keys of deleted accounts are kept. Deliveries of the Delete are signed during
 * this time.
 */
export const KEYS_KEPT_MS = 7 * 86_400_000

/** Accounts among `ids` that may have a signing key: local accounts, also for seven days after their deletion, and the instance actor. */
export const keyHolders = async (
  db: Reader,
  ids: readonly string[],
  now: number,
): Promise<{ id: string; uri: string | null }[]> =>
  db.rows(sql`select id, uri from accounts where id = any(${bigints(ids)}) and domain is null
      and (removed_at is null or removed_at >= ${new Date(now - KEYS_KEPT_MS)})
    union all select ${INSTANCE_ACTOR}::bigint, null where ${INSTANCE_ACTOR}::bigint = any(${ids}::bigint[])`)

/** Stores signing keys. Existing keys of accounts stay. */
export const insertKeys = async (db: Reader, rows: readonly KeyRow[], at: Date): Promise<void> => {
  await db.run(sql`insert into keys (account_id, public_pem, private_sealed, created_at)
    select id, public_pem, private_sealed, ${at}
    from unnest(${rows.map((row) => row.account_id)}::bigint[], ${rows.map((row) => row.public_pem)}::text[],
      ${rows.map((row) => row.encrypted_private_pem)}::text[]) as fresh(id, public_pem, private_sealed)
    order by id on conflict (account_id) do nothing`)
}

/** Deletes keys of accounts that were deleted before the time `before`, at most 1,000 per call. */
export const deleteKeysOfRemoved = async (db: Reader, before: Date): Promise<void> => {
  await db.run(sql`delete from keys where account_id in (
    select k.account_id from accounts a join keys k on k.account_id = a.id where a.removed_at < ${before} limit 1000)`)
}
