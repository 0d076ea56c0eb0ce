/** Activities that wait until they are worked on again: their site answers slowly, or they failed. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export interface Held {
  id: string
  site: string
  /** How often work on it was begun before. */
  tries: number
}

/** They wait for so many seconds. */
export const holdActivities = async (db: Reader, items: readonly Held[], seconds: number): Promise<void> => {
  if (items.length === 0) return
  await db.run(sql`insert into held_activities (id, site, tries, due_at)
    select it.*, now() + make_interval(secs => ${seconds}) from unnest(${items.map((it) => it.id)}::bigint[],
      ${items.map((it) => it.site)}::text[], ${items.map((it) => it.tries)}::smallint[]) as it
    on conflict (id) do update set tries = greatest(held_activities.tries, excluded.tries)`)
}

/** True if any activity is held: one read, for a look that mostly finds none. */
export const isAnyHeld = async (db: Reader): Promise<boolean> =>
  (await db.row(sql`select 1 from held_activities limit 1`)) !== null

/** Takes out whose time has come, those that wait longest first, of each site at most `ofSite`, in all at most `most`. */
export const takeDueActivities = (tx: Tx, { ofSite, most }: { ofSite: number; most: number }): Promise<Held[]> =>
  // Sites are found one after the other by the index, however many rows one of them has.
  tx.rows(sql`with recursive sites as (
      (select site from held_activities order by site limit 1)
      union all
      select (select h.site from held_activities h where h.site > s.site order by h.site limit 1)
      from sites s where s.site is not null)
    delete from held_activities where id in (
      select due.id from sites s cross join lateral (select h.id from held_activities h
        where h.site = s.site and h.due_at <= now() order by h.due_at limit ${ofSite}) due limit ${most})
    returning id, site, tries`)
