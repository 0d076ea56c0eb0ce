/** Reads follows that a domain block ended, and marks those that are requested again after the block was removed. */
import { type Reader, sql, type Tx } from '@murmuration/db'
import type { Choices, Pair } from '../core/follow/store.js'

/** Position of an ended follow in the order of the follows that one domain block ended. */
export interface SeveredPosition {
  severance: string
  address: string
}

/** A follow that a domain block ended. `to` is null if the followed account is no longer stored. */
export interface SeveredFollow extends SeveredPosition {
  from: string
  to: string | null
}

/** A follow that a domain block ended and that may be requested again. */
export interface RestorableFollow extends SeveredPosition, Pair, Choices {
  /** Actor id of the follower. */
  actor: string
  /** True if the follow exists again, or a follow request was sent again. */
  exists: boolean
}

/** Follows that one domain block ended and that were not requested again, in the order of severances and addresses. */
export const severedPage = (
  db: Reader,
  cause: string,
  after: SeveredPosition,
  limit: number,
): Promise<SeveredFollow[]> =>
  db.rows(sql`select s.id as severance, f.address, s.account_id as "from", t.id as "to"
    from severances s
    cross join lateral (select address from severed_follows
      where severance_id = s.id and following and restored_at is null
        and (s.id > ${after.severance} or address > ${after.address})
      order by address limit ${limit}) f
    left join accounts t on lower(t.username) = lower(split_part(f.address, '@', 1))
      and coalesce(t.domain, '') = split_part(f.address, '@', 2)
    where s.cause = ${cause} and s.id >= ${after.severance}
    order by s.id, f.address limit ${limit}`)

/**
 * The follows of the page that may be requested again. Deleted, suspended and moved accounts are left out. Pairs with a
 * block in either direction, or a domain block by the follower, are also left out.
 */
export const restorableFollows = (tx: Tx, page: readonly SeveredFollow[]): Promise<RestorableFollow[]> =>
  tx.rows(sql`select f.severance_id as severance, f.address, me.id as "from", t.id as "to", me.uri as actor,
      f.reblogs, f.notify, f.languages,
      exists (select 1 from follows o where o.account_id = me.id and o.target_id = t.id)
        or exists (select 1 from follow_requests o where o.account_id = me.id and o.target_id = t.id) as exists
    from unnest(${page.map((one) => one.severance)}::bigint[], ${page.map((one) => one.address)}::text[],
      ${page.map((one) => one.from)}::bigint[], ${page.map((one) => one.to)}::bigint[]) as given(severance, address, "from", "to")
    join severed_follows f on f.severance_id = given.severance and f.following and f.address = given.address
      and f.restored_at is null
    join accounts me on me.id = given."from" and me.domain is null
      and me.removed_at is null and me.suspended_at is null and me.moved_to_id is null
    join accounts t on t.id = given."to" and t.domain is not null
      and t.removed_at is null and t.suspended_at is null and t.moved_to_id is null
    where not exists (select 1 from blocks b where b.account_id = me.id and b.target_id = t.id)
      and not exists (select 1 from blocks b where b.account_id = t.id and b.target_id = me.id)
      and not exists (select 1 from domain_blocks d where d.account_id = me.id and d.domain = t.domain)
    order by f.severance_id, f.address`)

/** Marks follows as requested again, and subtracts them from the counts of their severances. */
export const markRestored = (tx: Tx, list: readonly SeveredPosition[], at: Date): Promise<number> =>
  tx.run(sql`with marked as (update severed_follows f set restored_at = ${at}
      from unnest(${list.map((one) => one.severance)}::bigint[], ${list.map((one) => one.address)}::text[])
        as given(severance, address)
      where f.severance_id = given.severance and f.following and f.address = given.address and f.restored_at is null
      returning f.severance_id)
    update severances s set following_count = greatest(0, s.following_count - n)
    from (select severance_id, count(*)::int as n from marked group by 1) m where s.id = m.severance_id`)

/**
 * Removes the marks of follows that were requested again, because the block exists again and ends the requests. Adds
 * the follows to the counts of their severances again.
 */
export const unmarkRestored = (tx: Tx, cause: string, pairs: readonly Pair[]): Promise<number> =>
  tx.run(sql`with marked as (update severed_follows f set restored_at = null
      from unnest(${pairs.map((one) => one.from)}::bigint[], ${pairs.map((one) => one.to)}::bigint[]) as given("from", "to")
      join severances s on s.account_id = given."from" and s.cause = ${cause}
      join accounts t on t.id = given."to"
      where f.severance_id = s.id and f.following and f.address = t.username || '@' || t.domain
        and f.restored_at is not null
      returning f.severance_id)
    update severances s set following_count = s.following_count + n
    from (select severance_id, count(*)::int as n from marked group by 1) m where s.id = m.severance_id`)
