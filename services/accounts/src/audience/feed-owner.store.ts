/** Reads local accounts with their lists. */
import { type Reader, sql } from '@murmuration/db'

/**
 * Returns local accounts with ids above `after`, in ascending order, and the ids of their lists. With `since`: only
 * accounts that were active after the time `since`.
 */
export const feedOwnersAfter = (
  db: Reader,
  it: { after: string; limit: number; since: Date | null; id: string | null },
): Promise<{ id: string; lists: string[]; active_at: Date | null }[]> =>
  db.rows(sql`select a.id, u.active_at, array(select l.id::text from lists l where l.account_id = a.id order by l.id) as lists
    from users u join accounts a on a.id = u.account_id
    where u.account_id > ${it.after || '0'} and a.removed_at is null
      ${it.id === null ? sql`` : sql`and u.account_id = ${it.id}`}
      ${it.since === null ? sql`` : sql`and u.active_at > ${it.since}`}
    order by u.account_id limit ${it.limit}`)
