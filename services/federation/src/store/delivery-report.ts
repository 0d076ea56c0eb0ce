/** What an operator may ask about the ledger: what waits, for whom, and where an activity went. */
import { type Reader, sql } from '@murmuration/db'
import { GONE_FOR } from './delivery.js'

/** How much waits for its time or its host, and how many hosts are unavailable. */
export const heldFigures = async (db: Reader): Promise<{ held: number; unavailable: number }> => {
  const row = await db.row<{ held: number; unavailable: number }>(sql`select
    (select count(*)::int from deliveries where state = 0) as held,
    (select count(*)::int from lanes where unavailable_since is not null) as unavailable`)
  return row ?? { held: 0, unavailable: 0 }
}

export interface HostRow {
  host: string
  waiting: number
  gone_inboxes: number
  oldest_seq: string | null
  failures: number
  paused_until: Date | null
  unavailable_since: Date | null
  delivered_at: Date | null
  failed_at: Date | null
  trouble: string | null
}

const health = sql`l.host, l.failures, l.paused_until, l.unavailable_since, l.delivered_at, l.failed_at, l.trouble,
  (select count(*)::int from inboxes i where i.lane_id = l.id and i.gone_at > now() - ${GONE_FOR}::interval) as gone_inboxes`

/** Hosts with the longest queues; those that count as unavailable, or one host alone, also when nothing waits for them. */
export const hostStates = (
  db: Reader,
  it: { limit: number; host: string | null; unavailable: boolean },
): Promise<HostRow[]> =>
  it.host === null && !it.unavailable
    ? db.rows(sql`select ${health}, w.waiting, w.oldest_seq
      from (select lane_id, count(*)::int as waiting, min(seq) as oldest_seq from deliveries where state = 0
        group by lane_id order by waiting desc, lane_id limit ${it.limit}) w
      join lanes l on l.id = w.lane_id order by w.waiting desc, l.host`)
    : db.rows(sql`select ${health}, count(d.activity_id)::int as waiting, min(d.seq) as oldest_seq
      from lanes l left join deliveries d on d.lane_id = l.id and d.state = 0
      where ${it.host === null ? sql`true` : sql`l.host = ${it.host}`}
        and ${it.unavailable ? sql`l.unavailable_since is not null` : sql`true`}
      group by l.id order by waiting desc, l.host limit ${it.limit}`)

export interface ActivityRow {
  id: string
  uri: string
  kind: string
  created_at: Date
  /** How many inboxes it reached, when its rows were folded. */
  reached: number | null
}

/** The activity with this id, or all that are about the thing with this address, oldest first. */
export const activitiesOn = (db: Reader, uri: string, limit: number): Promise<ActivityRow[]> =>
  db.rows(sql`select id, uri, kind, created_at, cardinality(reached) as reached from activities
    where uri = ${uri} or object_uri = ${uri} order by seq limit ${limit}`)

export interface DeliveryRow {
  activity_id: string
  inbox: string
  host: string
  state: number
  attempts: number
  status: number | null
  at: Date
}

/**
 * Where these activities went, at most `limit` in all: what arrived comes last. The activities take turns, and within one what
 * waits, was refused, was given up and was replaced, so that much of one kind hides nothing of another.
 */
export const deliveriesOf = (db: Reader, ids: readonly string[], limit: number): Promise<DeliveryRow[]> =>
  db.rows(sql`with of_kind as (
      select *, row_number() over (partition by activity_id, state order by inbox_id) as nth
      from deliveries where activity_id = any(${ids}::bigint[])),
    of_activity as (
      select *, row_number() over (partition by activity_id order by state = 1, nth, state) as turn
      from of_kind where nth <= ${limit}),
    chosen as (select * from of_activity where turn <= ${limit} order by turn, activity_id limit ${limit})
    select d.activity_id, i.url as inbox, l.host, d.state, d.attempts, nullif(d.status, 0) as status, d.at
    from chosen d join inboxes i on i.id = d.inbox_id join lanes l on l.id = d.lane_id
    order by d.activity_id, d.state = 1, d.state, i.url`)

export interface ServerRow {
  host: string
  /** Of several inboxes there the one that fared best decides; pending before failed. */
  state: 'pending' | 'delivered' | 'failed'
  status: number | null
}

/** What became of the first telling of a thing, server by server; none once its rows were folded. */
export const serversOf = (db: Reader, about: string): Promise<ServerRow[]> =>
  db.rows(sql`select l.host, case when bool_or(d.state = 1) then 'delivered' when bool_or(d.state = 0) then 'pending'
      else 'failed' end as state, nullif(max(d.status), 0) as status
    from activities a join deliveries d on d.activity_id = a.id join lanes l on l.id = d.lane_id
    where a.object_uri = ${about} and a.kind in ('Create', 'Announce') group by l.host order by l.host`)

/** The same once it was folded: how many servers it went to, and how many of them it reached. */
export const foldedServersOf = async (db: Reader, about: string): Promise<{ hosts: number; reached: number }> =>
  (await db.row<{ hosts: number; reached: number }>(sql`select coalesce(max(a.hosts), 0) as hosts,
      (select count(distinct i.lane_id)::int from activities told cross join unnest(told.reached) as inbox(id)
        join inboxes i on i.id = inbox.id
        where told.object_uri = ${about} and told.kind in ('Create', 'Announce')) as reached
    from activities a where a.object_uri = ${about} and a.kind in ('Create', 'Announce') and a.reached is not null`)) ?? {
    hosts: 0,
    reached: 0,
  }

/** How many deliveries of each activity stand how. */
export const countsOf = (
  db: Reader,
  ids: readonly string[],
): Promise<{ activity_id: string; state: number; n: number }[]> =>
  db.rows(sql`select activity_id, state, count(*)::int as n from deliveries
    where activity_id = any(${ids}::bigint[]) group by activity_id, state`)
