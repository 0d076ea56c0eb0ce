/** Blocks and mutes between many viewers and the few people named in a status; most pairs have none and cost no row. */
import { type Reader, sql } from '@murmuration/db'

export interface DistanceRow {
  viewer: string
  id: string
  blocking: boolean
  muting: boolean
  blocked_by: boolean
  domain_blocking: boolean
}

/** Pairs that keep apart, one row each. */
export const distancesBetween = (
  db: Reader,
  viewers: readonly string[],
  named: readonly string[],
  at: Date,
): Promise<DistanceRow[]> =>
  named.length === 0
    ? Promise.resolve([])
    : db.rows(sql`with viewer as materialized (select id from unnest(${viewers}::bigint[]) as one(id))
    select viewer, id, bool_or(kind = 1) as blocking, bool_or(kind = 2) as muting,
      bool_or(kind = 3) as blocked_by, bool_or(kind = 4) as domain_blocking
    from (
      select b.account_id as viewer, b.target_id as id, 1 as kind from viewer v join blocks b on b.account_id = v.id
        where b.target_id = any(${named}::bigint[])
      union all
      select m.account_id, m.target_id, 2 from viewer v join mutes m on m.account_id = v.id
        where m.target_id = any(${named}::bigint[]) and (m.expires_at is null or m.expires_at > ${at})
      union all
      select b.target_id, b.account_id, 3 from viewer v join blocks b on b.target_id = v.id
        where b.account_id = any(${named}::bigint[])
      union all
      select d.account_id, a.id, 4 from accounts a
        join domain_blocks d on d.domain = a.domain
        join viewer v on v.id = d.account_id
        where a.id = any(${named}::bigint[]) and a.domain is not null
    ) as found group by viewer, id`)

/** Those of the viewers who follow somebody. */
export const followersAmong = async (db: Reader, viewers: readonly string[], target: string): Promise<string[]> => {
  const rows = await db.rows<{ account_id: string }>(sql`select account_id from follows
    where target_id = ${target} and account_id = any(${viewers}::bigint[])`)
  return rows.map((row) => row.account_id)
}
