/** Table `held_activities`: activities that are queued again later, because their site is slow or their processing failed. */
import { type Database, type Reader, sql, type Tx } from '@murmuration/db'

export interface Held {
  id: string
  site: string
  /** Number of earlier attempts to process the activity. */
  tries: number
}

/** Stores activities that are due in `seconds`. An activity that is held already keeps its due time. */
export const holdActivities = async (db: Reader, items: readonly Held[], seconds: number): Promise<void> => {
  if (items.length === 0) return
  await db.run(sql`insert into held_activities (id, site, tries, due_at)
    select it.*, now() + make_interval(secs => ${seconds}) from unnest(${items.map((it) => it.id)}::bigint[],
      ${items.map((it) => it.site)}::text[], ${items.map((it) => it.tries)}::smallint[]) as it
    order by 1 on conflict (id) do update set tries = greatest(held_activities.tries, excluded.tries)`)
}

/** True if any activity is held. */
export const isAnyHeld = (db: Database): Promise<boolean> => db.exists(sql`select 1 from held_activities`)

/** Number of activities of one site that are read in any case. */
const MIN_OF_SITE = 20

/**
 * Deletes and returns due activities: at most `ofSite` per site and `limit` in total. The first of each site come before
 * the second of each, and so on, so that sites with many activities do not keep those of other sites waiting. With many
 * sites, fewer are read of each, so that the number of rows that are read is limited.
 */
export const takeDueActivities = (tx: Tx, { ofSite, limit }: { ofSite: number; limit: number }): Promise<Held[]> =>
  // The recursive query jumps from site to site in the index, so its cost does not grow with the rows of a site.
  tx.rows(sql`with recursive sites as (
      (select site from held_activities order by site limit 1)
      union all
      select (select h.site from held_activities h where h.site > s.site order by h.site limit 1)
      from sites s where s.site is not null),
    each as (select least(${ofSite}, greatest(${MIN_OF_SITE}, 2 * ${limit} / count(*))) as most from sites)
    delete from held_activities where id in (
      select due.id from sites s cross join lateral (
        select h.id, h.due_at, row_number() over (order by h.due_at) as nth from held_activities h
        where h.site = s.site and h.due_at <= now() order by h.due_at limit (select most from each)) due
      order by due.nth, due.due_at limit ${limit})
    returning id, site, tries`)
