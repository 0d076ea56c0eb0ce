/** Reads follows and follow requests between an account and a domain, or from and to given accounts. */
import { type Reader, type Sql, sql } from '@murmuration/db'
import { type FollowTable, type Pair, table } from './store.js'

/**
 * Maximum number of accounts of a domain for which each account of the domain is looked up. For a larger domain, the
 * follows of the local account are read instead.
 */
const FEW = 5_000

/**
 * SQL of follows or requests between an account and the accounts of one domain. The number of accounts of the domain decides the plan.
 *
 * - At most `FEW`: each account of the domain is looked up, so that a million followers of `account` are not read.
 * - More: the follows or requests of `account` are read. If `wanted` is `some`, `offset 0` makes PostgreSQL stop
 *   reading at the limit.
 */
const withDomain = (
  which: FollowTable,
  account: string,
  domain: string,
  { side, wanted }: { side: 'from' | 'to'; wanted: 'some' | 'all' },
): Sql => {
  const [column, other] = side === 'from' ? [sql`account_id`, sql`target_id`] : [sql`target_id`, sql`account_id`]
  return sql`(select f.account_id as "from", f.target_id as "to" from near
        cross join lateral (select f.account_id, f.target_id from ${table(which)} f
          where f.${other} = near.id and f.${column} = ${account} offset 0) f
        where (select count(*) from near) <= ${FEW}
      union all select f.account_id, f.target_id from ${table(which)} f
        cross join lateral (select domain from accounts where id = f.${other} ${wanted === 'some' ? sql`offset 0` : sql``}) a
        where f.${column} = ${account} and a.domain = ${domain} and (select count(*) from near) > ${FEW})`
}

/** Up to `FEW + 1` account ids of a domain, read with the index on the reversed domain. */
const near = (domain: string): Sql =>
  sql`near as materialized (select id from accounts where domain is not null and reverse(domain) = reverse(${domain}::text) limit ${FEW + 1})`

/** Follows or requests between an account and accounts of one domain, at most `limit` in each direction. */
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

/** Follows or requests from and to the accounts in `ids`, at most `limit` in each direction. */
export const relationsOfAccounts = (
  db: Reader,
  which: FollowTable,
  ids: readonly string[],
  limit: number,
): Promise<Pair[]> =>
  db.rows(sql`(select account_id as "from", target_id as "to" from ${table(which)}
      where account_id = any(${ids}::bigint[]) limit ${limit})
    union (select account_id, target_id from ${table(which)} where target_id = any(${ids}::bigint[]) limit ${limit})`)

/** Follows or requests whose follower is one of the accounts in `ids`, at most `limit`. */
export const relationsFrom = (db: Reader, which: FollowTable, ids: readonly string[], limit: number): Promise<Pair[]> =>
  db.rows(sql`select account_id as "from", target_id as "to" from ${table(which)}
    where account_id = any(${ids}::bigint[]) limit ${limit}`)

/** Numbers of follows between an account and a domain that a block of this domain would end. */
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
