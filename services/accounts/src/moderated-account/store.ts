/** The filtered list of accounts for staff. Every condition has an index; `test/moderated-account.test.ts` explains each. */
import type { ModeratedFilter } from '@murmuration/contracts/accounts'
import { PERMISSIONS } from '@murmuration/contracts/permissions'
import { bigints, type Cursor, keyset, newestFirst, type Reader, type Sql, sql, type Tx } from '@murmuration/db'
import { nameOf, prefixPattern, rangeOf } from './rules.js'

/** Matches of a prefix or a network up to which they are collected first. */
const FEW = 2_000
/** Accounts that are searched for matches in the order of the page, before all matches are collected. */
const WINDOW = 20_000
/** Rows of a page up to which this is tried. */
const MOST_IN_WINDOW = 1_000
const STATEMENT_MS = 10_000
const STAFF = PERMISSIONS.manage_reports | PERMISSIONS.administrator
const EVERYONE = '-99'

type Filter = Omit<ModeratedFilter, 'staff'>

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

/** The columns of the login that conditions read, by the name that they have in the query. */
interface Login {
  id: Sql
  email: Sql
}

const networkOf = (range: string, user: Sql, collected: boolean): Sql =>
  collected
    ? sql`and ${user} in (select user_id from sign_ins where ip <<= ${range}::inet
        union all select user_id from sign_ups where ip <<= ${range}::inet)`
    : sql`and coalesce((select true from sign_ins s where s.user_id = ${user} and s.ip <<= ${range}::inet limit 1),
        (select true from sign_ups s where s.user_id = ${user} and s.ip <<= ${range}::inet), false)`

/** Whether a filter reads the user row, which only local accounts have. */
const needsLogin = (filter: Filter): boolean =>
  filter.origin === 'local' ||
  filter.status === 'pending' ||
  filter.status === 'disabled' ||
  filter.usable === true ||
  [filter.role_ids, filter.invited_by, filter.email, filter.ip].some((one) => one !== undefined)

/** The bounds of the page for a column. The planner does not conclude them from equal ids, and reads all rows before. */
const boundsOf = (column: Sql, page: Cursor): Sql => {
  const above = page.min_id ?? page.since_id
  return sql`${page.max_id === undefined ? sql`` : sql`and ${column} < ${page.max_id}::bigint`}
    ${above === undefined ? sql`` : sql`and ${column} > ${above}::bigint`}`
}

const domainOf = (domain: string): Sql => sql`a.domain is not null and reverse(a.domain) = reverse(${domain}::text)`

/** Conditions that an index serves in the order of the page. */
const orderedOf = (filter: Filter, page: Cursor): Sql => {
  const { domain, role_ids, ids } = filter
  return sql`a.removed_at is null and a.id > 0
    ${filter.origin === 'remote' ? sql`and a.domain is not null` : sql``}
    ${filter.origin === 'local' ? sql`and a.domain is null` : sql``}
    ${statusOf(filter.status)}
    ${filter.usable ? sql`and not u.disabled and a.suspended_at is null` : sql``}
    ${role_ids === undefined ? sql`` : rolesOf(role_ids)}
    ${domain === undefined ? sql`` : sql`and ${domainOf(domain)}`}
    ${ids === undefined ? sql`` : sql`and a.id = any(${bigints(ids)})`}
    ${boundsOf(sql`a.id`, page)} ${needsLogin(filter) ? boundsOf(sql`u.account_id`, page) : sql``}`
}

const usernameOf = (name: string): Sql => sql`lower(a.username) like ${prefixPattern(nameOf(name))}`
const displayNameOf = (name: string): Sql => sql`lower(a.display_name) like ${prefixPattern(name)}`

/** Conditions whose matches have another order. */
const unorderedOf = (filter: Filter, login: Login, collected: boolean): Sql => {
  const { username, display_name, email, invited_by } = filter
  const range = filter.ip === undefined ? null : rangeOf(filter.ip)
  return sql`${username === undefined ? sql`` : sql`and ${usernameOf(username)}`}
    ${display_name === undefined ? sql`` : sql`and ${displayNameOf(display_name)}`}
    ${email === undefined ? sql`` : sql`and lower(${login.email}) like ${prefixPattern(email)}`}
    ${
      invited_by === undefined
        ? sql``
        : sql`and ${login.id} in (select s.user_id from sign_ups s join invites i on i.id = s.invite_id where i.account_id =
            any(array[${invited_by}::bigint, (select account_id from users where id = ${invited_by}::bigint)]))`
    }
    ${range === null ? sql`` : networkOf(range, login.id, collected)}`
}

/** True for remote accounts with a login, and for local accounts with a domain. There are none. */
const isEmpty = (filter: Filter): boolean =>
  (filter.origin === 'remote' || filter.domain !== undefined) && needsLogin(filter)

