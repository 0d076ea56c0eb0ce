/** Finds accounts by the beginnings of words in their names. */
import { allPhrasesText, type Reader, type Sql, sql } from '@murmuration/db'

/**
 * Maximum number of candidates per source that are ranked. A prefix of one letter matches too many accounts to rank all
 * of them.
 */
const CANDIDATES = 1_000

/** Phrases of terms that must all match, as `prefixPhrases` returns them. The list is not empty. */
type Phrases = readonly (readonly string[])[]

export interface NameQuery {
  /** The phrases in their present form, and in the form of the previous release if it differs. One form must match. */
  phrases: readonly Phrases[]
  /**
   * The phrases without those that match a label of the domain of this server. Empty if all or none of the phrases
   * match such a label.
   */
  notOwnDomain: readonly Phrases[]
  /** User name in lower case. An account with exactly this name comes first. */
  name: string
  /** Beginning of the domain or of one of its labels, in lower case; null for any domain. */
  domain: string | null
  /** Internationalised domains that match `domain` in their Unicode form. */
  unicodeDomains: readonly string[]
  /** True if local accounts match `domain`, too. */
  ownDomain: boolean
  viewer: string | null
  following: boolean
  /** Id of an account that the result does not contain; null for none. */
  without: string | null
  limit: number
  offset: number
}

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

const matching = (forms: readonly Phrases[]): Sql => sql`${forms.map(allPhrasesText).join(' | ')}::text::tsquery`

const ofDomain = ({ domain, unicodeDomains, ownDomain }: NameQuery): Sql => {
  if (domain === null) return sql``
  const own = ownDomain ? sql`a.domain is null or` : sql``
  const named = unicodeDomains.length === 0 ? sql`` : sql`or a.domain = any(${unicodeDomains}::text[])`
  return sql`and (${own} a.domain like ${`${escaped(domain)}%`} or a.domain like ${`%.${escaped(domain)}%`} ${named})`
}

/**
 * SQL condition: a search finds the account. Each bounded query has it, because hidden accounts could be more than the
 * bound. The user is read by a scalar subquery, which is not evaluated for remote accounts and never for all users.
 */
const isFound = sql`a.suspended_at is null and a.moved_to_uri is null and (a.domain is not null
  or (select u.confirmed_at is not null and u.approved from users u where u.account_id = a.id))`

/** Internationalised domains of a bounded number of accounts that match the phrases. */
export const internationalDomains = async (db: Reader, phrases: readonly Phrases[]): Promise<string[]> =>
  (
    await db.rows<{ domain: string }>(sql`select distinct found.domain from (
      select a.domain from account_search i join accounts a on a.id = i.account_id
        where i.words @@ ${matching(phrases)} and a.domain like '%xn--%' and ${isFound}
        limit ${CANDIDATES}) found`)
  ).map((row) => row.domain)

/** SQL of all matching followees of the viewer, and the viewer; null without a viewer. */
const followeesOf = ({ viewer, phrases, notOwnDomain }: NameQuery): Sql | null => {
  if (viewer === null) return null
  const among = sql`in (select target_id from follows where account_id = ${viewer} union all select ${viewer}::bigint)`
  const own =
    notOwnDomain.length === 0
      ? sql``
      : sql`union select i.account_id from account_search i join accounts a on a.id = i.account_id
          where i.words @@ ${matching(notOwnDomain)} and a.domain is null and i.account_id ${among}`
  return sql`select i.account_id as id from account_search i
    where i.words @@ ${matching(phrases)} and i.account_id ${among} ${own}`
}

/**
 * SQL of candidates: a bounded number of accounts whose names match, and all matching followees of the viewer. The
 * followees have a separate query, because they could be missing among the bounded number.
 */
const candidatesOf = (query: NameQuery): Sql => {
  const followees = followeesOf(query)
  if (query.following && followees) return followees
  const domain = ofDomain(query)
  const allAccounts = sql`(select i.account_id as id from account_search i join accounts a on a.id = i.account_id
      where i.words @@ ${matching(query.phrases)} and ${isFound} ${domain} limit ${CANDIDATES})
    union (select a.id from accounts a where lower(a.username) = ${query.name} and ${isFound} ${domain}
      limit ${CANDIDATES})`
  const own =
    query.notOwnDomain.length === 0
      ? sql``
      : sql`union (select i.account_id from account_search i join accounts a on a.id = i.account_id
          where i.words @@ ${matching(query.notOwnDomain)} and a.domain is null and ${isFound} ${domain}
          limit ${CANDIDATES})`
  return followees ? sql`${allAccounts} ${own} union (${followees})` : sql`${allAccounts} ${own}`
}

/** Whether the viewer follows the account. */
export const isFollowee = async (db: Reader, viewer: string, account: string): Promise<boolean> =>
  (await db.row(sql`select 1 from follows where account_id = ${viewer} and target_id = ${account}`)) !== null

/** Ids of matching accounts. An exact user name comes first, then followees of the viewer, then the others by number of followers. */
export const searchAccounts = async (db: Reader, query: NameQuery): Promise<string[]> => {
  const followedFirst =
    query.viewer === null
      ? sql``
      : sql`exists (select 1 from follows f where f.account_id = ${query.viewer} and f.target_id = a.id) desc,`
  const rows = await db.rows<{ id: string }>(sql`select a.id
    from (${candidatesOf(query)}) c join accounts a on a.id = c.id
    left join account_stats s on s.account_id = a.id
    where a.id is distinct from ${query.without}::bigint and ${isFound} ${ofDomain(query)}
    order by (lower(a.username) = ${query.name}) desc, ${followedFirst}
      greatest(s.followers_count, a.remote_followers_count, 0) desc, a.id
    limit ${query.limit} offset ${query.offset}`)
  return rows.map((row) => row.id)
}
