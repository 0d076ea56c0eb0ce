/** Reads remote accounts whose copied pictures may be removed. */
import { type Reader, sql } from '@murmuration/db'

/** Remote accounts in a range of ids that were not fetched since `before`. Without `includeFollows`, accounts with follows are left out. */
export const profileMediaWindow = async (
  db: Reader,
  it: { after: string; before: Date; includeFollows: boolean; limit: number },
): Promise<{ seen: number; last: string | null; ids: string[] }> => {
  const unfollowed = sql`and not coalesce((select true from follows f where f.account_id = w.id limit 1), false)
    and not coalesce((select true from follows f where f.target_id = w.id limit 1), false)`
  const row = await db.row<{ seen: number; last: string | null; ids: string[] }>(sql`with w as materialized (
      select id, domain, fetched_at from accounts where id > ${it.after || '0'} order by id limit ${it.limit})
    select (select count(*)::int from w) as seen, (select max(id) from w) as last,
      array(select w.id::text from w where w.domain is not null and (w.fetched_at is null or w.fetched_at < ${it.before})
        ${it.includeFollows ? sql`` : unfollowed} order by w.id) as ids`)
  return row ?? { seen: 0, last: null, ids: [] }
}
