/** Reads and writes the origin of sign-ups, and whether they wait for confirmation or approval. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export interface SignUpRow {
  user_id: string
  account_id: string
  ip: string | null
  reason: string | null
  time_zone: string | null
  application_id: string | null
  invite_id: string | null
  confirmation_sent_at: Date | null
  waiting: boolean
}

export const insertSignUp = async (tx: Tx, row: SignUpRow): Promise<void> => {
  await tx.run(sql`insert into sign_ups
    (user_id, account_id, ip, reason, time_zone, application_id, invite_id, confirmation_sent_at, waiting)
    values (${row.user_id}, ${row.account_id}, ${row.ip}::inet, ${row.reason}, ${row.time_zone},
      ${row.application_id}, ${row.invite_id}, ${row.confirmation_sent_at}, ${row.waiting})`)
}

const _columns = sql`s.user_id, s.account_id, host(s.ip) as ip, s.reason, s.time_zone, s.application_id, s.invite_id,
  s.confirmation_sent_at, s.waiting`

/** Stores the decision of staff about a sign-up. The reason that the user gave is deleted, because it is no longer needed. */
export const recordDecision = async (tx: Tx, userIds: readonly string[]): Promise<void> => {
  await tx.run(sql`update sign_ups set waiting = false, reason = null where user_id = any(${userIds}::bigint[])`)
}

export interface WaitingRow {
  id: string
  username: string
  email: string
  ip: string | null
  locale: string
  reason: string | null
  invited_by: string | null
  confirmed: boolean
  created_at: Date
}

/** Sign-ups that wait for approval, oldest first. */
export const waitingSignUps = (db: Reader, after: string, limit: number): Promise<WaitingRow[]> =>
  db.rows(sql`select s.account_id as id, a.username, u.email, host(s.ip) as ip, u.locale, s.reason,
      i.account_id as invited_by, u.confirmed_at is not null as confirmed, a.created_at
    from sign_ups s join users u on u.id = s.user_id join accounts a on a.id = s.account_id
    left join invites i on i.id = s.invite_id
    where s.waiting and s.account_id > ${after} order by s.account_id limit ${limit}`)

/**
 * Account ids of users who never confirmed their address and got the last confirmation e-mail before the time `before`,
 * at most `limit`.
 */
export const neverConfirmed = async (db: Reader, before: Date, limit: number): Promise<string[]> =>
  (
    await db.rows<{ account_id: string }>(sql`select account_id from sign_ups
      where confirmation_sent_at < ${before} order by confirmation_sent_at limit ${limit}`)
  ).map((row) => row.account_id)

/** Deletes the IP addresses of sign-ups with user ids below `below`, at most `limit`. */
export const deleteAddresses = (db: Reader, below: string, limit: number): Promise<number> =>
  db.run(sql`update sign_ups set ip = null where user_id in
    (select user_id from sign_ups where ip is not null and user_id < ${below} order by user_id limit ${limit})`)
