/** Reads and changes users with their confirmed and unconfirmed e-mail addresses. */
import { bigints, type Reader, sql, type Tx } from '@murmuration/db'
import { asciiEmail } from '@murmuration/text'
import { lockUsers } from '../core/user/store.js'

export interface EmailRow {
  user_id: string
  account_id: string
  username: string
  email: string
  unconfirmed_email: string | null
  confirmed: boolean
  approved: boolean
  locale: string
  /** Reason for the sign-up, which staff reads before approval. */
  reason: string | null
  /** The application that created the account. */
  application_id: string | null
}

const select = sql`select u.id as user_id, u.account_id, a.username, u.email, u.unconfirmed_email,
    u.confirmed_at is not null as confirmed, u.approved, u.locale, s.reason, s.application_id
  from users u join accounts a on a.id = u.account_id left join sign_ups s on s.user_id = u.id`

export const emailOfUser = (db: Reader, userId: string): Promise<EmailRow | null> =>
  db.row(sql`${select} where u.id = ${userId}`)

/** Locks a user like `lockUser`, and returns the e-mail row. */
export const lockEmailOfUser = async (tx: Tx, userId: string): Promise<EmailRow | null> => {
  await lockUsers(tx, [userId])
  return emailOfUser(tx, userId)
}

export const lockEmailOfAccount = (tx: Tx, accountId: string): Promise<EmailRow | null> =>
  tx.row(sql`${select} where u.account_id = ${accountId} for update of u`)

/** Users that wait for approval, locked until the transaction ends. */
export const lockPendingLogins = (tx: Tx, accountIds: readonly string[]): Promise<EmailRow[]> =>
  tx.rows(sql`${select} where u.account_id = any(${bigints(accountIds)}) and not u.approved
    order by u.account_id for update of u`)

/** The user with this address, ignoring case. */
export const emailByAddress = (db: Reader, email: string): Promise<EmailRow | null> =>
  db.row(sql`${select} where lower(u.email) = ${asciiEmail(email).toLowerCase()}`)

/** Users by account id, in order of account ids. */
export const emailsOfAccounts = (db: Reader, accountIds: readonly string[]): Promise<EmailRow[]> =>
  accountIds.length === 0
    ? Promise.resolve([])
    : db.rows(sql`${select} where u.account_id = any(${bigints(accountIds)}) order by u.account_id`)

/** Stores a confirmed e-mail address of a user, which replaces the previous one. */
export const confirmEmail = async (tx: Tx, userId: string, email: string, at: Date): Promise<void> => {
  await tx.run(sql`update users set email = ${email}, unconfirmed_email = null,
    confirmed_at = coalesce(confirmed_at, ${at}) where id = ${userId}`)
}

/** Stores an e-mail address that replaces the user's confirmed address after it is confirmed. */
export const setUnconfirmedEmail = async (tx: Tx, userId: string, email: string): Promise<void> => {
  await tx.run(sql`update users set unconfirmed_email = ${email} where id = ${userId}`)
}

/** Deletes the address that waits to replace a confirmed one; false if there was none. */
export const clearUnconfirmedEmail = async (tx: Tx, userId: string): Promise<boolean> =>
  (await tx.run(sql`update users set unconfirmed_email = null
    where id = ${userId} and confirmed_at is not null and unconfirmed_email is not null`)) === 1

/** Replaces an e-mail address of a user that was never confirmed. */
export const replaceEmail = async (tx: Tx, userId: string, email: string): Promise<void> => {
  await tx.run(sql`update users set email = ${email} where id = ${userId} and confirmed_at is null`)
}

export const setApproved = async (tx: Tx, userIds: readonly string[]): Promise<void> => {
  await tx.run(sql`update users set approved = true where id = any(${userIds}::bigint[])`)
}

/** Ids of accounts with a confirmed e-mail address, in ascending order, after the given id. */
export const addressedAfter = async (db: Reader, after: string, limit: number): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`select account_id as id from users
      where account_id > ${after} and confirmed_at is not null and approved order by account_id limit ${limit}`)
  ).map((row) => row.id)

/** Stores the time when the last confirmation e-mail of a user was sent. */
export const recordConfirmationSent = async (tx: Tx, userId: string, at: Date): Promise<void> => {
  await tx.run(sql`update sign_ups set confirmation_sent_at = ${at} where user_id = ${userId}`)
}

/** Clears the time of the confirmation e-mail, so that the sign-up does not expire. */
export const recordConfirmed = async (tx: Tx, userId: string): Promise<void> => {
  await tx.run(sql`update sign_ups set confirmation_sent_at = null where user_id = ${userId}`)
}
