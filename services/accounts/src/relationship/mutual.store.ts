/** Reads blocks and mutes between many viewers and the few accounts in a status. Pairs without a block or mute are not read. */
import { type Reader, sql } from '@murmuration/db'

export interface DistanceRow {
  viewer: string
  id: string
  blocking: boolean
  muting: boolean
  blocked_by: boolean
  domain_blocking: boolean
}

/**
 * Maximum number of blocks, and of mutes, of the accounts in `named` that are read at once for all viewers. If there
 * are more, the blocks or mutes are looked up for each viewer.
 */
const FEW = 500
/** Up to this number of viewers, blocks and mutes are always looked up for each viewer. */
const MANY_VIEWERS = 50

/**
 * For each viewer and each account of `named`: whether the viewer blocks or mutes it, blocks its domain, or is blocked by it. Pairs
 * without any of these have no row.
 */
export const distancesBetween = async (
  db: Reader,
  viewers: readonly string[],
  named: readonly string[],
  at: Date,
): Promise<DistanceRow[]> => {
  if (named.length === 0) return []
  const few = viewers.length > MANY_VIEWERS ? FEW : -1
  const rows =
    await db.rows<DistanceRow>(sql`with viewer as materialized (select id from unnest(${viewers}::bigint[]) as one(id)),
    blockers as materialized (
      select account_id, target_id from blocks where target_id = any(${named}::bigint[]) limit ${few + 1}),
    muters as materialized (
      select account_id, target_id from mutes where target_id = any(${named}::bigint[])
        and (expires_at is null or expires_at > ${at}) limit ${few + 1}),
    blocked as materialized (
      select account_id, target_id from blocks where account_id = any(${named}::bigint[]) limit ${few + 1})
    select viewer, id, bool_or(kind = 1) as blocking, bool_or(kind = 2) as muting,
      bool_or(kind = 3) as blocked_by, bool_or(kind = 4) as domain_blocking
    from (
      select account_id as viewer, target_id as id, 1 as kind from blockers
      union all
      select account_id, target_id, 2 from muters
      union all
      select target_id, account_id, 3 from blocked
      union all
      select b.account_id, b.target_id, 1 from viewer v join blocks b on b.account_id = v.id
        where b.target_id = any(${named}::bigint[]) and (select count(*) from blockers) > ${few}::int
      union all
      select m.account_id, m.target_id, 2 from viewer v join mutes m on m.account_id = v.id
        where m.target_id = any(${named}::bigint[]) and (m.expires_at is null or m.expires_at > ${at})
          and (select count(*) from muters) > ${few}::int
      union all
      select b.target_id, b.account_id, 3 from viewer v join blocks b on b.target_id = v.id
        where b.account_id = any(${named}::bigint[]) and (select count(*) from blocked) > ${few}::int
      union all
      select d.account_id, a.id, 4 from accounts a
        join domain_blocks d on d.domain = a.domain
        join viewer v on v.id = d.account_id
        where a.id = any(${named}::bigint[]) and a.domain is not null
    ) as found group by viewer, id`)
  const wanted = new Set(viewers)
  return rows.filter((row) => wanted.has(row.viewer))
}

/**
 * All accounts with a block or mute between them and an account in `named`, one row per pair. Returns null if one kind
 * of relationship has more than `FEW` rows.
 */
export const hiddenFrom = async (db: Reader, named: readonly string[], at: Date): Promise<DistanceRow[] | null> => {
  if (named.length === 0) return []
  const rows = await db.rows<DistanceRow & { found: string }>(sql`with found as materialized (
      (select account_id as viewer, target_id as id, 1 as kind from blocks
        where target_id = any(${named}::bigint[]) limit ${FEW + 1})
      union all
      (select account_id, target_id, 2 from mutes where target_id = any(${named}::bigint[])
        and (expires_at is null or expires_at > ${at}) limit ${FEW + 1})
      union all
      (select target_id, account_id, 3 from blocks where account_id = any(${named}::bigint[]) limit ${FEW + 1})
      union all
      (select d.account_id, a.id, 4 from accounts a join domain_blocks d on d.domain = a.domain
        where a.id = any(${named}::bigint[]) limit ${FEW + 1})
    )
    select viewer, id, bool_or(kind = 1) as blocking, bool_or(kind = 2) as muting,
      bool_or(kind = 3) as blocked_by, bool_or(kind = 4) as domain_blocking,
      (select max(n) from (select count(*) as n from found group by kind) as each) as found
    from found group by viewer, id`)
  if (Number(rows[0]?.found ?? 0) > FEW) return null
  return rows.map(({ found: _all, ...row }) => row)
}

/** Accounts among `viewers` that follow `target`. */
export const followersAmong = async (db: Reader, viewers: readonly string[], target: string): Promise<string[]> => {
  const rows = await db.rows<{ account_id: string }>(sql`select account_id from follows
    where target_id = ${target} and account_id = any(${viewers}::bigint[])`)
  return rows.map((row) => row.account_id)
}
