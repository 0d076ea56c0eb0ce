/** What the inboxes did not take, counted by name and day. */
import { type Reader, sql } from '@murmuration/db'

export interface RefusalCount {
  stage: 'gate' | 'worker'
  reason: string
  count: number
  /** Of the last one. */
  host: string | null
  at: Date
}

/** Adds to the counts of the days on which they happened. */
export const addRefusals = async (db: Reader, items: readonly RefusalCount[]): Promise<void> => {
  await db.run(sql`insert into inbox_refusals (day, stage, reason, count, last_host, last_at)
    select (at at time zone 'UTC')::date, stage, reason, count, host, at
    from unnest(${items.map((it) => it.stage)}::text[], ${items.map((it) => it.reason)}::text[],
      ${items.map((it) => it.count)}::bigint[], ${items.map((it) => it.host)}::text[],
      ${items.map((it) => it.at)}::timestamptz[]) as it(stage, reason, count, host, at)
    on conflict (day, stage, reason) do update set count = inbox_refusals.count + excluded.count,
      last_host = coalesce(excluded.last_host, inbox_refusals.last_host),
      last_at = greatest(inbox_refusals.last_at, excluded.last_at)`)
}

/** Counts since that day, the most frequent first. */
export const refusalsSince = (
  db: Reader,
  since: Date,
): Promise<{ stage: 'gate' | 'worker'; reason: string; count: string; last_host: string | null; last_at: Date }[]> =>
  db.rows(sql`select stage, reason, sum(count)::text as count, max(last_at) as last_at,
      (array_agg(last_host order by last_at desc) filter (where last_host is not null))[1] as last_host
    from inbox_refusals where day >= (${since}::timestamptz at time zone 'UTC')::date
    group by stage, reason order by sum(count) desc, reason`)

export const forgetRefusals = (db: Reader): Promise<number> =>
  db.run(sql`delete from inbox_refusals where day < (now() at time zone 'UTC')::date - 31`)
