/** SQL of the viewer state of many accounts for one status, for streaming. */
import { bigints, type Reader, sql } from '@murmuration/db'

export interface Flags {
  favourited: boolean
  reblogged: boolean
  bookmarked: boolean
  muted: boolean
  pinned: boolean
}

/** Viewer state by account. Accounts without viewer state for the status are missing. */
export const flagsOfMany = async (
  db: Reader,
  status: { id: string; conversation: string },
  accounts: readonly string[],
): Promise<Map<string, Flags>> => {
  if (accounts.length === 0) return new Map()
  const rows = await db.rows<Flags & { account_id: string }>(sql`select account_id, bool_or(kind = 1) as favourited,
      bool_or(kind = 2) as reblogged, bool_or(kind = 3) as bookmarked, bool_or(kind = 4) as muted,
      bool_or(kind = 5) as pinned
    from (
      select account_id, 1 as kind from favourites where status_id = ${status.id} and account_id = any(${bigints(accounts)})
      union all
      select account_id, 2 from reblogs where status_id = ${status.id} and account_id = any(${bigints(accounts)})
      union all
      select account_id, 3 from bookmarks where status_id = ${status.id} and account_id = any(${bigints(accounts)})
      union all
      select account_id, 4 from conversation_mutes
        where conversation_id = ${status.conversation} and account_id = any(${bigints(accounts)})
      union all
      select account_id, 5 from pins where status_id = ${status.id} and account_id = any(${bigints(accounts)})
    ) as done group by account_id`)
  return new Map(rows.map(({ account_id, ...flags }) => [account_id, flags]))
}
