/** The words of account names: writing them, and finding accounts by the beginnings of words. */
import { allPhrasesText, type Reader, type Sql, sql } from '@murmuration/db'

/** Candidates that are ranked. A prefix of one letter has too many to rank them all. */
const CANDIDATES = 1_000

export interface NameQuery {
  /** Phrases of terms that must all be there, as `beginnings` cuts them; not empty. */
  phrases: readonly (readonly string[])[]
  /** The phrases that are no beginning of a label of our own domain. */
  notOwnDomain: readonly (readonly string[])[]
  /** The user name that comes first, in lower case. */
  name: string
  /** Beginning of the domain or of a label of it, in lower case; null for any. */
  domain: string | null
  /** Accounts of this server count as accounts of that domain. */
  ownDomain: boolean
  viewer: string | null
  following: boolean
  limit: number
  offset: number
}

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

const ofDomain = ({ domain, ownDomain }: NameQuery): Sql => {
  if (domain === null) return sql``
  const own = ownDomain ? sql`a.domain is null or` : sql``
  return sql`and (${own} a.domain like ${`${escaped(domain)}%`} or a.domain like ${`%.${escaped(domain)}%`})`
}

const query = (phrases: readonly (readonly string[])[]): Sql => sql`${allPhrasesText(phrases)}::text::tsquery`

/** All accounts whose names match, and those of followees, who could be beyond the first candidates. */
const candidatesOf = (wish: NameQuery): Sql => {
  const followees =
    wish.viewer === null
      ? null
      : sql`select i.account_id as id from account_search i where i.words @@ ${query(wish.phrases)}
          and i.account_id in (select target_id from follows where account_id = ${wish.viewer}
            union all select ${wish.viewer}::bigint)`
  if (wish.following && followees) return followees
  const domain = ofDomain(wish)
  const everybody = sql`(select i.account_id as id from account_search i join accounts a on a.id = i.account_id
      where i.words @@ ${query(wish.phrases)} ${domain} limit ${CANDIDATES})
    union (select a.id from accounts a where lower(a.username) = ${wish.name} ${domain} limit ${CANDIDATES})`
  const own =
    wish.notOwnDomain.length === 0 || wish.notOwnDomain.length === wish.phrases.length
      ? sql``
      : sql`union (select i.account_id from account_search i join accounts a on a.id = i.account_id
          where i.words @@ ${query(wish.notOwnDomain)} and a.domain is null ${domain} limit ${CANDIDATES})`
  return followees ? sql`${everybody} ${own} union (${followees})` : sql`${everybody} ${own}`
}

/** Ids, best first: the exact user name, then followees of the viewer, then by number of followers. */
export const searchAccounts = async (db: Reader, wish: NameQuery): Promise<string[]> => {
  const followedFirst =
    wish.viewer === null
      ? sql``
      : sql`exists (select 1 from follows f where f.account_id = ${wish.viewer} and f.target_id = a.id) desc,`
  const rows = await db.rows<{ id: string }>(sql`select a.id
    from (${candidatesOf(wish)}) c join accounts a on a.id = c.id
    left join account_stats s on s.account_id = a.id left join users u on u.account_id = a.id
    where a.suspended_at is null and a.moved_to_uri is null
      and (a.domain is not null or (u.confirmed_at is not null and u.approved)) ${ofDomain(wish)}
    order by (lower(a.username) = ${wish.name}) desc, ${followedFirst}
      greatest(s.followers_count, a.remote_followers_count, 0) desc, a.id
    limit ${wish.limit} offset ${wish.offset}`)
  return rows.map((row) => row.id)
}
