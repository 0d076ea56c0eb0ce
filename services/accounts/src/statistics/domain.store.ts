/** Follows between local accounts and the accounts of domains and their subdomains. */
import { type Reader, sql } from '@murmuration/db'

/** Each count ends at this number, because callers only distinguish none, some and very many. */
const MOST = 10_000

export interface Ties {
  accounts: number
  following: number
  followers: number
}

/**
 * Counts per domain and its subdomains, in the order of `domains`.
 * Follows are looked up per account (`offset 0`) up to the limit, so that the whole table is never read.
 * The index on the reversed domain contains a domain and its subdomains in adjacent ranges.
 */
export const tiesOf = (db: Reader, domains: readonly string[]): Promise<Ties[]> => {
  const of = sql`a.domain is not null and (reverse(a.domain) = reverse(w.domain)
      or (reverse(a.domain) ~>=~ (reverse(w.domain) || '.') and reverse(a.domain) ~<~ (reverse(w.domain) || '/')))`
  return db.rows<Ties>(sql`select
      (select count(*)::int from (select 1 from accounts a where ${of} limit ${MOST}) few) as accounts,
      (select count(*)::int from (select 1 from accounts a
        cross join lateral (select 1 from follows f where f.target_id = a.id and f.account_local offset 0) f
        where ${of} limit ${MOST}) few) as following,
      (select count(*)::int from (select 1 from accounts a
        cross join lateral (select 1 from follows f where f.account_id = a.id offset 0) f where ${of} limit ${MOST}) few) as followers
    from unnest(${domains}::text[]) with ordinality as w(domain, n) order by w.n`)
}
