/** The ledger over the years: what is settled is folded into one row, what is over is deleted. */
import { type Reader, sql, type Tx } from '@murmuration/db'

/** What is told and done with: nobody asks whom it reached. */
const PASSING = ['Accept', 'Reject', 'Flag']

/** An edit may have reached servers that the thing itself never went to: it is kept until it is known that it did not. */
const TOLD_NOBODY_ELSE = sql`a.kind = 'Update' and not exists (select 1 from activities c
  where c.object_uri = a.object_uri and c.kind = 'Create' and (a.reached is null or c.reached is null or not a.reached <@ c.reached))`

/** Folds the rows of old activities into the activity itself: the inboxes that may have got it. Returns how many activities. */
export const foldSettled = async (tx: Tx, before: Date, most: number): Promise<number> => {
  const rows = await tx.rows<{ id: string }>(sql`select id from activities a
    where reached is null and created_at < ${before}
      and not exists (select 1 from deliveries d where d.activity_id = a.id and d.state = 0)
    order by id limit ${most} for update skip locked`)
  const ids = rows.map((row) => row.id)
  if (ids.length === 0) return 0
  await tx.run(sql`update activities a set
      hosts = (select count(distinct d.lane_id) from deliveries d where d.activity_id = a.id),
      reached = coalesce((select array_agg(d.inbox_id) from deliveries d
      where d.activity_id = a.id and (d.state = 1 or (d.attempts > 0 and d.state <> 2))), '{}'),
      -- Nobody is sent it any more, and what it said stands in statuses.
      body = case when a.kind = 'Create' then '' else a.body end
    where a.id = any(${ids}::bigint[])`)
  await tx.run(sql`delete from deliveries where activity_id = any(${ids}::bigint[])`)
  return ids.length
}

/** Deletes old activities that are done with, and all about things whose end was told that long ago. */
export const forgetActivities = async (db: Reader, before: Date, most: number): Promise<number> => {
  const row = await db.row<{ n: number }>(sql`with over as (
      select a.id from activities a where a.created_at < ${before}
        and (a.kind = any(${PASSING}::text[]) or a.kind in ('Delete', 'Undo') or (${TOLD_NOBODY_ELSE}) or exists
          (select 1 from activities e where e.object_uri = a.object_uri and e.kind in ('Delete', 'Undo') and e.created_at < ${before}))
        and not exists (select 1 from deliveries d where d.activity_id = a.id and d.state = 0)
      order by a.id limit ${most}),
    ledger as (delete from deliveries where activity_id in (select id from over)),
    gone as (delete from activities where id in (select id from over) returning actor_id, farewell),
    strangers as (delete from acquaintances where actor_id in (select actor_id from gone where farewell))
    select count(*)::int as n from gone`)
  return row?.n ?? 0
}
