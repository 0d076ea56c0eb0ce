/** Reads accounts and statuses that reports or strikes refer to. */
import { bigints, type Reader, sql } from '@murmuration/db'

/** Ids of the accounts among `ids` that filed a report, were reported, or got a strike or another decision of staff. */
export const moderatedOf = async (db: Reader, ids: readonly string[]): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`select id from unnest(${ids}::bigint[]) as wanted(id)
      where coalesce((select true from reports r where r.account_id = wanted.id limit 1), false)
        or coalesce((select true from reports r where r.target_account_id = wanted.id limit 1), false)
        or coalesce((select true from strikes s where s.target_account_id = wanted.id limit 1), false)
        or coalesce((select true from decisions d where d.account_id = wanted.id limit 1), false)`)
  ).map((row) => row.id)

/** Statuses of these authors that a report or a strike names. */
export const reportedAmong = async (db: Reader, authors: readonly string[]): Promise<Set<string>> => {
  const rows = await db.rows<{ id: string }>(sql`select unnest(status_ids)::text as id from reports
      where target_account_id = any(${bigints(authors)})
    union select unnest(status_ids)::text from strikes where target_account_id = any(${bigints(authors)})`)
  return new Set(rows.map((row) => row.id))
}
