/** How much was written here. */
import { type Reader, sql } from '@murmuration/db'

/** Local statuses that are not direct, without boosts; and those of them that answer something. */
export const localFigures = async (db: Reader): Promise<{ local: number; localReplies: number }> =>
  (await db.row<{ local: number; localReplies: number }>(sql`select count(*)::int as local,
      count(*) filter (where s.in_reply_to_account_id is not null)::int as "localReplies"
    from statuses s where s.deleted_at is null and s.local and s.visibility <= 2 and s.reblog_of_id is null`)) ?? {
    local: 0,
    localReplies: 0,
  }
