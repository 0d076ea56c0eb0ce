/**
 * The filtered list of accounts for staff. However many accounts there are, each page reads a bounded number of rows:
 *
 * 1. If only local accounts can match the filters, `local.store.ts` intersects sets of account ids from indexes.
 * 2. Otherwise, the first rows of each index are read. A condition with few matches selects the accounts, and the other conditions are checked.
 * 3. If all conditions have many matches, the next accounts in the order of the page are searched. A page is usually full there.
 * 4. If the page is not full, all matches are collected, by combined bitmaps of the indexes.
 *
 * The last step may take too long if every condition has very many matches and hardly any account meets all of them. Such a search is
 * refused after `SEARCH_MS`, with advice which filters to narrow.
 */
import type { ModeratedFilter } from '@murmuration/contracts/accounts'
import { errorText, fail } from '@murmuration/contracts/kit'
import { PERMISSIONS } from '@murmuration/contracts/permissions'
import {
  bigints,
  type Cursor,
  isStatementTimeout,
  keyset,
  newestFirst,
  type Reader,
  type Sql,
  shareTime,
  sql,
  type Tx,
} from '@murmuration/db'
import { addressesIn, boundsOf, type Filter, prefixOf } from './condition.store.js'
import { countFound, localQuery } from './local.store.js'
import { adviceFor, asciiPrefix, beginsWith, filledOf, needsLogin, unfinishedAddress } from './rules.js'

/** Maximum number of matches of a condition that are collected before the other conditions are checked. */
const FEW = 2_000
/**
 * Maximum number of accounts that are searched in the order of the page, by kind of search. `selected`: accounts of a
 * domain or with a status. `local`: local accounts, for a large IP network.
 */
const WINDOW = { all: 50_000, selected: 5_000, local: 10_000 }
/** Maximum page size for which the next accounts in the order of the page are searched (`WINDOW`) before all matches are collected. */
const MAX_IN_WINDOW = 1_000
/** Number of IP addresses from which on a network counts as large. The users of a large network are not collected first. */
const MAX_ADDRESSES = 50_000
/** Maximum duration of all statements of one search together, in milliseconds. */
const SEARCH_MS = 8_000
/** Maximum number of addresses with one local part that are compared in Unicode. */
const MAX_COMPARED = 1_000
const STAFF = PERMISSIONS.manage_reports | PERMISSIONS.administrator

const domainOf = (domain: string): Sql => sql`a.domain is not null and reverse(a.domain) = reverse(${domain}::text)`

const statusOf = (status: ModeratedFilter['status']): Sql => {
  if (status === 'active') return sql`and a.suspended_at is null`
  if (status === 'silenced') return sql`and a.silenced_at is not null`
  if (status === 'suspended') return sql`and a.suspended_at is not null`
  return status === 'sensitized' ? sql`and a.sensitized_at is not null` : sql``
}

/** Conditions that an index serves in the order of the page. */
const orderedOf = ({ origin, status, domain, ids }: Filter): Sql => sql`a.removed_at is null and a.id > 0
  ${origin === 'remote' ? sql`and a.domain is not null` : sql``} ${statusOf(status)}
  ${domain === undefined ? sql`` : sql`and ${domainOf(domain)}`}
  ${ids === undefined ? sql`` : sql`and a.id = any(${bigints(ids)})`}`

/**
 * Conditions whose indexes have another order than the page. The domain is repeated here, because it is the second
 * column of the index of user names.
 */
const prefixesOf = ({ username, display_name, domain }: Filter): Sql => sql`
  ${username === undefined ? sql`` : sql`and ${prefixOf(sql`a.username`, username)}`}
  ${username === undefined || domain === undefined ? sql`` : sql`and coalesce(a.domain, '') = ${domain}`}
  ${display_name === undefined ? sql`` : sql`and ${prefixOf(sql`a.display_name`, display_name)}`}`

/** SQL of one page of account ids. `collected`: all matches are collected and then sorted. */
export const moderatedQuery = (filter: Filter, page: Cursor, collected: boolean): Sql =>
  sql`select a.id from accounts a where ${orderedOf(filter)} ${prefixesOf(filter)} ${boundsOf(sql`a.id`, page)}
    ${keyset(collected ? sql`(a.id + 0)` : sql`a.id`, page)}`

const isSelective = ({ status }: Filter): boolean => status !== undefined && status !== 'active'

/** SQL of the matches among the next accounts in the order of the page. */
export const windowQuery = (filter: Filter, page: Cursor): Sql => {
  const isSelected = filter.domain !== undefined || isSelective(filter)
  const limit = isSelected ? WINDOW.selected : WINDOW.all
  return sql`select a.id from (select a.id, a.username, a.display_name, a.domain from accounts a
      where ${orderedOf(filter)} ${keyset(sql`a.id`, { ...page, limit })}) a
    where true ${prefixesOf(filter)} ${keyset(sql`a.id`, page)}`
}

/**
 * Ids of staff roles, restricted to `only` if given. The ids are read first, because the planner estimates rows better
 * if the query contains them.
 */
const staffRoles = async (db: Reader, only: readonly string[] | undefined): Promise<string[]> => {
  const rows = await db.rows<{ id: string }>(
    sql`select id from roles where permissions & ${STAFF}::int <> 0 and id > 0 order by id`,
  )
  return rows.map((row) => row.id).filter((id) => only === undefined || only.includes(id))
}

/**
 * Stored addresses whose internationalised domain begins with the last label of `email`. The ASCII form of an unfinished
 * label is no prefix of that of the whole label.
 */
