/**
 * SQL of local accounts that match filters. Each condition with few matches gives a set of account ids that one index contains. The
 * sets are intersected before any row of a table is read. The remaining conditions, which most accounts meet, are checked row by row
 * in the order of the page.
 */
import { bigints, type Cursor, isAscending, type Sql, sql } from '@murmuration/db'
import { boundsOf, EVERYONE, type Filter, networkOf, ownRoles, prefixOf } from './condition.store.js'

/** SQL of local accounts that were not removed and meet a condition. The indexes `accounts_local_…` have the same predicate. */
const accountsWhere = (condition: Sql, page: Cursor): Sql =>
  sql`select a.id from accounts a where a.domain is null and a.removed_at is null and ${condition} ${boundsOf(sql`a.id`, page)}`

const usersWhere = (condition: Sql, page: Cursor): Sql =>
  sql`select u.account_id as id from users u where ${condition} ${boundsOf(sql`u.account_id`, page)}`

/**
 * SQL of local accounts that staff marked, for example as suspended. Removed accounts are left out later, because the
 * index of a mark does not show which accounts are removed.
 */
const markedAs = (mark: Sql, page: Cursor): Sql =>
  sql`select a.id from accounts a where a.domain is null and ${mark} is not null ${boundsOf(sql`a.id`, page)}`

const statusSets = ({ status }: Filter, page: Cursor): Sql[] => {
  if (status === 'pending') return [usersWhere(sql`not u.approved`, page)]
  if (status === 'disabled') return [usersWhere(sql`u.disabled`, page)]
  if (status === 'silenced') return [markedAs(sql`a.silenced_at`, page)]
  if (status === 'suspended') return [markedAs(sql`a.suspended_at`, page)]
  return status === 'sensitized' ? [markedAs(sql`a.sensitized_at`, page)] : []
}

const invitedBy = (inviter: string, page: Cursor): Sql =>
  sql`select s.account_id as id from sign_ups s where s.invite_id in (select i.id from invites i where i.account_id =
      any(array[${inviter}::bigint, (select account_id from users where id = ${inviter}::bigint)]))
    ${boundsOf(sql`s.account_id`, page)}`

const idsWhere = (ids: readonly string[], page: Cursor): Sql =>
  sql`select id from unnest(${bigints(ids)}) as one(id) where true ${boundsOf(sql`id`, page)}`

/**
 * `set`: the users with an IP address in the network are one of the intersected sets. `lookup`: the IP addresses of
 * each remaining account are checked.
 */
export type Network = 'set' | 'lookup'

const emailOf = (email: string, others: readonly string[] = []): Sql =>
  others.length === 0
    ? prefixOf(sql`u.email`, email)
    : sql`(${prefixOf(sql`u.email`, email)} or lower(u.email) = any(${others}::text[]))`

/** SQL of the ids of matching accounts, one query for each condition that has few matches. */
const setsOf = (filter: Filter, page: Cursor, network: Network): Sql[] => {
  const { ids, role_ids, invited_by, username, display_name, email, emails, ip } = filter
  return [
    ...(ids === undefined ? [] : [idsWhere(ids, page)]),
    ...(invited_by === undefined ? [] : [invitedBy(invited_by, page)]),
    ...(role_ids === undefined || role_ids.includes(EVERYONE)
      ? []
      : [usersWhere(sql`u.role_id = any(${role_ids}::bigint[])`, page)]),
    ...statusSets(filter, page),
    ...(username === undefined ? [] : [accountsWhere(prefixOf(sql`a.username`, username), page)]),
    ...(display_name === undefined ? [] : [accountsWhere(prefixOf(sql`a.display_name`, display_name), page)]),
    ...(email === undefined ? [] : [usersWhere(emailOf(email, emails), page)]),
    ...(ip === undefined || network !== 'set' ? [] : [usersWhere(sql`u.id in (${networkOf(ip)})`, page)]),
  ]
}

/**
 * SQL of the accounts that all sets contain. `intersect` reads each set once, even if the planner estimates wrong
 * numbers of rows. A join might read a set several times. With `offset 0`, the planner cannot search for the accounts
 * of one set among all accounts in the order of the page.
 */
const anyOf = (sets: readonly Sql[], page: Cursor): Sql => {
  const [first, ...others] = sets
  if (first === undefined) return usersWhere(sql`true`, page)
  const [found, ...rest] = [first, ...others].map((set) => sql`(select id from (${set}) as one offset 0)`)
  return rest.reduce((all, set) => sql`${all} intersect ${set}`, found as Sql)
}

/** SQL of the conditions that most accounts meet. They are checked for each account that meets all other conditions. */
const checksOf = ({ status, usable, role_ids, ip }: Filter, network: Network): Sql => sql`
  ${status === 'active' || status === 'disabled' ? sql`and a.suspended_at is null` : sql``}
  ${usable ? sql`and not u.disabled and not a.memorial and a.suspended_at is null` : sql``}
  ${role_ids?.includes(EVERYONE) ? sql`and (u.role_id is null or u.role_id = any(${ownRoles(role_ids)}::bigint[]))` : sql``}
  ${
    ip === undefined || network === 'set'
      ? sql``
      : sql`and coalesce((select true from sign_ins s where s.user_id = u.id and s.ip <<= ${ip}::inet limit 1),
          (select true from sign_ups s where s.user_id = u.id and s.ip <<= ${ip}::inet), false)`
  }`

/** SQL of the number of accounts that all sets contain, counted up to `limit`. */
export const countFound = (filter: Filter, page: Cursor, limit: number): Sql =>
  sql`select count(*)::int as n from (select from (${anyOf(setsOf(filter, page, 'lookup'), page)}) matching limit ${limit}) found`

interface How {
  network: Network
  /** Maximum number of accounts whose remaining conditions are checked; all by default. */
  limit?: number
}

/** SQL of one page of ids of local accounts that match the filter. */
export const localQuery = (filter: Filter, page: Cursor, { network, limit }: How = { network: 'set' }): Sql => {
  const found = anyOf(setsOf(filter, page, network), page)
  const order = isAscending(page) ? sql`asc` : sql`desc`
  return sql`select checked.id from (select id from (${found}) matching order by id ${order}
      ${limit === undefined ? sql`offset 0` : sql`limit ${limit}`}) found
    cross join lateral (select a.id from accounts a join users u on u.account_id = a.id
      where a.id = found.id and a.removed_at is null ${checksOf(filter, network)} limit 1) checked
    order by found.id ${order} limit ${page.limit}`
}
