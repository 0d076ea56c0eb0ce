/**
 * Clean-up of the table `deliveries`. Rows of old activities without pending deliveries are folded into a list in the
 * activity, and old activities are deleted.
 */

import { bareText } from '@murmuration/activitypub/vocabulary/write-activity'
import { type Reader, type Sql, sql, type Tx } from '@murmuration/db'
import { idFloor } from '@murmuration/kernel'
import { actorDeletion, deliveryRecipients } from '../core/older-table-names.store.js'

/**
 * SQL condition: activity `a` was created before a time. The condition also compares the id, which contains the time,
 * so that indexes are used.
 */
const madeBefore = (before: Date): Sql => sql`a.created_at < ${before} and a.id < ${idFloor(before.getTime())}::bigint`

/**
 * SQL condition: activity `a` has no pending deliveries. `offset 0` forces one look-up per activity instead of a scan
 * of the whole table `deliveries`.
 */
const hasNoPending = sql`not exists (select 1 from deliveries d where d.activity_id = a.id and d.state = 0 offset 0)`

/**
 * SQL condition: the object of activity `a` is its own actor, by the text of the activity. The Delete of an actor is
 * sent to all its recipients anyway.
 */
const isOfActor = sql`strpos(a.body, '"actor":' || to_json(a.object_uri)::text) > 0`

/**
 * Folds the deliveries of at most `limit` old activities without pending deliveries: stores in `reached` the inboxes
 * that may have received the activity, and deletes the deliveries. Returns the number of these activities.
 */
export const foldEnded = async (tx: Tx, before: Date, limit: number): Promise<number> => {
  const rows = await tx.rows<{ id: string; boost: string | null; profile: boolean | null }>(sql`select id,
      case when kind = 'Announce' then body end as boost, kind = 'Update' and ${isOfActor} as profile from activities a
    where reached is null and ${madeBefore(before)} and ${hasNoPending}
    order by id limit ${limit} for update skip locked`)
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
  // An Update is deleted if earlier activities reached the same inboxes. Otherwise, the Update is kept, because a
  // Delete must reach its recipients too.
  await tx.run(sql`delete from activities a where a.id = any(${ids}::bigint[]) and a.kind = 'Update' and (
    a.id = any(${profiles}::bigint[]) or a.reached = '{}' or exists (
      select 1 from activities c where c.object_uri = a.object_uri
        and (c.kind in ('Create', 'Add') or (c.kind = 'Update' and c.id < a.id)) and a.reached <@ c.reached))`)
  return ids.length
}

/**
 * Deletes at most `limit` activities without pending deliveries before a time (Accept, Reject, Flag, Delete, Undo), and
 * all activities about objects whose Delete or Undo is among them. Returns the number of deleted activities.
 *
 * The index `activities_passing` contains only activities of these kinds, so it stays small.
 */
export const deleteActivities = async (db: Reader, before: Date, limit: number): Promise<number> => {
  const row = await db.row<{ n: number }>(sql`with due as (
      select a.id, a.kind, a.object_uri from activities a
      where a.kind in ('Accept', 'Reject', 'Flag', 'Delete', 'Undo') and ${madeBefore(before)} and ${hasNoPending}
      order by a.id limit ${limit}),
    over as (
      select id from due
      union select a.id from due join activities a on a.object_uri = due.object_uri
        where due.kind in ('Delete', 'Undo') and ${madeBefore(before)} and ${hasNoPending}),
    ledger as (delete from deliveries where activity_id = any(array(select id from over))),
    gone as (delete from activities where id = any(array(select id from over)) returning actor_id, ${actorDeletion}),
    recipients as (delete from ${deliveryRecipients} where actor_id in (select actor_id from gone where ${actorDeletion}))
    select count(*)::int as n from gone`)
  return row?.n ?? 0
}
