/** Reads and writes browser sessions. */
import { bigints, type Reader, sql, type Tx } from '@murmuration/db'
import { type UserRow, userColumns, userTables } from '../user/store.js'

export const insertSession = async (
  tx: Tx,
  session: { id: string; userId: string; hash: Buffer; ip: string | null; userAgent: string; at: Date },
): Promise<void> => {
  await tx.run(sql`insert into sessions (id, user_id, hash, ip, user_agent, created_at, used_at)
    values (${session.id}, ${session.userId}, ${session.hash}, ${session.ip}::inet, ${session.userAgent},
      ${session.at}, ${session.at})`)
}

export type SessionRow = UserRow & { session_id: string; session_created_at: Date; session_used_at: Date }

/** The user of a session that was used since `idleSince` and created since `bornSince`; null if there is none. */
export const userBySession = (
  db: Reader,
  digest: Buffer,
  limits: { idleSince: Date; bornSince: Date },
): Promise<SessionRow | null> =>
  db.row(sql`select s.id as session_id, s.created_at as session_created_at, s.used_at as session_used_at, ${userColumns}
    from sessions s join users u on u.id = s.user_id ${userTables}
    where s.hash = ${digest} and s.used_at >= ${limits.idleSince} and s.created_at >= ${limits.bornSince}`)

/** Ids of the valid sessions among `ids`. */
export const aliveSessions = async (
  db: Reader,
  ids: readonly string[],
  limits: { idleSince: Date; bornSince: Date },
): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`select id from sessions where id = any(${bigints(ids)})
      and used_at >= ${limits.idleSince} and created_at >= ${limits.bornSince}`)
  ).map((row) => row.id)

export const touchSession = async (db: Reader, id: string, at: Date): Promise<void> => {
  await db.run(sql`update sessions set used_at = ${at} where id = ${id}`)
}

/** Replaces the digest of a session, so that its previous cookie value is no longer valid. */
export const renewSession = async (tx: Tx, id: string, hash: Buffer): Promise<void> => {
  await tx.run(sql`update sessions set hash = ${hash} where id = ${id}`)
}

export const deleteSession = (db: Reader, digest: Buffer): Promise<number> =>
  db.run(sql`delete from sessions where hash = ${digest}`)

export interface BrowserRow {
  id: string
  ip: string | null
  user_agent: string
  created_at: Date
  used_at: Date
}

/** Valid sessions of a user, most recently used first, at most 100. */
export const sessionsOf = (
  db: Reader,
  userId: string,
  limits: { idleSince: Date; bornSince: Date },
): Promise<BrowserRow[]> =>
  db.rows(sql`select id, host(ip) as ip, user_agent, created_at, used_at from sessions
    where user_id = ${userId} and used_at >= ${limits.idleSince} and created_at >= ${limits.bornSince}
    order by used_at desc, id desc limit 100`)

/** Deletes one session of a user. */
export const deleteSessionById = (db: Reader, userId: string, id: string): Promise<number> =>
  db.run(sql`delete from sessions where user_id = ${userId} and id = ${id}`)

/** Deletes all sessions of the users in `userIds` except `kept`. With `kept` null, all sessions are deleted. */
export const deleteSessionsOf = (db: Reader, userIds: readonly string[], kept: string | null): Promise<number> =>
  db.run(sql`delete from sessions where user_id = any(${userIds}::bigint[]) and id is distinct from ${kept}`)

export const deleteOtherSessions = (db: Reader, userId: string, kept: string | null): Promise<number> =>
  deleteSessionsOf(db, [userId], kept)

/** Deletes expired sessions, at most `limit`. */
export const deleteOldSessions = (
  db: Reader,
  limits: { idleSince: Date; bornSince: Date },
  limit: number,
): Promise<number> =>
  db.run(sql`delete from sessions where id in (select id from sessions
    where used_at < ${limits.idleSince} or created_at < ${limits.bornSince} limit ${limit})`)
