/** How much was written here. */
import { type Reader, sql } from '@murmuration/db'
import { idAt } from '../domain/id-time.js'

/** Local statuses that are not direct, without boosts; and those of them that answer something. */
export const localFigures = async (db: Reader): Promise<{ local: number; localReplies: number }> =>
  (await db.row<{ local: number; localReplies: number }>(sql`select count(*)::int as local,
      count(*) filter (where s.in_reply_to_account_id is not null)::int as "localReplies"
    from statuses s where s.deleted_at is null and s.local and s.visibility <= 2 and s.reblog_of_id is null`)) ?? {
    local: 0,
    localReplies: 0,
  }

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
