/** Addresses of logins: confirmed, and waiting to be. */
import { bigints, type Reader, sql, type Tx } from '@murmuration/db'
import { asciiEmail } from '../core/credential.rules.js'

export interface EmailRow {
  user_id: string
  account_id: string
  username: string
  email: string
  unconfirmed_email: string | null
  confirmed: boolean
  approved: boolean
  locale: string
  /** Why they want to join, while staff has to decide. */
  reason: string | null
  /** The application that signed the person up. */
  application_id: string | null
}

const select = sql`select u.id as user_id, u.account_id, a.username, u.email, u.unconfirmed_email,
    u.confirmed_at is not null as confirmed, u.approved, u.locale, s.reason, s.application_id
  from users u join accounts a on a.id = u.account_id left join sign_ups s on s.user_id = u.id`

export const emailOfUser = (db: Reader, userId: string): Promise<EmailRow | null> =>
  db.row(sql`${select} where u.id = ${userId}`)

/** The same, with the login held until the transaction ends. */
export const lockEmailOfUser = (tx: Tx, userId: string): Promise<EmailRow | null> =>
  tx.row(sql`${select} where u.id = ${userId} for update of u`)

export const lockEmailOfAccount = (tx: Tx, accountId: string): Promise<EmailRow | null> =>
  tx.row(sql`${select} where u.account_id = ${accountId} for update of u`)

/** Logins that wait for approval, locked until the transaction ends. */
export const lockPendingLogins = (tx: Tx, accountIds: readonly string[]): Promise<EmailRow[]> =>
  tx.rows(sql`${select} where u.account_id = any(${bigints(accountIds)}) and not u.approved
    order by u.account_id for update of u`)

/** By address, in any case. */
export const emailByAddress = (db: Reader, email: string): Promise<EmailRow | null> =>
  db.row(sql`${select} where lower(u.email) = ${asciiEmail(email).toLowerCase()}`)

/** Logins by account id. */
export const emailsOfAccounts = (db: Reader, accountIds: readonly string[]): Promise<EmailRow[]> =>
  accountIds.length === 0
    ? Promise.resolve([])
    : db.rows(sql`${select} where u.account_id = any(${bigints(accountIds)}) order by u.account_id`)

/** The address is proved; it takes the place of the one before. */
export const confirmEmail = async (tx: Tx, userId: string, email: string, at: Date): Promise<void> => {
  await tx.run(sql`update users set email = ${email}, unconfirmed_email = null,
    confirmed_at = coalesce(confirmed_at, ${at}) where id = ${userId}`)
}

/** An address that waits for its link. */
export const setUnconfirmedEmail = async (tx: Tx, userId: string, email: string): Promise<void> => {
  await tx.run(sql`update users set unconfirmed_email = ${email} where id = ${userId}`)
}

/** Another address for a login that was never confirmed. */
export const replaceEmail = async (tx: Tx, userId: string, email: string): Promise<void> => {
  await tx.run(sql`update users set email = ${email} where id = ${userId} and confirmed_at is null`)
}

export const setApproved = async (tx: Tx, userIds: readonly string[]): Promise<void> => {
  await tx.run(sql`update users set approved = true where id = any(${userIds}::bigint[])`)
}

/** Account ids of people with a confirmed address, after an id. */
export const addressedAfter = async (db: Reader, after: string, limit: number): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`select account_id as id from users
      where account_id > ${after} and confirmed_at is not null and approved order by account_id limit ${limit}`)
  ).map((row) => row.id)

/** Notes that a confirmation mail was written again. */
export const recordConfirmationSent = async (tx: Tx, userId: string, at: Date): Promise<void> => {
  await tx.run(sql`update sign_ups set confirmation_sent_at = ${at} where user_id = ${userId}`)
}

/** The address is confirmed: nothing runs out any more. */
export const recordConfirmed = async (tx: Tx, userId: string): Promise<void> => {
  await tx.run(sql`update sign_ups set confirmation_sent_at = null where user_id = ${userId}`)
}
