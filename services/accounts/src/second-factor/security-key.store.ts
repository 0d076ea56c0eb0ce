/** Reads and writes passkeys and security keys. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export interface SecurityKeyRow {
  id: string
  credential_id: string
  public_key: Buffer
  sign_count: string
  transports: string[]
  name: string
  created_at: Date
  used_at: Date | null
}

/** Passkeys and security keys of a user, oldest first, at most 50. */
export const securityKeysOf = (db: Reader, userId: string): Promise<SecurityKeyRow[]> =>
  db.rows(sql`select id, credential_id, public_key, sign_count, transports, name, created_at, used_at
    from security_keys where user_id = ${userId} order by id limit 50`)

/** Stores a key; false if a user has this credential already. */
export const insertSecurityKey = async (
  tx: Tx,
  key: {
    id: string
    userId: string
    credentialId: string
    publicKey: Buffer
    signCount: number
    transports: readonly string[]
    name: string
    at: Date
  },
): Promise<boolean> =>
  (await tx.run(sql`insert into security_keys
    (id, user_id, credential_id, public_key, sign_count, transports, name, created_at)
    values (${key.id}, ${key.userId}, ${key.credentialId}, ${key.publicKey}, ${key.signCount}, ${key.transports},
      ${key.name}, ${key.at}) on conflict (credential_id) do nothing`)) === 1

/**
 * Stores a use of a security key. Returns false if the signature counter did not grow, which means a copied key
 * (WebAuthn 7.2, step 22). Keys without a counter always send 0, which is accepted.
 */
export const recordKeyUse = async (tx: Tx, id: string, signCount: number, at: Date): Promise<boolean> =>
  (await tx.run(sql`update security_keys set sign_count = ${signCount}, used_at = ${at}
    where id = ${id} and (sign_count < ${signCount} or (sign_count = 0 and ${signCount} = 0))`)) === 1

/** Deletes a key and returns its name; null if there was none. */
export const deleteSecurityKey = async (tx: Tx, userId: string, id: string): Promise<string | null> =>
  (
    await tx.row<{ name: string }>(
      sql`delete from security_keys where user_id = ${userId} and id = ${id} returning name`,
    )
  )?.name ?? null

export const deleteSecurityKeys = (tx: Tx, userId: string): Promise<number> =>
  tx.run(sql`delete from security_keys where user_id = ${userId}`)
