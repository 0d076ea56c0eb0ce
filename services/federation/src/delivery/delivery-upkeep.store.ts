/** The ledger over the years: what is settled is folded into one row, what is over is deleted. */

import { bareText } from '@murmuration/activitypub/vocabulary/write-activity'
import { type Reader, type Sql, sql, type Tx } from '@murmuration/db'
import { idFloor } from '@murmuration/kernel'
import { actorDeletion, deliveryRecipients } from '../core/names.store.js'

/** Condition for activities made before a time. Their ids contain the time, and the indexes contain the ids. */
const madeBefore = (before: Date): Sql => sql`a.created_at < ${before} and a.id < ${idFloor(before.getTime())}::bigint`

/**
 * Condition on activities `a`: no delivery is pending. `offset 0` makes it a look-up per activity, so the whole ledger is never
 * read for a few of them.
 */
const isSettled = sql`not exists (select 1 from deliveries d where d.activity_id = a.id and d.state = 0 offset 0)`

/** Condition for activities `a` with a text: about their own actor, whose Delete goes to every recipient anyway. */
const isOfActor = sql`strpos(a.body, '"actor":' || to_json(a.object_uri)::text) > 0`

/** Folds the rows of old activities into the activity itself: the inboxes that may have got it. Returns how many activities. */
export const foldSettled = async (tx: Tx, before: Date, most: number): Promise<number> => {
  const rows = await tx.rows<{ id: string; boost: string | null; profile: boolean | null }>(sql`select id,
      case when kind = 'Announce' then body end as boost, kind = 'Update' and ${isOfActor} as profile from activities a
    where reached is null and ${madeBefore(before)} and ${isSettled}
    order by id limit ${most} for update skip locked`)
  const ids = rows.map((row) => row.id)
  if (ids.length === 0) return 0
  const boosts = rows.flatMap(({ id, boost }) => (boost === null ? [] : [{ id, text: bareText(boost) }]))
  await tx.run(sql`update activities a set
      hosts = (select count(distinct d.lane_id) from deliveries d where d.activity_id = a.id),
      reached = coalesce((select array_agg(d.inbox_id) from deliveries d
      where d.activity_id = a.id and (d.state = 1 or (d.attempts > 0 and d.state <> 2))), '{}'),
      -- The activity is sent no more, and statuses has the content. An Undo of a reblog needs every property but the content.
      body = case when a.kind in ('Create', 'Update') then '' else coalesce((select b.body
        from unnest(${boosts.map((it) => it.id)}::bigint[], ${boosts.map((it) => it.text)}::text[]) as b(id, body)
        where b.id = a.id), a.body) end
    where a.id = any(${ids}::bigint[])`)
  await tx.run(sql`delete from deliveries where activity_id = any(${ids}::bigint[])`)
  const profiles = rows.filter((it) => it.profile).map((it) => it.id)
  // An edit may have reached servers that no earlier activity reached, and the Delete goes to them, too. It is kept unless other
  // activities reached them all.
  await tx.run(sql`delete from activities a where a.id = any(${ids}::bigint[]) and a.kind = 'Update' and (
    a.id = any(${profiles}::bigint[]) or a.reached = '{}' or exists (
      select 1 from activities c where c.object_uri = a.object_uri
        and (c.kind in ('Create', 'Add') or (c.kind = 'Update' and c.id < a.id)) and a.reached <@ c.reached))`)
  return ids.length
}

/**
 * Deletes old settled activities, at most `most`, and all activities about objects whose Delete is that old.
 *
 * Returns their number. The index `activities_passing` contains the candidates and stays small, because all are deleted.
 */
export const forgetActivities = async (db: Reader, before: Date, most: number): Promise<number> => {
  const row = await db.row<{ n: number }>(sql`with due as (
      select a.id, a.kind, a.object_uri from activities a
      where a.kind in ('Accept', 'Reject', 'Flag', 'Delete', 'Undo') and ${madeBefore(before)} and ${isSettled}
      order by a.id limit ${most}),
    over as (
      select id from due
      union select a.id from due join activities a on a.object_uri = due.object_uri
        where due.kind in ('Delete', 'Undo') and ${madeBefore(before)} and ${isSettled}),
    ledger as (delete from deliveries where activity_id = any(array(select id from over))),
    gone as (delete from activities where id = any(array(select id from over)) returning actor_id, ${actorDeletion}),
    recipients as (delete from ${deliveryRecipients} where actor_id in (select actor_id from gone where ${actorDeletion}))
    select count(*)::int as n from gone`)
  return row?.n ?? 0
}
