/** Counts the accounts of domains and their subdomains, and the follows between these and local accounts. */
import { type Reader, type Sql, sql } from '@murmuration/db'

/** Maximum value of each count per domain. Counting ends there, because callers only distinguish none, some and very many. */
const MAX_COUNT = 10_000

export interface Ties {
  accounts: number
  following: number
  followers: number
}

/** Maximum number of counter rows that are summed for one domain. Each subdomain with follows has one row. */
const MAX_ROWS = 100_000

/** SQL of the number of follows of a domain and its subdomains, from counters that are at most a minute old. */
const countedOf = (metric: 'follow' | 'follower'): Sql =>
  sql`(select least(greatest(coalesce(sum(value), 0), 0), ${MAX_COUNT})::int from (select value from day_count_totals d
    where d.metric = ${metric} and (d.key = reverse(w.domain)
      or (d.key >= reverse(w.domain) || '.' and d.key < reverse(w.domain) || '/')) limit ${MAX_ROWS}) counted)`

/**
 * Counts accounts and follows per domain, including subdomains, in the order of `domains`. Below `MAX_COUNT` accounts, the follows of each
 * account are looked up (`offset 0`), so that the whole table is never read. Other domains use counters.
 * The index on the reversed domain contains a domain and its subdomains in adjacent ranges.
 */
export const tiesOf = (db: Reader, domains: readonly string[]): Promise<Ties[]> => {
  const of = sql`a.domain is not null and (reverse(a.domain) = reverse(w.domain)
      or (reverse(a.domain) ~>=~ (reverse(w.domain) || '.') and reverse(a.domain) ~<~ (reverse(w.domain) || '/')))`
  const few = sql`(select a.id from accounts a where ${of} limit ${MAX_COUNT}) a`
  const followsOf = (join: Sql) => sql`(select count(*)::int from (select 1 from ${few}
    cross join lateral (select 1 from follows f where ${join} offset 0) f limit ${MAX_COUNT}) found)`
  return db.rows<Ties>(sql`select n.accounts,
      case when n.accounts < ${MAX_COUNT} then ${followsOf(sql`f.target_id = a.id and f.account_local`)}
        else ${countedOf('follow')} end as following,
      case when n.accounts < ${MAX_COUNT} then ${followsOf(sql`f.account_id = a.id`)}
        else ${countedOf('follower')} end as followers
    from unnest(${domains}::text[]) with ordinality as w(domain, n)
    cross join lateral (select count(*)::int as accounts from ${few}) n order by w.n`)
}
