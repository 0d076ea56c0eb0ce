/** Signing keys of people here, private halves sealed; public keys of people elsewhere. */
import { bigints, type Reader, sql } from '@murmuration/db'

/** The account id under which the server's own key is kept. */
export const INSTANCE_ACTOR = '-99'

export interface KeyRow {
  account_id: string
  public_pem: string
  private_sealed: string
}

/** With the key before it, which signs the Update that carries this one. */
export interface RotatedKeyRow extends KeyRow {
  previous_sealed: string | null
  rotated_at: Date | null
}

export const keysOf = (db: Reader, ids: readonly string[]): Promise<RotatedKeyRow[]> =>
  db.rows(
    sql`select account_id, public_pem, private_sealed, previous_sealed, rotated_at from keys where account_id = any(${bigints(ids)})`,
  )

/** A Delete is tried for this long at servers that are away, and has to be signed each time. */
export const KEYS_KEPT_MS = 7 * 86_400_000

/** Ids among these that may have a key: local accounts, for a while after deletion too, and the server itself. */
export const keyHolders = async (
  db: Reader,
  ids: readonly string[],
  now: number,
): Promise<{ id: string; uri: string | null }[]> =>
  db.rows(sql`select id, uri from accounts where id = any(${bigints(ids)}) and domain is null
      and (removed_at is null or removed_at >= ${new Date(now - KEYS_KEPT_MS)})
    union all select ${INSTANCE_ACTOR}::bigint, null where ${INSTANCE_ACTOR}::bigint = any(${ids}::bigint[])`)

/** Stores keys; whoever came first wins. */
export const insertKeys = async (db: Reader, rows: readonly KeyRow[], at: Date): Promise<void> => {
  await db.run(sql`insert into keys (account_id, public_pem, private_sealed, created_at)
    select id, public_pem, private_sealed, ${at}
    from unnest(${rows.map((row) => row.account_id)}::bigint[], ${rows.map((row) => row.public_pem)}::text[],
      ${rows.map((row) => row.private_sealed)}::text[]) as fresh(id, public_pem, private_sealed)
    on conflict (account_id) do nothing`)
}

/** Deletes the keys of people who left before this time. */
export const deleteKeysOfRemoved = async (db: Reader, before: Date): Promise<void> => {
  await db.run(sql`delete from keys where account_id in (
    select k.account_id from accounts a join keys k on k.account_id = a.id where a.removed_at < ${before} limit 1000)`)
}
