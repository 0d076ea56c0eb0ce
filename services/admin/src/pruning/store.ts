/** Accounts that moderation has to do with. */
import { type Reader, sql } from '@murmuration/db'

/** The accounts among these that reported, were reported, or that staff acted on. */
export const moderatedOf = async (db: Reader, ids: readonly string[]): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`select id from unnest(${ids}::bigint[]) as wanted(id)
      where coalesce((select true from reports r where r.account_id = wanted.id limit 1), false)
        or coalesce((select true from reports r where r.target_account_id = wanted.id limit 1), false)
        or coalesce((select true from strikes s where s.target_account_id = wanted.id limit 1), false)
        or coalesce((select true from decisions d where d.account_id = wanted.id limit 1), false)`)
  ).map((row) => row.id)
