/** Follows between local accounts and the accounts of a domain, or given accounts. */
import { type Reader, type Sql, sql } from '@murmuration/db'
import { type FollowTable, type Pair, table } from './follow.store.js'

/** Accounts of a server that are looked up one by one; of one with more, those with whom somebody has a relation are soon found. */
const FEW = 5_000

/**
 * Relationships of an account with accounts of one domain. If the domain has few accounts, each is looked up. Otherwise the
 * relationships are read, one after the other for some (`offset 0`). So a million followers are never read for a small domain.
 */
const withDomain = (
  which: FollowTable,
  account: string,
  domain: string,
  { side, wanted }: { side: 'from' | 'to'; wanted: 'some' | 'all' },
): Sql => {
  const [mine, other] = side === 'from' ? [sql`account_id`, sql`target_id`] : [sql`target_id`, sql`account_id`]
  return sql`(select f.account_id as "from", f.target_id as "to" from near
        cross join lateral (select f.account_id, f.target_id from ${table(which)} f
          where f.${other} = near.id and f.${mine} = ${account} offset 0) f
        where (select count(*) from near) <= ${FEW}
      union all select f.account_id, f.target_id from ${table(which)} f
        cross join lateral (select domain from accounts where id = f.${other} ${wanted === 'some' ? sql`offset 0` : sql``}) a
        where f.${mine} = ${account} and a.domain = ${domain} and (select count(*) from near) > ${FEW})`
}

/** Some accounts of a domain, by the index on the reversed name. */
const near = (domain: string): Sql =>
  sql`near as materialized (select id from accounts where domain is not null and reverse(domain) = reverse(${domain}::text) limit ${FEW + 1})`

/** Pairs of relations from and to an account with people of one domain; at most `limit` each way. */
export const relationsWithDomain = (
  db: Reader,
  which: FollowTable,
  account: string,
  domain: string,
  limit: number,
): Promise<Pair[]> =>
  db.rows(sql`with ${near(domain)}
    (select * from ${withDomain(which, account, domain, { side: 'from', wanted: 'some' })} one limit ${limit})
    union all (select * from ${withDomain(which, account, domain, { side: 'to', wanted: 'some' })} one limit ${limit})`)

/** Pairs of relations from and to these accounts; at most `limit` each way. */
export const relationsOfAccounts = (
  db: Reader,
  which: FollowTable,
  ids: readonly string[],
  limit: number,
): Promise<Pair[]> =>
  db.rows(sql`(select account_id as "from", target_id as "to" from ${table(which)}
      where account_id = any(${ids}::bigint[]) limit ${limit})
    union (select account_id, target_id from ${table(which)} where target_id = any(${ids}::bigint[]) limit ${limit})`)

/** Relations that these accounts began. */
export const relationsFrom = (db: Reader, which: FollowTable, ids: readonly string[], limit: number): Promise<Pair[]> =>
  db.rows(sql`select account_id as "from", target_id as "to" from ${table(which)}
    where account_id = any(${ids}::bigint[]) limit ${limit}`)

/** Number of follows that blocking a domain would end. */
export const countWithDomain = async (
  db: Reader,
  account: string,
  domain: string,
): Promise<{ following_count: number; followers_count: number }> =>
  (await db.row<{ following_count: number; followers_count: number }>(sql`with ${near(domain)} select
    (select count(*)::int from ${withDomain('follows', account, domain, { side: 'from', wanted: 'all' })} one) as following_count,
    (select count(*)::int from ${withDomain('follows', account, domain, { side: 'to', wanted: 'all' })} one) as followers_count`)) ?? {
    following_count: 0,
    followers_count: 0,
  }
