/** The filtered list of accounts for staff. Every condition has an index; `test/moderated-account.test.ts` explains each. */
import type { ModeratedFilter } from '@murmuration/contracts/accounts'
import { PERMISSIONS } from '@murmuration/contracts/permissions'
import { bigints, type Cursor, keyset, newestFirst, type Reader, type Sql, sql, type Tx } from '@murmuration/db'
import { nameOf, prefixPattern, rangeOf } from './rules.js'

/** Users of a network up to which they are collected first. In a larger network, users are checked in the order of the page. */
const MOST_COLLECTED = 50_000
const STATEMENT_MS = 10_000
const STAFF = PERMISSIONS.manage_reports | PERMISSIONS.administrator
const EVERYONE = '-99'

const statusOf = (status: ModeratedFilter['status']): Sql => {
  if (status === 'active') return sql`and a.suspended_at is null`
  if (status === 'pending') return sql`and not u.approved`
  if (status === 'disabled') return sql`and u.disabled and a.suspended_at is null`
  if (status === 'silenced') return sql`and a.silenced_at is not null`
  if (status === 'suspended') return sql`and a.suspended_at is not null`
  return status === 'sensitized' ? sql`and a.sensitized_at is not null` : sql``
}

const rolesOf = (ids: readonly string[]): Sql => {
  const own = ids.filter((id) => id !== EVERYONE)
  const none = ids.includes(EVERYONE)
  if (none && own.length > 0) return sql`and (u.role_id is null or u.role_id = any(${own}::bigint[]))`
  return none ? sql`and u.role_id is null` : sql`and u.role_id = any(${own}::bigint[])`
}

const networkOf = (range: string, collected: boolean): Sql =>
  collected
    ? sql`and u.id in (select user_id from sign_ins where ip <<= ${range}::inet
        union all select user_id from sign_ups where ip <<= ${range}::inet)`
    : sql`and coalesce((select true from sign_ins s where s.user_id = u.id and s.ip <<= ${range}::inet limit 1),
        (select true from sign_ups s where s.user_id = u.id and s.ip <<= ${range}::inet), false)`

/** Whether a filter reads the user row, which only local accounts have. */
const needsLogin = (filter: Omit<ModeratedFilter, 'staff'>): boolean =>
  filter.origin === 'local' ||
  filter.status === 'pending' ||
  filter.status === 'disabled' ||
  filter.usable === true ||
  [filter.role_ids, filter.invited_by, filter.email, filter.ip].some((one) => one !== undefined)

/** The bounds of the page for the login too. The planner does not conclude them from equal ids, and reads all logins before. */
const loginsOf = (page: Cursor): Sql => {
  const above = page.min_id ?? page.since_id
  return sql`${page.max_id === undefined ? sql`` : sql`and u.account_id < ${page.max_id}::bigint`}
    ${above === undefined ? sql`` : sql`and u.account_id > ${above}::bigint`}`
}

/** SQL of one page of ids. `collected`: users of the network are collected first. */
export const moderatedQuery = (filter: Omit<ModeratedFilter, 'staff'>, page: Cursor, collected: boolean): Sql => {
  const { domain, username, display_name, email, invited_by, role_ids, ids } = filter
  const range = filter.ip === undefined ? null : rangeOf(filter.ip)
  return sql`select a.id from accounts a ${needsLogin(filter) ? sql`join users u on u.account_id = a.id` : sql``}
    where a.removed_at is null and a.id > 0
    ${filter.origin === 'remote' ? sql`and a.domain is not null` : sql``}
    ${filter.origin === 'local' ? sql`and a.domain is null` : sql``}
    ${statusOf(filter.status)}
    ${filter.usable ? sql`and not u.disabled and a.suspended_at is null` : sql``}
    ${role_ids === undefined ? sql`` : rolesOf(role_ids)}
    ${domain === undefined ? sql`` : sql`and a.domain is not null and reverse(a.domain) = reverse(${domain}::text)`}
    ${username === undefined ? sql`` : sql`and lower(a.username) like ${prefixPattern(nameOf(username))}`}
    ${display_name === undefined ? sql`` : sql`and lower(a.display_name) like ${prefixPattern(display_name)}`}
    ${email === undefined ? sql`` : sql`and lower(u.email) like ${prefixPattern(email)}`}
    ${
      invited_by === undefined
        ? sql``
        : sql`and u.id in (select s.user_id from sign_ups s join invites i on i.id = s.invite_id where i.account_id =
            any(array[${invited_by}::bigint, (select account_id from users where id = ${invited_by}::bigint)]))`
    }
    ${range === null ? sql`` : networkOf(range, collected)}
    ${ids === undefined ? sql`` : sql`and a.id = any(${bigints(ids)})`}
    ${needsLogin(filter) ? loginsOf(page) : sql``}
    ${keyset(sql`a.id`, page)}`
}

/** Ids of staff roles, also restricted to `only`. The planner estimates rows better with the ids in the query. */
const staffRoles = async (db: Reader, only: readonly string[] | undefined): Promise<string[]> => {
  const rows = await db.rows<{ id: string }>(
    sql`select id from roles where permissions & ${STAFF}::int <> 0 and id > 0 order by id`,
  )
  return rows.map((row) => row.id).filter((id) => only === undefined || only.includes(id))
}

/** Whether a network has so few users that collecting them is cheap. */
const isSmall = async (db: Reader, range: string): Promise<boolean> => {
  const row = await db.row<{ n: number }>(sql`select count(*)::int as n from (
    (select 1 from sign_ins where ip <<= ${range}::inet limit ${MOST_COLLECTED + 1}) union all
    (select 1 from sign_ups where ip <<= ${range}::inet limit ${MOST_COLLECTED + 1})) as found`)
  return (row?.n ?? 0) <= MOST_COLLECTED
}

/** Ids of accounts that match, newest first. Empty if the filter `ip` is no address. */
export const moderatedIds = async (tx: Tx, filter: ModeratedFilter, page: Cursor): Promise<string[]> => {
  const range = filter.ip === undefined ? '' : rangeOf(filter.ip)
  if (range === null || page.limit === 0) return []
  // Because the best index depends on the values, no generic plan is used. Matching accounts may all be old, which the planner
  // does not expect: joins other than nested loops then read every account.
  await tx.run(sql`select set_config('plan_cache_mode', 'force_custom_plan', true),
    set_config('enable_mergejoin', 'off', true), set_config('enable_hashjoin', 'off', true),
    set_config('statement_timeout', ${String(STATEMENT_MS)}, true)`)
  const collected = range === '' || (await isSmall(tx, range))
  const role_ids = filter.staff ? await staffRoles(tx, filter.role_ids) : filter.role_ids
  const rows = await tx.rows<{ id: string }>(moderatedQuery({ ...filter, role_ids }, page, collected))
  return newestFirst(rows, page).map((row) => row.id)
}

/** Most follows that are counted in each direction. */
const MOST_FOLLOWS = 10_000

/** SQL of the counts. Exported so that a test can explain it. */
export const countFollowsQuery = (id: string): Sql => sql`select
  (select count(*)::int from (select 1 from follows where target_id = ${id} limit ${MOST_FOLLOWS}) as counted) as followers,
  (select count(*)::int from (select 1 from follows where account_id = ${id} limit ${MOST_FOLLOWS}) as counted) as following`

export const countFollows = async (db: Reader, id: string): Promise<{ followers: number; following: number }> =>
  (await db.row<{ followers: number; following: number }>(countFollowsQuery(id))) ?? { followers: 0, following: 0 }
