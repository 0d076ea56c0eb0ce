/** Digests of the followers of an account by the server they live on, and the followers behind one of them. */
import { type Reader, sql } from '@murmuration/db'

/** What stands before the path of an actor id. */
const originOf = sql`substring(a.uri from '^https?://[^/?#]+')`

/** By origin, with the bits of the digest as text. */
export const digestsOf = (
  db: Reader,
  account: string,
  origins: readonly string[] | null,
): Promise<{ origin: string; bits: string }[]> =>
  db.rows(sql`select origin, bit_xor(digest)::text as bits
    from (select ${originOf} as origin, ('x' || encode(sha256(convert_to(a.uri, 'UTF8')), 'hex'))::bit(256) as digest
      from follows f join accounts a on a.id = f.account_id where f.target_id = ${account}) follower
    where ${origins}::text[] is null or origin = any(${origins}::text[]) group by origin`)

/** True when the account has no more followers than that. */
export const hasAtMost = async (db: Reader, account: string, most: number): Promise<boolean> => {
  const row = await db.row<{ n: number }>(sql`select count(*)::int as n
    from (select 1 from follows where target_id = ${account} limit ${most + 1}) counted`)
  return (row?.n ?? 0) <= most
}

/** Actor ids of followers on one server, by age of the follow. */
export const followerUrisAt = async (
  db: Reader,
  account: string,
  it: { origin: string; limit: number },
): Promise<string[]> => {
  const rows = await db.rows<{ uri: string }>(sql`select a.uri from follows f join accounts a on a.id = f.account_id
    where f.target_id = ${account} and ${originOf} = ${it.origin} order by f.id limit ${it.limit}`)
  return rows.map((row) => row.uri)
}

/** Local followers that are not among these actor ids; at most `limit`. */
export const unlistedFollowers = async (
  db: Reader,
  account: string,
  listed: readonly string[],
  limit: number,
): Promise<string[]> => {
  const rows = await db.rows<{ id: string }>(sql`select a.id from follows f join accounts a on a.id = f.account_id
    where f.target_id = ${account} and f.account_local and a.uri <> all(${listed}::text[]) order by f.id limit ${limit}`)
  return rows.map((row) => row.id)
}

/** Local accounts among these actor ids that do not follow, with whether they ask to. */
export const listedStrangers = (
  db: Reader,
  account: string,
  listed: readonly string[],
): Promise<{ id: string; asks: boolean }[]> =>
  db.rows(sql`select a.id, exists (select 1 from follow_requests q where q.account_id = a.id and q.target_id = ${account}) as asks
    from accounts a where a.uri = any(${listed}::text[]) and a.domain is null
      and not exists (select 1 from follows f where f.account_id = a.id and f.target_id = ${account})
    order by a.id`)
