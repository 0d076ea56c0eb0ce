/** SQL of the counts of local statuses. */
import { type Reader, type Sql, sql } from '@murmuration/db'
import { idAt } from '../core/status/id-time.rules.js'

/** Condition: local statuses that are not direct and not boosts. */
const isCounted = sql`s.deleted_at is null and s.local and s.visibility <= 2 and s.reblog_of_id is null`
const counts = sql`count(*)::int as written, count(*) filter (where s.in_reply_to_account_id is not null)::int as replies`
/** The first status id of a UTC day. */
const firstIdOf = (day: Sql): Sql => sql`id_floor((${day})::timestamp at time zone 'UTC')`

/** Numbers of local statuses and replies: stored counts of past days, and a count of the statuses since. */
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
 * Counts past days: first those never counted, oldest first, then those counted more than a day ago, because statuses
 * are deleted. Returns the number of counted days, at most `limit`.
 */
export const countDays = (db: Reader, now: Date, limit: number): Promise<number> =>
  db.run(sql`with first as (select least((select min(day) from counted_days),
      (select to_timestamp((min(s.id) >> 16) / 1000.0) at time zone 'UTC' from statuses s where s.deleted_at is null and s.local)::date) as day),
    due as (select over.day::date as day from first
      cross join generate_series(first.day, (${now}::timestamptz at time zone 'UTC')::date - 2, interval '1 day') as over(day)
      left join counted_days c on c.day = over.day::date
      where c.day is null or c.counted_at < ${now}::timestamptz - interval '1 day'
      order by c.counted_at nulls first, over.day limit ${limit})
    insert into counted_days (day, written, replies, counted_at)
    select due.day, n.written, n.replies, ${now} from due cross join lateral (select ${counts} from statuses s
      where ${isCounted} and s.id >= ${firstIdOf(sql`due.day`)} and s.id < ${firstIdOf(sql`due.day + 1`)}) n
    on conflict (day) do update set written = excluded.written, replies = excluded.replies, counted_at = excluded.counted_at`)

const WEEK_MS = 7 * 86_400_000

/** Numbers of local statuses, without boosts, for the weeks that start at these times (milliseconds), in order. */
export const weeksOfStatuses = async (db: Reader, mondays: readonly number[]): Promise<number[]> =>
  (
    await db.rows<{ written: number }>(sql`select (select count(*)::int from statuses s
        where s.deleted_at is null and s.local and s.id >= weeks.first and s.id < weeks.after
          and s.reblog_of_id is null) as written
      from unnest(${mondays.map(idAt)}::bigint[], ${mondays.map((at) => idAt(at + WEEK_MS))}::bigint[])
        with ordinality as weeks(first, after, n) order by n`)
  ).map((row) => row.written)
