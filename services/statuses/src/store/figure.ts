/** Counts over all statuses, and the pages that documents show. */
import { type Cursor, keyset, newestFirst, type Reader, sql } from '@murmuration/db'

/** Local statuses and replies among them; direct ones do not count. */
export const countLocal = async (db: Reader): Promise<{ local: number; localReplies: number }> => {
  const row = await db.row<{ local: number; replies: number }>(sql`select count(*)::int as local,
      count(*) filter (where in_reply_to_id is not null or in_reply_to_uri is not null)::int as replies
    from statuses where local and deleted_at is null and visibility <= 2 and reblog_of_id is null`)
  return { local: row?.local ?? 0, localReplies: row?.replies ?? 0 }
}

/** Ids of an author’s public and unlisted statuses and boosts. */
export const outboxIds = async (db: Reader, author: string, page: Cursor): Promise<string[]> =>
  newestFirst(
    await db.rows<{ id: string }>(sql`select s.id from statuses s where s.author_id = ${author} and s.deleted_at is null
      and s.visibility <= 1 ${keyset(sql`s.id`, page)}`),
    page,
  ).map((row) => row.id)

export const outboxTotal = async (db: Reader, author: string): Promise<number> =>
  (
    await db.row<{ n: number }>(
      sql`select count(*)::int as n from statuses where author_id = ${author} and deleted_at is null and visibility <= 1`,
    )
  )?.n ?? 0
