/** Reads and writes access tokens. A token is found by its digest, and revoked permanently. */
import { type Reader, sql, type Tx } from '@murmuration/db'
import { type UserRow, userColumns, userTables } from '../user/store.js'

export interface TokenRow {
  id: string
  application_id: string
  client_id: string
  user_id: string | null
  scopes: string[]
  hash: Buffer
  nonce: Buffer
  created_at: Date
  expires_at: Date | null
  revoked_at: Date | null
  last_used_at: Date | null
}

const tokenColumns = sql`t.id, t.application_id, app.client_id, t.scopes, t.hash, t.nonce,
  t.created_at, t.expires_at, t.revoked_at, t.last_used_at`
const columns = sql`${tokenColumns}, t.user_id`

export const tokenByDigest = (db: Reader, digest: Buffer): Promise<TokenRow | null> =>
  db.row(sql`select ${columns} from access_tokens t join applications app on app.id = t.application_id
    where t.hash = ${digest}`)

export const tokenById = (db: Reader, id: string): Promise<TokenRow | null> =>
  db.row(sql`select ${columns} from access_tokens t join applications app on app.id = t.application_id
    where t.id = ${id}`)

/** A token with the columns of its user. The columns are null if the token belongs to an application without a user. */
export type TokenWithUser = Omit<TokenRow, 'user_id'> & { [Column in keyof UserRow]: UserRow[Column] | null }

export const tokenWithUser = (db: Reader, digest: Buffer): Promise<TokenWithUser | null> =>
  db.row(sql`select ${tokenColumns}, holder.* from access_tokens t
    join applications app on app.id = t.application_id
    left join lateral (select ${userColumns} from users u ${userTables} where u.id = t.user_id) holder on true
    where t.hash = ${digest}`)

/**
 * The newest valid token with the application, user and scopes of the grant. Tokens that operators created and tokens that
 * expire are not reused.
 */
export const tokenOfGrant = (
  db: Reader,
  grant: { applicationId: string; userId: string | null; scopes: readonly string[] },
): Promise<TokenRow | null> =>
  db.row(sql`select ${columns} from access_tokens t join applications app on app.id = t.application_id
    where t.application_id = ${grant.applicationId}
      and ${grant.userId === null ? sql`t.user_id is null` : sql`t.user_id = ${grant.userId}`}
      and t.revoked_at is null and t.expires_at is null and not t.by_operator
      and t.scopes @> ${grant.scopes}::text[] and t.scopes <@ ${grant.scopes}::text[]
    order by t.id desc limit 1`)

export const insertToken = async (
  tx: Tx,
  token: {
    id: string
    applicationId: string
    userId: string | null
    scopes: readonly string[]
    hash: Buffer
    nonce: Buffer
    byOperator: boolean
    createdAt: Date
    expiresAt: Date | null
  },
): Promise<void> => {
  await tx.run(sql`insert into access_tokens
    (id, application_id, user_id, scopes, hash, nonce, by_operator, created_at, expires_at)
    values (${token.id}, ${token.applicationId}, ${token.userId}, ${token.scopes}, ${token.hash}, ${token.nonce},
      ${token.byOperator}, ${token.createdAt}, ${token.expiresAt})`)
}

/** Stores the time of the last use of a token. */
export const recordTokenUse = async (db: Reader, id: string, at: Date): Promise<void> => {
  await db.run(sql`update access_tokens set last_used_at = ${at} where id = ${id}`)
}

/** Revokes an access token. Returns false if it was revoked before. */
export const revokeToken = async (tx: Tx, id: string, at: Date): Promise<boolean> =>
  (await tx.run(sql`update access_tokens set revoked_at = ${at} where id = ${id} and revoked_at is null`)) > 0

/** Revokes all tokens of the users in `userIds`. Returns the tokens that were valid. */
export const revokeTokensOf = (
  tx: Tx,
  userIds: readonly string[],
  at: Date,
): Promise<{ id: string; user_id: string }[]> =>
  tx.rows(sql`update access_tokens set revoked_at = ${at}
    where user_id = any(${userIds}::bigint[]) and revoked_at is null returning id, user_id`)

/** Whether an access token has expired that is not marked as revoked yet. */
export const isTokenExpired = async (db: Reader, at: Date): Promise<boolean> =>
  (await db.row(sql`select 1 from access_tokens
    where expires_at is not null and revoked_at is null and expires_at <= ${at} limit 1`)) !== null

/** Marks expired tokens as revoked, at most 1,000 per call, and returns them. Rows that another transaction locks are left out. */
export const revokeExpiredTokens = (tx: Tx, at: Date): Promise<{ id: string; user_id: string | null }[]> =>
  tx.rows(sql`update access_tokens set revoked_at = expires_at where id in (select id from access_tokens
      where expires_at is not null and revoked_at is null and expires_at <= ${at}
      order by expires_at limit 1000 for update skip locked)
    returning id, user_id`)

/** Ids of the valid tokens of a user. */
export const validTokenIds = (db: Reader, userId: string): Promise<string[]> => validTokenIdsOf(db, [userId])

/** Ids of the valid tokens of several users. */
export const validTokenIdsOf = async (db: Reader, userIds: readonly string[]): Promise<string[]> => {
  const rows = await db.rows<{ id: string }>(
    sql`select id from access_tokens where user_id = any(${userIds}::bigint[]) and revoked_at is null`,
  )
  return rows.map((row) => row.id)
}

/** Deletes tokens that were revoked before the time `before`, at most `limit`. */
export const deleteRevokedTokens = (db: Reader, before: Date, limit: number): Promise<number> =>
  db.run(sql`delete from access_tokens where id in
    (select id from access_tokens where revoked_at < ${before} limit ${limit})`)
