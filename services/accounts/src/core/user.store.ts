/** Logins of local people: credentials, role and standing. */
import { bigints, type Reader, type Sql, sql, type Tx } from '@murmuration/db'
import { asciiEmail } from './credential.rules.js'
import type { UserFacts } from './user-state.rules.js'

/** A local person with all that decides what they may do. */
export interface UserRow extends UserFacts {
  user_id: string
  account_id: string
  username: string
  email: string
  password_hash: string | null
  locale: string
  role_id: string | null
  role_permissions: number
  role_position: number
  /** Permissions of the role of everyone. */
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

/** For queries that reach a person from a token or session: columns and joins around `users u`. */
export const userColumns: Sql = columns
export const userTables: Sql = tables

export const userById = (db: Reader, id: string): Promise<UserRow | null> =>
  db.row(sql`select ${columns} from users u ${tables} where u.id = ${id}`)

export const userByAccountId = (db: Reader, id: string): Promise<UserRow | null> =>
  db.row(sql`select ${columns} from users u ${tables} where u.account_id = ${id}`)

/** Several, by account id. */
export const usersByAccountIds = (db: Reader, ids: readonly string[]): Promise<UserRow[]> =>
  db.rows(sql`select ${columns} from users u ${tables} where u.account_id = any(${bigints(ids)}) order by u.account_id`)

/** By e-mail address, in any case. */
export const userByEmail = (db: Reader, email: string): Promise<UserRow | null> =>
  db.row(sql`select ${columns} from users u ${tables} where lower(u.email) = ${asciiEmail(email).toLowerCase()}`)

/** By user name, in any case. */
export const userByUsername = (db: Reader, username: string): Promise<UserRow | null> =>
  db.row(sql`select ${columns} from users u ${tables}
    where lower(a.username) = ${username.toLowerCase()} and coalesce(a.domain, '') = ''`)

/** Null takes the password away: nobody signs in with one. */
export const setPasswordHash = async (tx: Tx, userId: string, hash: string | null): Promise<void> => {
  await tx.run(sql`update users set password_hash = ${hash} where id = ${userId}`)
}

/** True when that was another language before. */
export const setLocale = async (tx: Tx, userId: string, locale: string): Promise<boolean> =>
  (await tx.row(sql`update users set locale = ${locale}
    where id = ${userId} and locale <> ${locale} returning id`)) !== null

/** True when somebody here has this name, in any case, or had it. */
export const isNameTaken = async (db: Reader, username: string): Promise<boolean> =>
  (await db.row(sql`select 1 from accounts
    where lower(username) = ${username.toLowerCase()} and coalesce(domain, '') = ''`)) !== null

/** True when this is the address of a login, in any case. */
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

/** The Monday of a moment, in UTC. */
const weekOf = (at: Date) => sql`date_trunc('week', ${at}::timestamptz at time zone 'UTC')::date`

/** Notes that somebody was here, at most once a day, with the address when there is one. */
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

/** Account ids of usable local people whose own role holds any of these permission bits. */
export const accountsWithPermission = async (db: Reader, bits: number): Promise<string[]> => {
  const rows = await db.rows<{ account_id: string }>(sql`select u.account_id from users u
    join roles r on r.id = u.role_id join accounts a on a.id = u.account_id
    where r.permissions & ${bits} <> 0 and u.confirmed_at is not null and u.approved and not u.disabled
      and a.suspended_at is null and a.moved_to_id is null
    order by u.account_id`)
  return rows.map((row) => row.account_id)
}

/** Deletes addresses that were last used before this time, at most 1,000. */
export const deleteOldSignIns = (db: Reader, before: Date): Promise<number> =>
  db.run(sql`delete from sign_ins where (user_id, ip) in
    (select user_id, ip from sign_ins where used_at < ${before} limit 1000)`)
