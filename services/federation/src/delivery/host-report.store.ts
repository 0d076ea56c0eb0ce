/**
 * Queries about hosts for staff, and the retry that staff requests. `host-queue.rules.ts` decides how responses change
 * the health of a host.
 */
import { type Cursor, keyset, newestFirst, type Reader, type Sql, sql, type Tx } from '@murmuration/db'
import { dailyDeliveryAt } from '../core/older-table-names.store.js'
import { GONE_FOR } from './delivery.store.js'
import type { Filter } from './host.rules.js'

export interface HostRow {
  id: string
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

const health = sql`l.id, l.host, l.failures, l.paused_until, l.unavailable_since, l.delivered_at, l.failed_at, l.trouble,
  (select count(*)::int from inboxes i where i.lane_id = l.id and i.gone_at > now() - ${GONE_FOR}::interval) as gone_inboxes`

/** Hosts with pending deliveries, longest queue first. With `host` or `unavailable`, also hosts without pending deliveries. */
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

const isIn = (filter: Filter | null, now: Date): Sql => {
  switch (filter) {
    case 'failing':
      return sql`(l.failures > 0 or l.unavailable_since is not null)`
    case 'held':
      return sql`(l.paused_until > ${now} or l.unavailable_since is not null)`
    case 'unavailable':
      return sql`l.unavailable_since is not null`
    case 'ok':
      return sql`l.failures = 0 and l.unavailable_since is null and (l.paused_until is null or l.paused_until <= ${now})`
    case null:
      return sql`true`
  }
}

/** Maximum up to which pending deliveries per host are counted in a list of hosts. */
const MAX_LISTED = 1_000

export interface HostFilter {
  state: Filter | null
  /** Text that the host name contains; null: any host. */
  part: string | null
  now: Date
}

/** One page of hosts, newest first. The table has one row per host that anything was sent to, some ten thousand. */
export const hostPage = async (db: Reader, it: HostFilter, page: Cursor): Promise<HostRow[]> =>
  newestFirst(
    await db.rows<HostRow>(sql`select ${health}, w.waiting, w.oldest_seq
      from (select * from lanes l where ${isIn(it.state, it.now)}
        and ${it.part === null ? sql`true` : sql`position(${it.part} in l.host) > 0`} ${keyset(sql`l.id`, page)}) l
      cross join lateral (select count(*)::int as waiting, min(few.seq) as oldest_seq
        from (select d.seq from deliveries d where d.lane_id = l.id and d.state = 0 order by d.seq, d.activity_id
          limit ${MAX_LISTED}) few) w
      order by l.id ${page.min_id === undefined ? sql`desc` : sql`asc`}`),
    page,
  )

/** Maximum up to which the pending deliveries of a single host are counted. */
const MAX_COUNTED = 1_000_000

/** Number of pending deliveries in a host queue, at most `MAX_COUNTED`. */
export const waitingFor = async (db: Reader, queue: string): Promise<number> =>
  (
    await db.row<{ n: number }>(sql`select count(*)::int as n
      from (select 1 from deliveries where lane_id = ${queue} and state = 0 limit ${MAX_COUNTED}) few`)
  )?.n ?? 0

export interface FederationNumbers {
  hosts: number
  failing: number
  held: number
  unavailable: number
  waiting: number
  oldest_seq: string | null
  refused_today: string
}

/** Maximum up to which the pending deliveries of all hosts are counted. */
const MAX_WAITING = 100_000

/** Counts for the overview of federation: hosts by state, pending deliveries (at most `MAX_WAITING`), and refusals today. */
export const federationNumbers = async (db: Reader, now: Date): Promise<FederationNumbers | null> =>
  db.row(sql`select count(*)::int as hosts,
      count(*) filter (where ${isIn('failing', now)})::int as failing,
      count(*) filter (where ${isIn('held', now)})::int as held,
      count(*) filter (where ${isIn('unavailable', now)})::int as unavailable,
      (select count(*)::int from (select 1 from deliveries where state = 0 limit ${MAX_WAITING}) few) as waiting,
      (select min(first.seq) from lanes w cross join lateral (select d.seq from deliveries d
          where d.lane_id = w.id and d.state = 0 order by d.seq, d.activity_id limit 1) first
        where w.due_at is not null or w.held_until is not null) as oldest_seq,
      (select coalesce(sum(r.count), 0)::text from inbox_refusals r
        where r.day = (${now}::timestamptz at time zone 'UTC')::date) as refused_today
    from lanes l`)

/** Time of the last valid signature of a host, and the number of held activities of its site, at most 1,000. */
export const inboundOf = async (db: Reader, host: string, site: string): Promise<{ at: Date | null; held: number }> =>
  (await db.row<{ at: Date | null; held: number }>(sql`select
      (select last_inbound_at from peers where host = ${host}) as at,
      (select count(*)::int from (select 1 from held_activities where site = ${site} limit 1000) few) as held`)) ?? {
    at: null,
    held: 0,
  }

/**
 * Ends the pause of a host: failed deliveries are due now, inboxes that returned 410 are tried again, and an unavailable host
 * gets its daily delivery.
 *
 * The number of failures stays, so that only one delivery is sent first, and the host is paused again if it fails.
 */
export const retryHost = async (tx: Tx, queue: string, now: Date): Promise<void> => {
  await tx.run(sql`update lanes set paused_until = null, pokes = pokes + 1, due_at = ${now},
      ${dailyDeliveryAt} = case when unavailable_since is null then null else ${now}::timestamptz end
    where id = ${queue}`)
  await tx.run(sql`update inboxes set gone_at = null where lane_id = ${queue} and gone_at is not null`)
  await tx.run(sql`update deliveries set at = ${now}
    where lane_id = ${queue} and state = 0 and attempts > 0 and at > ${now}`)
}
