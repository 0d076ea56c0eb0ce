/** Finds probes: later deliveries that may be sent before an unanswered one of the same actor to the same host. */
import { type Reader, sql, texts } from '@murmuration/db'
import { type Due, dependsOn, isUnordered } from './delivery.store.js'
import { precededKinds, probeKinds } from './probe.rules.js'

/**
 * Maximum number of later deliveries that one search for a probe reads. One search runs per attempt at an unanswered
 * delivery, which is about ten in seven days.
 */
const MAX_LATER = 30
/**
 * Maximum number of rows from the first pending delivery of the actor to its unanswered delivery. With more rows, no
 * probe is sent. There may be many, because an activity has one row per inbox of the host.
 */
const MAX_EARLIER = 300

/**
 * SQL condition: the probe `d` may not be sent before the earlier pending delivery `e` of its actor.
 *
 * | `e` | `d` |
 * |---|---|
 * | a kind that no probe may precede, unless `e` is unordered | any |
 * | any | one that depends on it (see `dependsOn`) |
 * | Create | one that names its object, such as a reply |
 */
const mustWait = sql`((e.kind <> all(${texts(precededKinds)}) and ${isUnordered(sql`e`)} is not true)
  or ${dependsOn(sql`d`, sql`e`, sql`e.attempts`)}
  or (e.kind = 'Create' and (select strpos(a.body, e.object_uri) > 0 from activities a where a.id = d.activity_id)))`

/**
 * The probe of each of these unanswered deliveries: the first later delivery of the same actor and host that was never
 * attempted, and that waits for no other. The result has the position of the delivery in the list (from 1).
 *
 * At most `MAX_EARLIER + MAX_LATER` rows are read for each, in the order of the index `deliveries_waiting`, so that the cost does
 * not depend on the number of pending deliveries. Of an activity to several inboxes, one delivery is checked.
 */
export const probesFor = (
  db: Reader,
  heads: readonly Pick<Due, 'queue' | 'actor' | 'seq'>[],
  now: Date,
): Promise<(Due & { position: number })[]> =>
  db.rows(sql`select head.position::int, probe.*, i.url
    from unnest(${heads.map((it) => it.queue)}::bigint[], ${heads.map((it) => it.actor)}::bigint[], ${heads.map((it) => it.seq)}::bigint[])
      with ordinality as head(lane_id, actor_id, seq, position)
    cross join lateral (
      with known as materialized (
        select w.*, a.* from (
            select distinct on (activity_id) * from (
              (select * from deliveries where lane_id = head.lane_id and state = 0
                and (actor_id, seq) >= (head.actor_id, 0) and (actor_id, seq) <= (head.actor_id, head.seq)
                order by actor_id, seq limit ${MAX_EARLIER})
              union all
              (select * from deliveries where lane_id = head.lane_id and state = 0 and (actor_id, seq) > (head.actor_id, head.seq)
                order by actor_id, seq limit ${MAX_LATER})) waiting
            order by activity_id, inbox_id) w
          cross join lateral (select kind, object_uri, target_uri from activities where id = w.activity_id offset 0) a
        where w.actor_id = head.actor_id)
      select d.activity_id as activity, d.inbox_id as inbox, d.lane_id as queue, d.actor_id as actor, d.seq, d.attempts, d.status,
        d.object_uri as about, d.kind
      from (select * from known where seq > head.seq and attempts = 0 and at <= ${now} and kind = any(${texts(probeKinds)})
          order by seq, activity_id offset 0) d
      where exists (select 1 from known where seq = head.seq)
        and not exists (select 1 from known e where e.seq < d.seq and ${mustWait} offset 0) limit 1) probe
    cross join lateral (select url from inboxes where id = probe.inbox offset 0) i`)
