/** What many people did to one status, for rendering it once for all of them. */
import { type Reader, sql } from '@murmuration/db'

export interface Done {
  favourited: boolean
  reblogged: boolean
  bookmarked: boolean
  muted: boolean
  pinned: boolean
}

interface Row extends Done {
  account_id: string
}

/** By account; those who did nothing are absent. One query, each part an index read. */
export const doneTo = async (
  db: Reader,
  status: { id: string; conversation_id: string },
  accounts: readonly string[],
): Promise<Map<string, Done>> => {
  if (accounts.length === 0) return new Map()
  const rows =
    await db.rows<Row>(sql`select account_id, bool_or(kind = 'f') as favourited, bool_or(kind = 'r') as reblogged,
      bool_or(kind = 'b') as bookmarked, bool_or(kind = 'm') as muted, bool_or(kind = 'p') as pinned
    from (
      select account_id, 'f' as kind from favourites where status_id = ${status.id} and account_id = any(${accounts}::bigint[])
      union all select account_id, 'r' from reblogs where status_id = ${status.id} and account_id = any(${accounts}::bigint[])
      union all select account_id, 'b' from bookmarks where status_id = ${status.id} and account_id = any(${accounts}::bigint[])
      union all select account_id, 'm' from conversation_mutes where conversation_id = ${status.conversation_id} and account_id = any(${accounts}::bigint[])
      union all select account_id, 'p' from pins where status_id = ${status.id} and account_id = any(${accounts}::bigint[])
    ) done group by account_id`)
  return new Map(rows.map((row) => [row.account_id, row]))
}
