/** Table `lanes`, one row per host: the process that leases it, the health of the host, and the time at which it is due. */
import { bigints, type Database, type Reader, type Sql, sql } from '@murmuration/db'
import { dailyDeliveryAt, signatureScheme, signatureSchemeAt } from '../core/older-table-names.store.js'
import { type SignatureScheme, signatureSchemes } from '../core/signature/scheme.rules.js'
import { waitsForEarlier } from './delivery.store.js'
import { type Health, MAX_HELD_MS, STUCK_AFTER, TIMED_OUT } from './host-queue.rules.js'

export interface HostQueueRow {
  id: string
  host: string
  /** True if this process leases the host queue. False if another process leases it, or if the host is paused. */
  mine: boolean
  pokes: number
  failures: number
  paused_until: Date | null
  /** Days with failures, `YYYY-MM-DD`; null if there are none. */
  failed_days: string[] | null
  unavailable_since: Date | null
  scheme: number
  scheme_at: Date | null
  delivered_at: Date | null
}

export const healthOf = (row: HostQueueRow): Health => ({
  failures: row.failures,
  pausedUntil: row.paused_until?.getTime() ?? null,
  failedDays: row.failed_days ?? [],
  unavailableSince: row.unavailable_since?.getTime() ?? null,
})

/** Host queues to process: given ones, or those with pending deliveries of an activity (part `part` of `parts`). */
export type Wanted = { activity: string; part: number; parts: number } | { queues: readonly string[] }

const wantedHostQueues = (wanted: Wanted) =>
  'queues' in wanted
    ? sql`select unnest(${wanted.queues}::bigint[])`
    : sql`select lane_id from deliveries where activity_id = ${wanted.activity} and state = 0
        and lane_id % ${wanted.parts} = ${wanted.part}`

/**
 * Common table expression that locks rows of host queues in the order of their ids, so that two transactions do not
 * deadlock.
 */
const locked = (ids: Sql): Sql => sql`locked as (select id from lanes where id in (${ids}) order by id for update)`

/**
 * SQL condition: the lease has ended at the time `now`, or its end cannot be right, because the clock of the database was
 * ahead when it was stored.
 */
const isOver = (now: Sql): Sql =>
  sql`(held_until < ${now} or held_until > ${now} + make_interval(secs => ${MAX_HELD_MS / 1000}))`

/**
 * Leases host queues to a process (`holder`), by the clock of the database, so that only one process sends to a host.
 *
 * | Host queue | Effect |
 * |---|---|
 * | any | `pokes` is increased, so that its holder checks it again before it releases it |
 * | leased to no process | leased to the holder |
 * | paused | due when the pause ends |
 * | leased to the same holder for half of the lease or more | its end is not changed, because an update of `pokes` alone touches no index |
 */
export const claimHostQueues = (
  db: Reader,
  wanted: Wanted,
  it: { holder: string; leaseMs: number; now: Date },
): Promise<HostQueueRow[]> =>
  db.rows(sql`with locked as (
      select id, (holder is null or holder = ${it.holder} or ${isOver(sql`clock_timestamp()`)})
          and (paused_until is null or paused_until <= ${it.now}) as free,
        coalesce(holder = ${it.holder} and held_until > clock_timestamp() + make_interval(secs => ${it.leaseMs / 2000}), false) as safe
      from lanes where id in (${wantedHostQueues(wanted)}) order by id for update)
    update lanes l set pokes = l.pokes + 1,
      holder = case when free then ${it.holder} else l.holder end,
      held_until = case when free and not safe then clock_timestamp() + make_interval(secs => ${it.leaseMs / 1000})
        else l.held_until end,
      due_at = case when free then null when l.paused_until > ${it.now} then greatest(l.due_at, l.paused_until)
        else l.due_at end
    from locked where l.id = locked.id
    returning l.id, l.host, coalesce(l.holder = ${it.holder}, false) as mine, l.pokes, l.failures, l.paused_until,
      nullif(l.failed_days, '{}')::text[] as failed_days, l.unavailable_since, l.${signatureScheme} as scheme, l.${signatureSchemeAt} as scheme_at,
      l.delivered_at`)

