/** Reads and writes sign-in attempts, and reads known networks. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export type SignInMethod = 'password' | 'code' | 'backup-code' | 'key' | 'provider'

export interface SignInAttemptRow {
  id: string
  method: SignInMethod
  succeeded: boolean
  ip: string | null
  user_agent: string
  created_at: Date
}

export const insertAttempt = async (
  tx: Reader,
  attempt: {
    id: string
    userId: string
    method: SignInMethod
    succeeded: boolean
    ip: string | null
    userAgent: string
    at: Date
  },
): Promise<void> => {
  await tx.run(sql`insert into sign_in_attempts (id, user_id, method, succeeded, ip, user_agent, created_at)
    values (${attempt.id}, ${attempt.userId}, ${attempt.method}, ${attempt.succeeded}, ${attempt.ip}::inet,
      ${attempt.userAgent}, ${attempt.at})`)
}

export const attemptsOf = (
  db: Reader,
  userId: string,
  { before, limit }: { before: string | null; limit: number },
): Promise<SignInAttemptRow[]> =>
  db.rows(sql`select id, method, succeeded, host(ip) as ip, user_agent, created_at from sign_in_attempts
    where user_id = ${userId} ${before === null ? sql`` : sql`and id < ${before}`} order by id desc limit ${limit}`)

/** Returns true if the user has signed in before, but never from this network (/24 for IPv4, /64 for IPv6). */
export const isNewNetwork = async (tx: Tx, userId: string, ip: string): Promise<boolean> =>
  (
    await tx.row<{ strange: boolean }>(sql`select count(*) > 0 and not coalesce(bool_or(
        ip <<= network(set_masklen(${ip}::inet, case family(${ip}::inet) when 4 then 24 else 64 end))), false) as strange
      from sign_ins where user_id = ${userId}`)
  )?.strange ?? false

/** Deletes sign-in attempts before the time `before`, at most `limit`. */
export const deleteOldAttempts = (db: Reader, before: Date, limit: number): Promise<number> =>
  db.run(sql`delete from sign_in_attempts where id in
    (select id from sign_in_attempts where created_at < ${before} order by created_at limit ${limit})`)
