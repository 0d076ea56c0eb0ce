/** Replaces signing keys, and reads the accounts that have one. */
import { bigints, type Reader, sql, type Tx } from '@murmuration/db'

/** Ids of active local accounts with a signing key, after an id. */
export const keyHoldersAfter = async (db: Reader, after: string, limit: number): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`select k.account_id as id from keys k join accounts a on a.id = k.account_id
      where k.account_id > ${after || '0'} and a.domain is null and a.removed_at is null and a.suspended_at is null
      order by k.account_id limit ${limit}`)
  ).map((row) => row.id)

/** Replaces keys. The previous private key stays, because it signs the Update with the new public key. */
export const replaceKeys = (
  tx: Tx,
  rows: readonly { account_id: string; public_pem: string; encrypted_private_pem: string }[],
  at: Date,
): Promise<number> =>
  tx.run(sql`update keys k set previous_sealed = k.private_sealed, public_pem = fresh.public_pem,
      private_sealed = fresh.encrypted_private_pem, rotated_at = ${at}
    from unnest(${bigints(rows.map((row) => row.account_id))}, ${rows.map((row) => row.public_pem)}::text[],
      ${rows.map((row) => row.encrypted_private_pem)}::text[]) as fresh(account_id, public_pem, encrypted_private_pem)
    where k.account_id = fresh.account_id`)
