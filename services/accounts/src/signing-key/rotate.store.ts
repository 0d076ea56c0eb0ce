/** Replaces signing keys, and reads the accounts that have one. */
import { bigints, type Reader, sql, type Tx } from '@murmuration/db'
import { INSTANCE_ACTOR } from './store.js'

/** Ids of the instance actor and of active local accounts with a signing key, after an id; from the first one if it is empty. */
export const keyHoldersAfter = async (db: Reader, after: string, limit: number): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`select k.account_id as id from keys k left join accounts a on a.id = k.account_id
      where ${after === '' ? sql`true` : sql`k.account_id > ${after}`}
        and (k.account_id = ${INSTANCE_ACTOR}
          or (a.id is not null and a.domain is null and a.removed_at is null and a.suspended_at is null))
      order by k.account_id limit ${limit}`)
  ).map((row) => row.id)

/**
 * Replaces keys. The previous private key stays, because it signs the Update with the new public key. An `unreadable`
 * one does not stay.
 */
export const replaceKeys = (
  tx: Tx,
  rows: readonly {
    account_id: string
    public_pem: string
    encrypted_private_pem: string
    unreadable: string | null
  }[],
  at: Date,
): Promise<number> =>
  tx.run(sql`update keys k set previous_sealed = nullif(k.private_sealed, fresh.unreadable), public_pem = fresh.public_pem,
      private_sealed = fresh.encrypted_private_pem, rotated_at = ${at}
    from unnest(${bigints(rows.map((row) => row.account_id))}, ${rows.map((row) => row.public_pem)}::text[],
      ${rows.map((row) => row.encrypted_private_pem)}::text[], ${rows.map((row) => row.unreadable)}::text[])
      as fresh(account_id, public_pem, encrypted_private_pem, unreadable)
    where k.account_id = fresh.account_id`)
