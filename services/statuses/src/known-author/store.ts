/** Accounts with statuses, mentions, favourites or votes. */
import { type Reader, type Sql, sql } from '@murmuration/db'

export const involvedQuery = (ids: readonly string[]): Sql =>
  sql`select id from unnest(${ids}::bigint[]) as wanted(id)
    where coalesce((select true from statuses s where s.author_id = wanted.id and s.deleted_at is null limit 1), false)
      or coalesce((select true from mentions m where m.account_id = wanted.id limit 1), false)
      or coalesce((select true from favourites f where f.account_id = wanted.id limit 1), false)
      or coalesce((select true from reblogs r where r.account_id = wanted.id limit 1), false)
      or coalesce((select true from poll_votes v where v.account_id = wanted.id limit 1), false)`

/** The accounts among these that something here refers to. */
export const involvedOf = async (db: Reader, ids: readonly string[]): Promise<string[]> =>
  (await db.rows<{ id: string }>(involvedQuery(ids))).map((row) => row.id)