/** Extends the leases of host queues. Returns the host queues that `holder` still leases. */
export const renewHostQueues = (
  db: Reader,
  ids: readonly string[],
  it: { holder: string; leaseMs: number },
): Promise<{ id: string; pokes: number }[]> =>
  db.rows(sql`with ${locked(sql`select unnest(${ids}::bigint[])`)}
    update lanes l set held_until = clock_timestamp() + make_interval(secs => ${it.leaseMs / 1000})
    from locked where l.id = locked.id and l.holder = ${it.holder} returning l.id, l.pokes`)

/** The host queues among `ids` that `holder` still leases, with the current `pokes`. */
export const heldHostQueues = (
  db: Reader,
  ids: readonly string[],
  holder: string,
): Promise<{ id: string; pokes: number }[]> =>
  db.rows(sql`select id, pokes from lanes where id = any(${bigints(ids)}) and holder = ${holder}`)

/** SQL condition: the delivery `d` waits for no earlier delivery. */
const isFirst = sql`not ${waitsForEarlier(sql`true`)}`

/**
 * Number of oldest deliveries of a host queue that are searched first for its next due time. Mostly one of them is due
 * now or at the end of the pause.
 */
const LOOKED_AT = 30

/**
 * Releases host queues and stores when each is due: at the time of its first delivery that waits for no earlier
 * delivery of its actor.
 *
 * Returns the ids of the released host queues. The others must be checked again, because their `pokes` increased
 * meanwhile.
 */
export const releaseHostQueues = async (
  db: Reader,
  queues: readonly { id: string; pokes: number }[],
  holder: string,
  now: Date,
): Promise<string[]> => {
  const rows = await db.rows<{ id: string }>(sql`with
    done as (select * from unnest(${queues.map((it) => it.id)}::bigint[], ${queues.map((it) => it.pokes)}::int[]) as done(id, pokes)),
    ${locked(sql`select id from done`)}
    update lanes l set holder = null, held_until = null,
      due_at = (select greatest(first.at, l.paused_until) from (select coalesce(
        (select min(d.at) from (select * from deliveries w where w.lane_id = l.id and w.state = 0
          order by w.seq, w.activity_id limit ${LOOKED_AT}) d
          where d.at <= greatest(${now}, l.paused_until) and ${isFirst}),
        (select min(d.at) from deliveries d where d.lane_id = l.id and d.state = 0 and ${isFirst})) as at) first
        where first.at is not null)
    from done, locked
    where l.id = done.id and locked.id = done.id and l.holder = ${holder} and l.pokes = done.pokes
    returning l.id`)
  return rows.map((row) => row.id)
}

export interface HealthChange {
  id: string
  health: Health
  scheme: SignatureScheme
  schemeAt: Date | null
  deliveredAt: Date | null
  failedAt: Date | null
  trouble: string | null
}

/** Stores the health of hosts. */
export const saveHealth = async (db: Reader, changes: readonly HealthChange[]): Promise<void> => {
  if (changes.length === 0) return
  const time = (ms: number | null) => (ms === null ? null : new Date(ms))
  await db.run(sql`with c as (
      select * from unnest(${changes.map((it) => it.id)}::bigint[], ${changes.map((it) => it.health.failures)}::int[],
        ${changes.map((it) => time(it.health.pausedUntil))}::timestamptz[],
        ${changes.map((it) => `{${it.health.failedDays.join(',')}}`)}::text[],
        ${changes.map((it) => time(it.health.unavailableSince))}::timestamptz[],
        ${changes.map((it) => signatureSchemes.indexOf(it.scheme))}::smallint[], ${changes.map((it) => it.schemeAt)}::timestamptz[],
        ${changes.map((it) => it.deliveredAt)}::timestamptz[], ${changes.map((it) => it.failedAt)}::timestamptz[],
        ${changes.map((it) => it.trouble)}::text[])
      as c(id, failures, paused_until, failed_days, unavailable_since, scheme, scheme_at, delivered_at, failed_at, trouble)),
    ${locked(sql`select id from c`)}
    update lanes l set failures = c.failures, paused_until = c.paused_until,
      failed_days = c.failed_days::date[], unavailable_since = c.unavailable_since,
      ${dailyDeliveryAt} = case when c.unavailable_since is null then null else coalesce(l.${dailyDeliveryAt}, c.unavailable_since + interval '1 day') end,
      ${signatureScheme} = c.scheme, ${signatureSchemeAt} = c.scheme_at, delivered_at = coalesce(c.delivered_at, l.delivered_at),
      failed_at = coalesce(c.failed_at, l.failed_at), trouble = coalesce(c.trouble, l.trouble)
    from c, locked where l.id = c.id and locked.id = c.id`)
}

