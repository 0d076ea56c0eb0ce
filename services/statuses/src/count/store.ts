/** How much was written here. */
import { type Reader, type Sql, sql } from '@murmuration/db'
import { idAt } from '../core/status/id-time.rules.js'

/** Local statuses that are not direct, without boosts. */
const isCounted = sql`s.deleted_at is null and s.local and s.visibility <= 2 and s.reblog_of_id is null`
const counts = sql`count(*)::int as written, count(*) filter (where s.in_reply_to_account_id is not null)::int as replies`
/** The first id of a day in UTC. */
const firstIdOf = (day: Sql): Sql => sql`id_floor((${day})::timestamp at time zone 'UTC')`

/** Counts of local statuses and replies: stored counts for counted days, current counts for the days since. */
export const localCounts = async (db: Reader): Promise<{ local: number; localReplies: number }> =>
  (await db.row<{ local: number; localReplies: number }>(sql`with days as (
      select coalesce(sum(written), 0)::int as written, coalesce(sum(replies), 0)::int as replies,
        coalesce(${firstIdOf(sql`max(day) + 1`)}, 0) as next from counted_days),
      since as (select ${counts} from statuses s where ${isCounted} and s.id >= (select next from days))
    select days.written + since.written as local, days.replies + since.replies as "localReplies" from days, since`)) ?? {
    local: 0,
    localReplies: 0,
  }

/**
 * Counts days that are over: first those that never were, the oldest first, then those that were a day ago, because statuses
 * go. Gives how many were counted, at most `most`.
 */
export const countDays = (db: Reader, now: Date, most: number): Promise<number> =>
  db.run(sql`with first as (select least((select min(day) from counted_days),
      (select to_timestamp((min(s.id) >> 16) / 1000.0) at time zone 'UTC' from statuses s where s.deleted_at is null and s.local)::date) as day),
    due as (select over.day::date as day from first
      cross join generate_series(first.day, (${now}::timestamptz at time zone 'UTC')::date - 2, interval '1 day') as over(day)
      left join counted_days c on c.day = over.day::date
      where c.day is null or c.counted_at < ${now}::timestamptz - interval '1 day'
      order by c.counted_at nulls first, over.day limit ${most})
    insert into counted_days (day, written, replies, counted_at)
    select due.day, n.written, n.replies, ${now} from due cross join lateral (select ${counts} from statuses s
      where ${isCounted} and s.id >= ${firstIdOf(sql`due.day`)} and s.id < ${firstIdOf(sql`due.day + 1`)}) n
    on conflict (day) do update set written = excluded.written, replies = excluded.replies, counted_at = excluded.counted_at`)

const WEEK_MS = 7 * 86_400_000

/** Local statuses without boosts that were written in each week that begins at one of these moments, in their order. */
export const weeksOfStatuses = async (db: Reader, mondays: readonly number[]): Promise<number[]> =>
  (
    await db.rows<{ written: number }>(sql`select (select count(*)::int from statuses s
        where s.deleted_at is null and s.local and s.id >= weeks.first and s.id < weeks.after
          and s.reblog_of_id is null) as written
      from unnest(${mondays.map(idAt)}::bigint[], ${mondays.map((at) => idAt(at + WEEK_MS))}::bigint[])
        with ordinality as weeks(first, after, n) order by n`)
  ).map((row) => row.written)
