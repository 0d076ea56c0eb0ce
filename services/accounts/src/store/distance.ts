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
  db.rows(sql`select viewer, id, bool_or(kind = 1) as blocking, bool_or(kind = 2) as muting,
      bool_or(kind = 3) as blocked_by, bool_or(kind = 4) as domain_blocking
    from (
      select account_id as viewer, target_id as id, 1 as kind from blocks
        where account_id = any(${viewers}::bigint[]) and target_id = any(${named}::bigint[])
      union all
      select account_id, target_id, 2 from mutes
        where account_id = any(${viewers}::bigint[]) and target_id = any(${named}::bigint[])
          and (expires_at is null or expires_at > ${at})
      union all
      select target_id, account_id, 3 from blocks
        where account_id = any(${named}::bigint[]) and target_id = any(${viewers}::bigint[])
      union all
      select d.account_id, a.id, 4 from accounts a join domain_blocks d on d.domain = a.domain
        where a.id = any(${named}::bigint[]) and a.domain is not null and d.account_id = any(${viewers}::bigint[])
    ) as found group by viewer, id`)

/** Those of the viewers who follow somebody. */
export const followersAmong = async (db: Reader, viewers: readonly string[], target: string): Promise<string[]> => {
  const rows = await db.rows<{ account_id: string }>(sql`select account_id from follows
    where target_id = ${target} and account_id = any(${viewers}::bigint[])`)
  return rows.map((row) => row.account_id)
}
