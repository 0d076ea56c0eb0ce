/** Accounts whose handle or name begins with a text. */
import { type Reader, type Sql, sql } from '@murmuration/db'

/** Candidates that are ranked; a prefix of one letter has too many to look at all. */
const CANDIDATES = 400

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/**
 * Ids, best first: exact name, then people the viewer follows, then many followers. `domain` narrows to handles
 * `name@domain…`; null searches names of all domains and display names.
 */
export const searchAccounts = async (
  db: Reader,
  wish: {
    name: string
    domain: string | null
    viewer: string | null
    following: boolean
    limit: number
    offset: number
  },
): Promise<string[]> => {
  const prefix = `${escaped(wish.name.toLowerCase())}%`
  const byName: Sql =
    wish.domain === null
      ? sql`(select id from accounts where lower(username) like ${prefix} limit ${CANDIDATES})
          union (select id from accounts where lower(display_name) like ${prefix} limit ${CANDIDATES})`
      : sql`select id from accounts where lower(username) like ${prefix}
          and domain like ${`${escaped(wish.domain)}%`} limit ${CANDIDATES}`
  // Among followees the names are few enough to look at each.
  const candidates: Sql =
    wish.following && wish.viewer !== null
      ? sql`select a.id from accounts a where (a.id = ${wish.viewer}
            or a.id in (select target_id from follows where account_id = ${wish.viewer}))
          and (lower(a.username) like ${prefix} or lower(a.display_name) like ${prefix})
          ${wish.domain === null ? sql`` : sql`and a.domain like ${`${escaped(wish.domain)}%`}`}`
      : byName
  const followedFirst =
    wish.viewer === null
      ? sql``
      : sql`exists (select 1 from follows f where f.account_id = ${wish.viewer} and f.target_id = a.id) desc,`
  const rows = await db.rows<{ id: string }>(sql`select a.id
    from (${candidates}) c join accounts a on a.id = c.id
    left join account_stats s on s.account_id = a.id left join users u on u.account_id = a.id
    where a.suspended_at is null and a.moved_to_uri is null
      and (a.domain is not null or (u.confirmed_at is not null and u.approved))
    order by (lower(a.username) = ${wish.name.toLowerCase()}) desc, ${followedFirst}
      greatest(s.followers_count, a.remote_followers_count, 0) desc, a.id
    limit ${wish.limit} offset ${wish.offset}`)
  return rows.map((row) => row.id)
}
