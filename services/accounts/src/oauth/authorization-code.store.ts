/** Reads and writes authorization codes, which can be exchanged once. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export interface CodeRow {
  application_id: string
  user_id: string
  redirect_uri: string
  scopes: string[]
  challenge: string | null
  expires_at: Date
  used_at: Date | null
  token_id: string | null
}

export const insertCode = async (
  tx: Tx,
  code: Omit<CodeRow, 'used_at' | 'token_id'> & { hash: Buffer; createdAt: Date },
): Promise<void> => {
  await tx.run(sql`insert into authorization_codes
    (hash, application_id, user_id, redirect_uri, scopes, challenge, created_at, expires_at)
    values (${code.hash}, ${code.application_id}, ${code.user_id}, ${code.redirect_uri}, ${code.scopes},
      ${code.challenge}, ${code.createdAt}, ${code.expires_at})`)
}

export const codeByDigest = (db: Reader, hash: Buffer): Promise<CodeRow | null> =>
  db.row(sql`select application_id, user_id, redirect_uri, scopes, challenge, expires_at, used_at, token_id
    from authorization_codes where hash = ${hash}`)

/** Marks a code as used; false if it is used or expired. Of concurrent calls with one code, only one returns true (F066). */
export const takeCode = async (tx: Tx, hash: Buffer, at: Date): Promise<boolean> =>
  (await tx.run(sql`update authorization_codes set used_at = ${at}
    where hash = ${hash} and used_at is null and expires_at > ${at}`)) === 1

/** Stores the token that was issued for an authorization code, and the time. */
export const recordTokenOfCode = async (tx: Tx, hash: Buffer, tokenId: string, at: Date): Promise<void> => {
  await tx.run(sql`update authorization_codes set token_id = ${tokenId}, used_at = ${at} where hash = ${hash}`)
}

/** Deletes authorization codes of users that were not exchanged for a token. */
export const dropCodesOf = async (tx: Tx, userIds: readonly string[]): Promise<void> => {
  await tx.run(sql`delete from authorization_codes where user_id = any(${userIds}::bigint[]) and used_at is null`)
}

/** Deletes codes that expired before the time `before`, at most `limit`. */
export const deleteOldCodes = (db: Reader, before: Date, limit: number): Promise<number> =>
  db.run(sql`delete from authorization_codes where hash in
    (select hash from authorization_codes where expires_at < ${before} limit ${limit})`)
