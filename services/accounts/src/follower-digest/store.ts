/**
 * Reads and updates digests of an account's followers, one per server (FEP-8fcf). Reads the followers on one server.
 */
import { type Reader, type Sql, sql, type Tx } from '@murmuration/db'
import type { Pair } from '../core/follow/store.js'

/** SQL of the origin of an actor id: the part before the path. The index `accounts_origin` contains the same expression. */
const originOf = sql`substring(a.uri from '^https?://[^/?#]+')`
const digestOf = sql`('x' || encode(sha256(convert_to(a.uri, 'UTF8')), 'hex'))::bit(256)`

/** SQL that computes digest and number of followers per origin from the follows. */
const counted = (
  account: string,
): Sql => sql`select ${originOf} as origin, bit_xor(${digestOf}) as bits, count(*)::int as followers
  from follows f join accounts a on a.id = f.account_id where f.target_id = ${account} group by 1`

export interface OriginDigest {
  origin: string
  /** The 256 bits of the digest as text of zeros and ones. */
  bits: string
}

const only = (origins: readonly string[] | null): Sql =>
  sql`(${origins}::text[] is null or origin = any(${origins}::text[]))`

/** Follower digests by origin of the followers' server, computed from the follows. */
export const digestsOf = (db: Reader, account: string, origins: readonly string[] | null): Promise<OriginDigest[]> =>
  db.rows(sql`select origin, bits::text as bits from (${counted(account)}) now where ${only(origins)}`)

/** Stored follower digests by origin of the followers' server; null if the digests of the account are not stored. */
export const storedDigestsOf = async (
  db: Reader,
  account: string,
  origins: readonly string[] | null,
): Promise<OriginDigest[] | null> => {
  const rows = await db.rows<{
    [K in keyof OriginDigest]: OriginDigest[K] | null
  }>(sql`select d.origin, d.bits::text as bits
    from digested_accounts k left join follower_digests d
      on d.account_id = k.account_id and d.followers > 0 and ${only(origins)}
    where k.account_id = ${account}`)
  if (rows.length === 0) return null
  return rows.flatMap(({ origin, bits }) => (origin === null || bits === null ? [] : [{ origin, bits }]))
}

/**
 * Begins to store the digests of an account. If digests of the account are stored already, this has no effect. The
 * counter row of the account is locked first. Because follow changes update counters before digests, each follow is
 * counted exactly once.
 */
export const storeDigests = async (tx: Tx, account: string): Promise<void> => {
  await tx.run(sql`set local statement_timeout = '60s'`)
  await tx.run(sql`select 1 from account_stats where account_id = ${account} for update`)
  const begun =
    await tx.run(sql`insert into digested_accounts (account_id) select id from accounts where id = ${account}
    on conflict do nothing`)
  if (begun === 0) return
  await tx.run(sql`insert into follower_digests (account_id, origin, bits, followers)
    select ${account}::bigint, origin, bits, followers from (${counted(account)}) now`)
}

/** Updates stored digests by follows that began (`by` 1) or ended (`by` -1). The caller has updated the counters before. */
export const moveDigests = (tx: Tx, pairs: readonly Pair[], by: 1 | -1): Promise<number> =>
  tx.run(sql`insert into follower_digests (account_id, origin, bits, followers)
    select k.account_id, ${originOf}, bit_xor(${digestOf}), count(*)::int * ${by}::int
    from unnest(${pairs.map((one) => one.from)}::bigint[], ${pairs.map((one) => one.to)}::bigint[]) as pair(from_id, to_id)
    join digested_accounts k on k.account_id = pair.to_id join accounts a on a.id = pair.from_id
    group by 1, 2 order by 1, 2
    on conflict (account_id, origin) do update set bits = follower_digests.bits # excluded.bits,
      followers = follower_digests.followers + excluded.followers`)

/** Whether the account has at most `limit` followers. */
export const hasAtMostFollowers = async (db: Reader, account: string, limit: number): Promise<boolean> => {
  const row = await db.row<{ n: number }>(sql`select count(*)::int as n
    from (select 1 from follows where target_id = ${account} limit ${limit + 1}) counted`)
  return (row?.n ?? 0) <= limit
}

/**
 * Maximum number of stored accounts of a server for which the query looks up each account. For larger servers, the
 * follows are read in order.
 */
const FEW = 5_000

/**
 * Actor ids of followers on one server, in ascending order of the ids of their follows. If the server has at most `FEW` accounts, each
 * account is looked up. Otherwise, the follows are read in order until the page is full.
 * The query decides at run time (`offset 0`), because one plan for all servers would read a million follows for a
 * server with ten accounts.
 */
export const followerUrisAt = (
  db: Reader,
  account: string,
  it: { origin: string; after: string; limit: number },
): Promise<{ id: string; uri: string }[]> =>
  db.rows(sql`with near as materialized (select a.id, a.uri from accounts a where ${originOf} = ${it.origin} limit ${FEW + 1})
    select one.id, one.uri from (
      (select f.id, near.uri from near
        cross join lateral (select f.id from follows f
          where f.account_id = near.id and f.target_id = ${account} and f.id > ${it.after} offset 0) f
        where (select count(*) from near) <= ${FEW} order by f.id limit ${it.limit})
      union all (select f.id, a.uri from follows f
        cross join lateral (select uri from accounts where id = f.account_id offset 0) a
        where f.target_id = ${account} and f.id > ${it.after} and ${originOf} = ${it.origin}
          and (select count(*) from near) > ${FEW}
        order by f.id limit ${it.limit})
    ) one order by one.id`)

/**
 * Local followers of an account that are not among the actor ids in `listed`. Only followers with actor ids above
 * `after` and up to `upTo` are compared.
 */
export const unlistedFollowers = async (
  db: Reader,
  account: string,
  it: { listed: readonly string[]; after: string | null; upTo: string | null; limit: number },
): Promise<string[]> => {
  const rows = await db.rows<{ id: string }>(sql`select a.id from follows f join accounts a on a.id = f.account_id
    where f.target_id = ${account} and f.account_local
      and (${it.after}::text is null or a.uri collate "C" > ${it.after}::text)
      and (${it.upTo}::text is null or a.uri collate "C" <= ${it.upTo}::text)
      and not exists (select 1 from unnest(${it.listed}::text[]) as listed(uri) where listed.uri = a.uri)
    order by f.id limit ${it.limit}`)
  return rows.map((row) => row.id)
}

/** Local accounts among the actor ids in `listed` that do not follow the account. `asks`: the local account has sent a follow request. */
export const listedNonFollowers = (
  db: Reader,
  account: string,
  listed: readonly string[],
): Promise<{ id: string; asks: boolean }[]> =>
  db.rows(sql`select a.id, exists (select 1 from follow_requests q where q.account_id = a.id and q.target_id = ${account}) as asks
    from accounts a where a.uri = any(${listed}::text[]) and a.domain is null
      and not exists (select 1 from follows f where f.account_id = a.id and f.target_id = ${account})
    order by a.id`)
