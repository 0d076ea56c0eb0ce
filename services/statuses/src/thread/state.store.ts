/** SQL of the state of accounts in a thread, for notifications. */
import { type Reader, sql } from '@murmuration/db'

/** The given accounts that muted the thread of a status. */
export const mutersOf = async (db: Reader, status: string, accounts: readonly string[]): Promise<string[]> => {
  const rows = await db.rows<{ account_id: string }>(sql`select m.account_id
    from (select conversation_id from statuses where id = ${status}) s
    join conversation_mutes m on m.account_id = any(${accounts}::bigint[]) and m.conversation_id = s.conversation_id`)
  return rows.map((row) => row.account_id)
}

/** Maximum number of ancestors that are walked. */
const MAX_STEPS = 100

/**
 * The given accounts that wrote a direct status to `to` among the ancestors of this status. Deleted statuses end the
 * walk. A status counts only for its author: a mention in the thread of another account is no invitation (A044).
 */
export const wroteAbove = async (
  db: Reader,
  status: string,
  to: string,
  accounts: readonly string[],
): Promise<string[]> => {
  const rows = await db.rows<{ author_id: string }>(sql`with recursive up as (
      select s.in_reply_to_id as id, 1 as depth from statuses s where s.id = ${status}
      union all
      select s.in_reply_to_id, up.depth + 1 from up
      cross join lateral (select in_reply_to_id from statuses s where s.id = up.id and s.deleted_at is null) s
      where up.depth < ${MAX_STEPS}::int
    )
    select distinct s.author_id from up
    cross join lateral (select author_id from statuses s where s.id = up.id and s.deleted_at is null and s.visibility = 3
      and s.author_id = any(${accounts}::bigint[])) s
    where exists (select 1 from mentions m where m.status_id = up.id and m.account_id = ${to} and not m.silent)`)
  return rows.map((row) => row.author_id)
}