/** Host queue id of a host; null if nothing was ever sent to the host. */
export const hostQueueOf = async (db: Reader, host: string): Promise<string | null> =>
  (await db.row<{ id: string }>(sql`select id from lanes where host = ${host}`))?.id ?? null

/** Host queue ids by host. Hosts to which nothing was ever sent are left out. */
export const hostQueuesOf = async (db: Reader, hosts: readonly string[]): Promise<Map<string, string>> => {
  const rows = await db.rows<{ id: string; host: string }>(
    sql`select id, host from lanes where host = any(${hosts}::text[])`,
  )
  return new Map(rows.map((row) => [row.host, row.id]))
}

/** True for a host that failed on seven days, and neither accepted a delivery nor sent a valid request since. */
export const isUnavailable = async (db: Reader, host: string): Promise<boolean> =>
  (await db.row(sql`select 1 from lanes where host = ${host} and unavailable_since is not null`)) !== null

/** Releases host queues and makes them due at `until`. Used for hosts of which the domain blocks are not loaded yet. */
export const postponeHostQueues = (db: Reader, ids: readonly string[], holder: string, until: Date): Promise<number> =>
  db.run(sql`with ${locked(sql`select unnest(${ids}::bigint[])`)}
    update lanes l set holder = null, held_until = null, due_at = ${until}
    from locked where l.id = locked.id and l.holder = ${holder}`)

/** True if any host queue is due, or the lease of any host queue has expired. */
export const isHostQueueDue = (db: Database, now: Date): Promise<boolean> =>
  db.exists(sql`select 1 from lanes
    where (due_at <= ${now} and held_until is null) or ${isOver(sql`statement_timestamp()`)}`)

/**
 * Ids of at most `limit` host queues that are due, or whose lease has expired. The returned host queues become due
 * again after `againMs`, in case their job fails.
 */
export const takeDueHostQueues = async (
  db: Reader,
  it: { now: Date; againMs: number; limit: number },
): Promise<string[]> => {
  const rows = await db.rows<{ id: string }>(sql`update lanes set holder = null, held_until = null,
      due_at = ${new Date(it.now.getTime() + it.againMs)}
    where id in (select id from lanes
      where (due_at <= ${it.now} and held_until is null) or ${isOver(sql`statement_timestamp()`)}
      order by due_at limit ${it.limit} for update skip locked)
    returning id`)
  return rows.map((row) => row.id)
}

/**
 * Makes host queues due that have pending deliveries but neither a lease nor a due time, which should not happen.
 * Returns the number of host queues that became due.
 */
export const findMissingHostQueues = (db: Reader, now: Date): Promise<number> =>
  db.run(sql`update lanes l set due_at = greatest(${now}, l.paused_until)
    where l.due_at is null and l.holder is null
      and exists (select 1 from deliveries d where d.lane_id = l.id and d.state = 0)`)

/**
 * Resets the health of a host that sent a valid request, and makes its failed deliveries due now.
 *
 * For a healthy host, the statement changes nothing and is cheap.
 */
export const markAlive = async (db: Reader, host: string, now: Date): Promise<void> => {
  await db.run(sql`with woken as (
      update lanes set failures = 0, paused_until = null, failed_days = '{}', unavailable_since = null, ${dailyDeliveryAt} = null,
        due_at = ${now}, pokes = pokes + 1
      where host = ${host} and (failures > 0 or unavailable_since is not null or failed_days <> '{}'
        or exists (select 1 from inboxes i where i.lane_id = lanes.id and i.gone_at is not null))
      returning id),
    back as (update inboxes set gone_at = null where gone_at is not null and lane_id in (select id from woken))
    update deliveries set at = ${now} where state = 0 and attempts > 0 and at > ${now} and lane_id in (select id from woken)
      and not (attempts >= ${STUCK_AFTER} and status is not null and status <> ${TIMED_OUT})`)
}
