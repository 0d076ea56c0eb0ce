/** Reads discoverable accounts for the directory. Its SQL conditions also serve suggestions. */
import { type Reader, type Sql, sql } from '@murmuration/db'

/**
 * SQL condition on the alias `a`: discoverable, not limited, not suspended, not moved, not removed. The directory's
 * indexes have the same condition. An account counts as moved if its new account is stored.
 */
export const isDiscoverable: Sql = sql`a.discoverable and a.silenced_at is null and a.suspended_at is null
  and a.moved_to_uri is null and a.removed_at is null`

/** SQL condition: the account is remote, or its user is confirmed and approved. Requires the join `withLogin`. */
export const isUsable: Sql = sql`(a.domain is not null or (u.confirmed_at is not null and u.approved))`
export const withLogin: Sql = sql`left join users u on u.account_id = a.id`

/** SQL condition: no block or mute exists between the account `a` and the viewer, and the viewer does not block its domain. */
export const isNotHiddenFrom = (viewer: string, at: Date): Sql => sql`
  not exists (select 1 from blocks b where b.account_id = ${viewer}::bigint and b.target_id = a.id)
  and not exists (select 1 from blocks b where b.account_id = a.id and b.target_id = ${viewer}::bigint)
  and not exists (select 1 from mutes m where m.account_id = ${viewer}::bigint and m.target_id = a.id
    and (m.expires_at is null or m.expires_at > ${at}))
  and not exists (select 1 from domain_blocks d where d.account_id = ${viewer}::bigint and d.domain = a.domain)`

export interface DirectoryQuery {
  /** True: newest accounts first. False: accounts with the latest status first. */
  newest: boolean
  local: boolean
  /** `viewer` is null without a signed-in viewer. */
  viewer: string | null
  limit: number
  offset: number
  at: Date
}

/**
 * Ids of one page. The list of all accounts by last status is read in the order of an index. The list of local accounts is sorted
 * instead, because most accounts in the index are remote.
 */
export const directoryPage = async (db: Reader, query: DirectoryQuery): Promise<string[]> => {
  const here = query.local ? sql`a.domain is null and` : sql``
  const shown = sql`${here} ${isDiscoverable} and ${isUsable} ${query.viewer === null ? sql`` : sql`and ${isNotHiddenFrom(query.viewer, query.at)}`}`
  const cut = sql`limit ${query.limit} offset ${query.offset}`
  const byActivity = query.local
    ? sql`with here as materialized (select a.id from accounts a ${withLogin} where ${shown})
        select here.id from here
        order by (select s.last_status_at from account_stats s where s.account_id = here.id) desc nulls last, here.id desc ${cut}`
    : sql`select a.id from account_stats s join accounts a on a.id = s.account_id ${withLogin} where ${shown}
        order by s.last_status_at desc nulls last, s.account_id desc ${cut}`
  const rows = await db.rows<{ id: string }>(
    query.newest ? sql`select a.id from accounts a ${withLogin} where ${shown} order by a.id desc ${cut}` : byActivity,
  )
  return rows.map((row) => row.id)
}
