/** Reads and writes users, which contain credentials, role and state of local accounts. */
import { bigints, type Reader, type Sql, sql, type Tx } from '@murmuration/db'
import { asciiEmail } from '@murmuration/text'
import type { UserFlags } from './state.rules.js'

/** A user with all fields that decide about permissions. */
export interface UserRow extends UserFlags {
  user_id: string
  account_id: string
  username: string
  email: string
  password_hash: string | null
  locale: string
  role_id: string | null
  role_permissions: number
  role_position: number
  /** Permissions of the base role of all users. */
  everyone_permissions: number
  active_at: Date | null
}

const columns = sql`u.id as user_id, u.account_id, a.username, u.email, u.password_hash, u.locale, u.role_id,
  coalesce(r.permissions, 0) as role_permissions, coalesce(r.position, -1) as role_position,
  everyone.permissions as everyone_permissions, u.active_at,
  u.confirmed_at is not null as confirmed, u.approved, u.disabled,
  a.suspended_at is not null as suspended, a.memorial, a.moved_to_id is not null as moved,
  coalesce(r.require_2fa, false) and not (
    exists (select 1 from one_time_codes c where c.user_id = u.id and c.confirmed_at is not null)
    or exists (select 1 from security_keys k where k.user_id = u.id)) as lacks_factor`

const tables = sql`join accounts a on a.id = u.account_id
  left join roles r on r.id = u.role_id
  cross join (select permissions from roles where id = -99) everyone`

/** Columns and joins for queries that start from a token or session and join `users u`. */
export const userColumns: Sql = columns
export const userTables: Sql = tables

export const userById = (db: Reader, id: string): Promise<UserRow | null> =>
  db.row(sql`select ${columns} from users u ${tables} where u.id = ${id}`)

export const userByAccountId = (db: Reader, id: string): Promise<UserRow | null> =>
  db.row(sql`select ${columns} from users u ${tables} where u.account_id = ${id}`)

/** Users by account id, in order of account ids. */
export const usersByAccountIds = (db: Reader, ids: readonly string[]): Promise<UserRow[]> =>
  db.rows(sql`select ${columns} from users u ${tables} where u.account_id = any(${bigints(ids)}) order by u.account_id`)

/** The user with this e-mail address, ignoring case. */
export const userByEmail = (db: Reader, email: string): Promise<UserRow | null> =>
  db.row(sql`select ${columns} from users u ${tables} where lower(u.email) = ${asciiEmail(email).toLowerCase()}`)

/** The user with this user name, ignoring case. */
export const userByUsername = (db: Reader, username: string): Promise<UserRow | null> =>
  db.row(sql`select ${columns} from users u ${tables}
    where lower(a.username) = ${username.toLowerCase()} and coalesce(a.domain, '') = ''`)

/**
 * Locks a user for the transaction, and returns the current row. Transactions that write a user's sessions, credentials,
 * links or codes take this lock before they lock other rows of the user, so that they do not deadlock.
 */
export const lockUser = async (tx: Tx, id: string): Promise<UserRow | null> => {
  await lockUsers(tx, [id])
  // A statement that waited for the lock would return joined rows as they were before the wait.
  return userById(tx, id)
}

/** Locks several users, in the order of their ids, like `lockUser`. */
export const lockUsers = async (tx: Tx, ids: readonly string[]): Promise<void> => {
  await tx.run(sql`select 1 from users where id = any(${bigints(ids)}) order by id for no key update`)
}

/** Stores a password digest. Null removes the password, so that no password signs the user in. */
export const setPasswordHash = async (tx: Tx, userId: string, hash: string | null): Promise<void> => {
  await tx.run(sql`update users set password_hash = ${hash} where id = ${userId}`)
}

/** Stores the language of a user; false if it was the same. */
export const setLocale = async (tx: Tx, userId: string, locale: string): Promise<boolean> =>
  (await tx.row(sql`update users set locale = ${locale}
    where id = ${userId} and locale <> ${locale} returning id`)) !== null

/** Whether a local account has this user name, ignoring case. Removed accounts keep their names. */
export const isNameTaken = async (db: Reader, username: string): Promise<boolean> =>
  (await db.row(sql`select 1 from accounts
    where lower(username) = ${username.toLowerCase()} and coalesce(domain, '') = ''`)) !== null

/** Whether a user has this e-mail address, ignoring case. */
export const isEmailTaken = async (db: Reader, email: string): Promise<boolean> =>
  (await db.row(sql`select 1 from users where lower(email) = ${asciiEmail(email).toLowerCase()}`)) !== null

export const insertUser = async (
  tx: Tx,
  user: {
    id: string
    accountId: string
    email: string
    passwordHash: string | null
    roleId: string | null
    locale: string
    confirmedAt: Date | null
    approved: boolean
    createdAt: Date
  },
): Promise<void> => {
  await tx.run(sql`with fresh as (insert into users
      (id, account_id, email, password_hash, role_id, locale, confirmed_at, approved, active_at, created_at)
      values (${user.id}, ${user.accountId}, ${user.email}, ${user.passwordHash}, ${user.roleId}, ${user.locale},
        ${user.confirmedAt}, ${user.approved}, ${user.createdAt}, ${user.createdAt}) returning id)
    insert into active_weeks (week, user_id) select ${weekOf(user.createdAt)}, id from fresh`)
}

/** The Monday of the week of a time, in UTC. */
const weekOf = (at: Date) => sql`date_trunc('week', ${at}::timestamptz at time zone 'UTC')::date`

/**
 * Stores the time of a user's last activity, the active week, and the IP address if known. A time before the stored
 * one changes nothing.
 */
export const recordActivity = async (db: Reader, userId: string, ip: string | null, at: Date): Promise<void> => {
  await db.run(sql`with seen as (
      update users set active_at = ${at} where id = ${userId} and (active_at is null or active_at < ${at}) returning id),
    noted as (
      insert into active_weeks (week, user_id)
      select ${weekOf(at)}, id from seen on conflict do nothing)
    insert into sign_ins (user_id, ip, used_at)
    select id, ${ip}::inet, ${at} from seen where ${ip}::inet is not null
    on conflict (user_id, ip) do update set used_at = excluded.used_at`)
}

/** Account ids of active users whose own role has any of the permission `bits`. */
export const accountsWithPermission = async (db: Reader, bits: number): Promise<string[]> => {
  const rows = await db.rows<{ account_id: string }>(sql`select u.account_id from users u
    join roles r on r.id = u.role_id join accounts a on a.id = u.account_id
    where r.permissions & ${bits} <> 0 and u.confirmed_at is not null and u.approved and not u.disabled
      and not a.memorial and a.suspended_at is null and a.moved_to_id is null
    order by u.account_id`)
  return rows.map((row) => row.account_id)
}

/** Deletes IP addresses that were last used before the time `before`, at most `limit`. */
export const deleteOldSignIns = (db: Reader, before: Date, limit: number): Promise<number> =>
  db.run(sql`delete from sign_ins where (user_id, ip) in
    (select user_id, ip from sign_ins where used_at < ${before} limit ${limit})`)
