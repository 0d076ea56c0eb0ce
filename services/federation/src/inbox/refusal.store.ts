/** Counts of refused activities, by reason and day, and also by host, in at most `MAX_HOST_ROWS` rows a day. */
import type { olderNames } from '@murmuration/contracts/kit'
import { type Reader, type Sql, sql } from '@murmuration/db'

/** Where an activity was refused: by the inbox endpoint (`olderNames.inboxEndpoint`) or by the inbox worker. */
export type Stage = typeof olderNames.inboxEndpoint | 'worker'

export interface RefusalCount {
  stage: Stage
  reason: string
  count: number
  /** Host of the last refused activity; null if unknown. */
  host: string | null
  /** Time of the last refused activity. */
  at: Date
}

/** Adds refusals to the counts of their reason and UTC day. */
export const addRefusals = async (db: Reader, items: readonly RefusalCount[]): Promise<void> => {
  await db.run(sql`insert into inbox_refusals (day, stage, reason, count, last_host, last_at)
    select (at at time zone 'UTC')::date, stage, reason, count, host, at
    from unnest(${items.map((it) => it.stage)}::text[], ${items.map((it) => it.reason)}::text[],
      ${items.map((it) => it.count)}::bigint[], ${items.map((it) => it.host)}::text[],
      ${items.map((it) => it.at)}::timestamptz[]) as it(stage, reason, count, host, at)
    order by 1, 2, 3 on conflict (day, stage, reason) do update set count = inbox_refusals.count + excluded.count,
      last_host = coalesce(excluded.last_host, inbox_refusals.last_host),
      last_at = greatest(inbox_refusals.last_at, excluded.last_at)`)
}

/**
 * Maximum number of rows by host per day. The limit is needed because a request can claim any host before its signature
 * is verified.
 */
export const MAX_HOST_ROWS = 5_000

/** Adds refusals to the counts of their host. Above `MAX_HOST_ROWS`, hosts without a row are not counted. `host` is never null here. */
export const addHostRefusals = async (db: Reader, items: readonly RefusalCount[]): Promise<void> => {
  await db.run(sql`with it as (
      select host, (at at time zone 'UTC')::date as day, stage, reason, sum(count)::bigint as count, max(at) as at
      from unnest(${items.map((it) => it.host)}::text[], ${items.map((it) => it.stage)}::text[],
        ${items.map((it) => it.reason)}::text[], ${items.map((it) => it.count)}::bigint[],
        ${items.map((it) => it.at)}::timestamptz[]) as given(host, stage, reason, count, at)
      group by 1, 2, 3, 4)
    insert into inbox_refusal_hosts (host, day, stage, reason, count, last_at)
    select host, day, stage, reason, count, at from it
    where (select count(*) from (select 1 from inbox_refusal_hosts h where h.day = it.day limit ${MAX_HOST_ROWS}) few)
        < ${MAX_HOST_ROWS}
      or exists (select 1 from inbox_refusal_hosts h
        where h.host = it.host and h.day = it.day and h.stage = it.stage and h.reason = it.reason)
    order by host, day, stage, reason
    on conflict (host, day, stage, reason) do update set count = inbox_refusal_hosts.count + excluded.count,
      last_at = greatest(inbox_refusal_hosts.last_at, excluded.last_at)`)
}

export interface RefusalRow {
  stage: Stage
  reason: string
  count: string
  last_host: string | null
  last_at: Date
}

const dayOf = (at: Date): Sql => sql`(${at}::timestamptz at time zone 'UTC')::date`

/** Counts of refused activities by stage and reason since the day of `since`, most frequent first. */
export const refusalsSince = (db: Reader, since: Date): Promise<RefusalRow[]> =>
  db.rows(sql`select stage, reason, sum(count)::text as count, max(last_at) as last_at,
      (array_agg(last_host order by last_at desc) filter (where last_host is not null))[1] as last_host
    from inbox_refusals where day >= ${dayOf(since)}
    group by stage, reason order by sum(count) desc, reason`)

/** Counts of refused activities of one host by stage and reason since the day of `since`, most frequent first. */
export const refusalsOfHost = (db: Reader, host: string, since: Date): Promise<RefusalRow[]> =>
  db.rows(sql`select stage, reason, sum(count)::text as count, max(last_at) as last_at, ${host}::text as last_host
    from inbox_refusal_hosts where host = ${host} and day >= ${dayOf(since)}
    group by stage, reason order by sum(count) desc, reason`)

/**
 * The largest counts of refused activities by host, stage and reason since the day of `since`; of one host if `host` is
 * given.
 */
export const refusingHosts = (
  db: Reader,
  since: Date,
  host: string | null,
  limit: number,
): Promise<(Omit<RefusalRow, 'last_host'> & { host: string })[]> =>
  db.rows(sql`select host, stage, reason, sum(count)::text as count, max(last_at) as last_at
    from inbox_refusal_hosts where day >= ${dayOf(since)} and ${host === null ? sql`true` : sql`host = ${host}`}
    group by host, stage, reason order by sum(count) desc, host, reason limit ${limit}`)

/**
 * Counts of refused activities per UTC day since the day of `since`, oldest first, without days that have no refusals.
 */
export const refusalDays = (db: Reader, since: Date, host: string | null): Promise<{ day: string; count: string }[]> =>
  db.rows(sql`select day::text as day, sum(count)::text as count
    from ${host === null ? sql`inbox_refusals` : sql`inbox_refusal_hosts`}
    where day >= ${dayOf(since)} and ${host === null ? sql`true` : sql`host = ${host}`}
    group by day order by day`)

export const deleteRefusals = async (db: Reader): Promise<void> => {
  await db.run(sql`delete from inbox_refusals where day < (now() at time zone 'UTC')::date - 31`)
  await db.run(sql`delete from inbox_refusal_hosts where day < (now() at time zone 'UTC')::date - 31`)
}