export const internationalEmails = async (db: Reader, email: string): Promise<string[]> => {
  const address = unfinishedAddress(email)
  if (address === null) return []
  const rows = await db.rows<{ email: string }>(sql`select lower(u.email) as email from users u
    where ${prefixOf(sql`u.email`, asciiPrefix(address))} limit ${MAX_COMPARED}`)
  return rows.map((row) => row.email).filter((stored) => beginsWith(stored, address))
}

/** SQL of the accounts that match one condition, for each condition that may have few matches. */
const matchesOf = ({ domain, username, display_name }: Filter): Sql[] => [
  ...(domain === undefined ? [] : [domainOf(domain)]),
  ...(username === undefined ? [] : [prefixOf(sql`a.username`, username)]),
  ...(display_name === undefined ? [] : [prefixOf(sql`a.display_name`, display_name)]),
]

/** The accounts that match a condition with few matches; null if every condition has many. */
const fewMatches = async (db: Reader, filter: Filter): Promise<string[] | null> => {
  const [first, ...others] = matchesOf(filter).map(
    (one, n) => sql`(select ${n}::int as n, a.id from accounts a where ${one} limit ${FEW + 1})`,
  )
  if (first === undefined) return null
  const query = others.reduce((all, one) => sql`${all} union all ${one}`, first)
  const found = Map.groupBy(await db.rows<{ n: number; id: string }>(query), ({ n }) => n)
  if (found.size <= others.length) return []
  const few = [...found.values()].filter((rows) => rows.length <= FEW)
  const [fewest] = few.toSorted((one, other) => one.length - other.length)
  return fewest?.map(({ id }) => id) ?? null
}

const among = (ids: readonly string[] | undefined, few: readonly string[]): string[] => {
  const wanted = ids && new Set(ids)
  return few.filter((id) => wanted?.has(id) ?? true)
}

type Rows = { id: string }[]

const countOf = async (db: Reader, query: Sql): Promise<number> => (await db.row<{ n: number }>(query))?.n ?? 0

/**
 * Ids of local accounts that match. For a large network, only the next accounts in the order of the page are checked
 * first. If the matches do not fill the page and accounts remain unchecked, all users of the network are collected.
 */
const localRows = async (db: Reader, filter: Filter, page: Cursor): Promise<Rows> => {
  const { ip } = filter
  if (ip === undefined || (await countOf(db, addressesIn(ip, MAX_ADDRESSES))) < MAX_ADDRESSES)
    return db.rows(localQuery(filter, page))
  const near: Rows = await db.rows(localQuery(filter, page, { network: 'lookup', limit: WINDOW.local }))
  const isComplete =
    near.length === page.limit || (await countOf(db, countFound(filter, page, WINDOW.local))) < WINDOW.local
  return isComplete ? near : db.rows(localQuery(filter, page))
}

const anyRows = async (db: Reader, filter: Filter, page: Cursor): Promise<Rows> => {
  const few = filter.ids ?? (await fewMatches(db, filter))
  if (few !== null) return db.rows(moderatedQuery({ ...filter, ids: among(filter.ids, few) }, page, false))
  const isUnordered = filter.username !== undefined || filter.display_name !== undefined
  // False for a domain with a moderation status, because no index contains its accounts in the order of the page.
  const hasOrder = filter.domain === undefined || !isSelective(filter)
  const near: Rows =
    isUnordered && hasOrder && page.limit <= MAX_IN_WINDOW ? await db.rows(windowQuery(filter, page)) : []
  return near.length === page.limit ? near : db.rows(moderatedQuery(filter, page, isUnordered))
}

/**
 * Ids of accounts that match, newest first. Empty if the filter `ip` is no address. Throws 422 if the search takes longer than
 * `searchMs`.
 */
export const moderatedIds = async (
  tx: Tx,
  given: ModeratedFilter,
  page: Cursor,
  searchMs = SEARCH_MS,
): Promise<string[]> => {
  const filled = filledOf(given)
  if (filled === null || page.limit === 0) return []
  // Because the best index depends on the values, no generic plan is used. `work_mem` is raised, because the default
  // makes bitmaps of 100,000 rows inexact.
  await tx.run(sql`select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('work_mem', '64MB', true),
    set_config('max_parallel_workers_per_gather', '0', true)`)
  const db = shareTime(tx, searchMs)
  try {
    const filter = {
      ...filled,
      ...(filled.staff && { role_ids: await staffRoles(db, filled.role_ids) }),
      ...(given.email && { emails: await internationalEmails(db, given.email) }),
    }
    // Only local accounts have a user, and only remote accounts have a domain. Filters that require both a user and a
    // domain match no account.
    const isLocal = needsLogin(filter)
    if (isLocal && (filter.origin === 'remote' || filter.domain !== undefined)) return []
    return newestFirst(await (isLocal ? localRows : anyRows)(db, filter, page), page).map((row) => row.id)
  } catch (error) {
    if (!isStatementTimeout(error)) throw error
    const advice = adviceFor(filled)
    throw fail('unprocessable', errorText('Too many accounts match. Search again with {advice}', { advice }), {
      cause: error,
    })
  }
}

/** Maximum number of follows that are counted in each direction. */
const MAX_FOLLOWS = 10_000

/** SQL that counts followers and followees of an account, each up to `MAX_FOLLOWS`. Exported so that a test can check its plan. */
export const countFollowsQuery = (id: string): Sql => sql`select
  (select count(*)::int from (select 1 from follows where target_id = ${id} limit ${MAX_FOLLOWS}) as counted) as followers,
  (select count(*)::int from (select 1 from follows where account_id = ${id} limit ${MAX_FOLLOWS}) as counted) as following`

export const countFollows = async (db: Reader, id: string): Promise<{ followers: number; following: number }> =>
  (await db.row<{ followers: number; following: number }>(countFollowsQuery(id))) ?? { followers: 0, following: 0 }