/** Whether a condition has few matches of which an index has the order of the page. */
const isSelective = ({ status, role_ids }: Filter): boolean =>
  (status !== undefined && status !== 'active') || (role_ids !== undefined && !role_ids.includes(EVERYONE))

const isUnordered = ({ username, display_name, email, ip }: Filter): boolean =>
  [username, display_name, email, ip].some((one) => one !== undefined)

const tables = (filter: Filter): Sql =>
  sql`accounts a ${needsLogin(filter) ? sql`join users u on u.account_id = a.id` : sql``}`

/**
 * SQL of one page of ids. `collected`: matches are collected and then sorted, because in the order of the page the planner would
 * search for them among all accounts, expecting them everywhere.
 */
export const moderatedQuery = (filter: Filter, page: Cursor, collected: boolean): Sql => {
  const sorted = needsLogin(filter) ? sql`(u.account_id + 0)` : sql`(a.id + 0)`
  return sql`select a.id from ${tables(filter)} where ${orderedOf(filter, page)}
    ${unorderedOf(filter, { id: sql`u.id`, email: sql`u.email` }, collected && !isSelective(filter))}
    ${keyset(collected ? sorted : sql`a.id`, page)}`
}

/** SQL of the matches among the next accounts in the order of the page. */
export const windowQuery = (filter: Filter, page: Cursor): Sql => {
  const login = needsLogin(filter) ? sql`, u.id as user_id, u.email` : sql``
  return sql`select a.id from (select a.id, a.username, a.display_name ${login} from ${tables(filter)}
      where ${orderedOf(filter, page)} ${keyset(sql`a.id`, { ...page, limit: WINDOW })}) a
    where true ${unorderedOf(filter, { id: sql`a.user_id`, email: sql`a.email` }, false)} ${keyset(sql`a.id`, page)}`
}

/** Ids of staff roles, also restricted to `only`. The planner estimates rows better with the ids in the query. */
const staffRoles = async (db: Reader, only: readonly string[] | undefined): Promise<string[]> => {
  const rows = await db.rows<{ id: string }>(
    sql`select id from roles where permissions & ${STAFF}::int <> 0 and id > 0 order by id`,
  )
  return rows.map((row) => row.id).filter((id) => only === undefined || only.includes(id))
}

/** SQL of the accounts that match one condition, for each condition that is no order of the page. */
const matchesOf = ({ domain, username, display_name, email, ip }: Filter): Sql[] => {
  const range = sql`${rangeOf(ip ?? '')}::inet`
  return [
    ...(domain === undefined ? [] : [sql`select a.id from accounts a where ${domainOf(domain)}`]),
    ...(username === undefined ? [] : [sql`select a.id from accounts a where ${usernameOf(username)}`]),
    ...(display_name === undefined ? [] : [sql`select a.id from accounts a where ${displayNameOf(display_name)}`]),
    ...(email === undefined
      ? []
      : [sql`select account_id as id from users where lower(email) like ${prefixPattern(email)}`]),
    ...(ip === undefined
      ? []
      : [
          sql`select u.account_id as id from ((select user_id from sign_ins where ip <<= ${range} limit ${FEW + 1})
            union all (select user_id from sign_ups where ip <<= ${range} limit ${FEW + 1})) found
            join users u on u.id = found.user_id`,
        ]),
  ]
}

/** The accounts that match a condition with few matches; null if every condition has many. */
const fewMatches = async (db: Reader, filter: Filter): Promise<string[] | null> => {
  const found = await Promise.all(matchesOf(filter).map((one) => db.rows<{ id: string }>(sql`${one} limit ${FEW + 1}`)))
  const few = found.filter((rows) => rows.length <= FEW).toSorted((one, other) => one.length - other.length)[0]
  return few?.map(({ id }) => id) ?? null
}

const among = (ids: readonly string[] | undefined, few: readonly string[]): string[] => {
  const wanted = ids && new Set(ids)
  return few.filter((id) => wanted?.has(id) ?? true)
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
  const role_ids = filter.staff ? await staffRoles(tx, filter.role_ids) : filter.role_ids
  const which = { ...filter, role_ids }
  if (isEmpty(which)) return []
  const select = (query: Sql) => tx.rows<{ id: string }>(query)
  const few = await fewMatches(tx, which)
  if (few !== null)
    return newestFirst(await select(moderatedQuery({ ...which, ids: among(which.ids, few) }, page, false)), page).map(
      (row) => row.id,
    )
  const isPage = page.limit <= MOST_IN_WINDOW
  const near = isUnordered(which) && isPage ? await select(windowQuery(which, page)) : []
  const rows = near.length === page.limit ? near : await select(moderatedQuery(which, page, isUnordered(which)))
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
