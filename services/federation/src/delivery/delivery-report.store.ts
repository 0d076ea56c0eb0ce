/** Queries for staff: counts of pending deliveries, and the deliveries of activities and statuses. */
import { type Reader, type Sql, sql } from '@murmuration/db'

/** Maximum up to which pending deliveries are counted. */
const MAX_HELD = 1_000_000

/** Number of pending deliveries (`held`, at most `MAX_HELD`), and of unavailable hosts. */
export const heldCounts = async (db: Reader): Promise<{ held: number; unavailable: number }> => {
  const row = await db.row<{ held: number; unavailable: number }>(sql`select
    (select count(*)::int from (select 1 from deliveries where state = 0 limit ${MAX_HELD}) few) as held,
    (select count(*)::int from lanes where unavailable_since is not null) as unavailable`)
  return row ?? { held: 0, unavailable: 0 }
}

export interface ActivityRow {
  id: string
  uri: string
  kind: string
  created_at: Date
  /**
   * Number of inboxes that the activity reached, if its deliveries were folded (replaced by a list of reached inboxes);
   * else null.
   */
  reached: number | null
}

/** An activity, and the first searched URI (`about`) that is the URI of the activity or of its object. */
export interface FoundActivity extends ActivityRow {
  about: string
}

/**
 * Activities with one of these URIs, or about an object with one of them, in the order of `ids`, then oldest first. At
 * most `each` per id and `all` in total.
 */
export const activitiesOn = (
  db: Reader,
  ids: readonly string[],
  { each, all }: { each: number; all: number },
): Promise<FoundActivity[]> =>
  db.rows(sql`with found as (
      select distinct on (a.id) a.*, one.uri as about, one.nth
      from unnest(${ids}::text[]) with ordinality as one(uri, nth) cross join lateral (
        select id, uri, kind, seq, created_at, cardinality(reached) as reached from activities
        where uri = one.uri or object_uri = one.uri order by seq limit ${each}) a
      order by a.id, one.nth)
    select id, found.uri, kind, created_at, reached, about from found order by nth, seq limit ${all}`)

export interface DeliveryRow {
  activity_id: string
  inbox: string
  host: string
  state: number
  attempts: number
  status: number | null
  at: Date
}

/** SQL condition for deliveries to the hosts of these host queues; no condition for null. */
const inHostQueues = (queues: readonly string[] | null): Sql =>
  queues === null ? sql`` : sql`and lane_id = any(${queues}::bigint[])`

/**
 * Deliveries of these activities, at most `limit` in all, successful deliveries last. `queues` selects hosts.
 *
 * With more rows than `limit`, rows of all activities and of all states alternate, so that the result contains rows of
 * each activity and state.
 */
export const deliveriesOf = (
  db: Reader,
  ids: readonly string[],
  { limit, queues }: { limit: number; queues: readonly string[] | null },
): Promise<DeliveryRow[]> =>
  db.rows(sql`with of_kind as (
      select *, row_number() over (partition by activity_id, state order by inbox_id) as nth
      from deliveries where activity_id = any(${ids}::bigint[]) ${inHostQueues(queues)}),
    of_activity as (
      select *, row_number() over (partition by activity_id order by state = 1, nth, state) as position
      from of_kind where nth <= ${limit}),
    chosen as (select * from of_activity where position <= ${limit} order by position, activity_id limit ${limit})
    select d.activity_id, i.url as inbox, l.host, d.state, d.attempts, case when d.status >= 100 then d.status end as status, d.at
    from chosen d join inboxes i on i.id = d.inbox_id join lanes l on l.id = d.lane_id
    order by d.activity_id, d.state = 1, d.state, i.url`)

export interface ServerRow {
  host: string
  /** State of the best delivery to the host: delivered, else pending, else failed. */
  state: 'pending' | 'delivered' | 'failed'
  status: number | null
}

/**
 * State per host of the Create or Announce of an object. Empty if its deliveries are folded, which means that the table
 * `deliveries` no longer contains them.
 */
export const serversOf = (db: Reader, about: string): Promise<ServerRow[]> =>
  db.rows(sql`select l.host, case when bool_or(d.state = 1) then 'delivered' when bool_or(d.state = 0) then 'pending'
      else 'failed' end as state, max(d.status) filter (where d.status >= 100) as status
    from activities a join deliveries d on d.activity_id = a.id join lanes l on l.id = d.lane_id
    where a.object_uri = ${about} and a.kind in ('Create', 'Announce') group by l.host order by l.host`)

/**
 * Like `serversOf`, for an object with folded deliveries: number of hosts that the object was sent to, and of hosts
 * that it reached.
 */
export const foldedServersOf = async (db: Reader, about: string): Promise<{ hosts: number; reached: number }> =>
  (await db.row<{ hosts: number; reached: number }>(sql`select coalesce(max(a.hosts), 0) as hosts,
      (select count(distinct i.lane_id)::int from activities sent cross join unnest(sent.reached) as inbox(id)
        join inboxes i on i.id = inbox.id
        where sent.object_uri = ${about} and sent.kind in ('Create', 'Announce')) as reached
    from activities a where a.object_uri = ${about} and a.kind in ('Create', 'Announce') and a.reached is not null`)) ?? {
    hosts: 0,
    reached: 0,
  }

/** Number of deliveries per activity and state. `queues` selects hosts; null: all hosts. */
export const countsOf = (
  db: Reader,
  ids: readonly string[],
  queues: readonly string[] | null,
): Promise<{ activity_id: string; state: number; n: number }[]> =>
  db.rows(sql`select activity_id, state, count(*)::int as n from deliveries
    where activity_id = any(${ids}::bigint[]) ${inHostQueues(queues)} group by activity_id, state`)

/**
 * Number of inboxes on the hosts of these host queues that each activity with folded deliveries reached, by activity
 * id.
 */
export const reachedIn = async (
  db: Reader,
  ids: readonly string[],
  queues: readonly string[],
): Promise<Map<string, number>> => {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<{ id: string; n: number }>(sql`select a.id, count(*)::int as n
    from activities a cross join unnest(a.reached) as inbox(id) join inboxes i on i.id = inbox.id
    where a.id = any(${ids}::bigint[]) and i.lane_id = any(${queues}::bigint[]) group by a.id`)
  return new Map(rows.map((row) => [row.id, row.n]))
}
