/** How accounts stand to each other, for many pairs in one query. */
import { type Reader, type Sql, sql } from '@murmuration/db'

export interface StandingRow {
  /** The one of the pair that the question lists. */
  id: string
  following: boolean
  showing_reblogs: boolean
  followed_by: boolean
  followed_by_since: Date | null
  requested: boolean
  blocking: boolean
  blocked_by: boolean
  muting: boolean
  muting_notifications: boolean
  domain_blocking: boolean
}

export interface RelationRow extends StandingRow {
  notifying: boolean
  languages: string[] | null
  muting_expires_at: Date | null
  requested_by: boolean
  endorsed: boolean
  note: string
}

/** `viewer` and `author` are column expressions; every join is one look into a unique index. */
const joins = (viewer: Sql, author: Sql, at: Date): Sql => sql`
  join accounts author on author.id = ${author}
  left join follows f on f.account_id = ${viewer} and f.target_id = ${author}
  left join follows b on b.account_id = ${author} and b.target_id = ${viewer}
  left join follow_requests q on q.account_id = ${viewer} and q.target_id = ${author}
  left join blocks blocking on blocking.account_id = ${viewer} and blocking.target_id = ${author}
  left join blocks blocked on blocked.account_id = ${author} and blocked.target_id = ${viewer}
  left join mutes m on m.account_id = ${viewer} and m.target_id = ${author} and (m.expires_at is null or m.expires_at > ${at})
  left join domain_blocks d on d.account_id = ${viewer} and d.domain = author.domain`

const columns = sql`other.id,
  f.id is not null as following,
  coalesce(f.reblogs, q.reblogs, false) as showing_reblogs,
  b.id is not null as followed_by, b.created_at as followed_by_since,
  q.id is not null as requested,
  blocking.id is not null as blocking, blocked.id is not null as blocked_by,
  m.id is not null as muting, coalesce(m.notifications, false) as muting_notifications,
  d.id is not null as domain_blocking`

/** One relation of the pair, and what it carries: whether boosts are shown or notifications muted, and since when. */
interface Tie {
  id: string
  kind: 'known' | 'following' | 'followed_by' | 'requested' | 'blocking' | 'blocked_by' | 'muting' | 'domain_blocking'
  flag: boolean | null
  since: Date | null
}

const standingFrom = (id: string, ties: readonly Tie[]): StandingRow => {
  const of = (kind: Tie['kind']): Tie | undefined => ties.find((tie) => tie.kind === kind)
  const follow = of('following')
  const request = of('requested')
  const back = of('followed_by')
  const mute = of('muting')
  return {
    id,
    following: follow !== undefined,
    showing_reblogs: follow?.flag ?? request?.flag ?? false,
    followed_by: back !== undefined,
    followed_by_since: back?.since ?? null,
    requested: request !== undefined,
    blocking: of('blocking') !== undefined,
    blocked_by: of('blocked_by') !== undefined,
    muting: mute !== undefined,
    muting_notifications: mute?.flag ?? false,
    domain_blocking: of('domain_blocking') !== undefined,
  }
}

/**
 * How one viewer stands to each of these authors; authors that do not exist are left out. Every timeline asks this, so
 * only what is there is read: one look into an index for each kind of relation, not one for each pair.
 */
export const standingsOfViewer = async (
  db: Reader,
  viewer: string,
  authors: readonly string[],
  at: Date,
): Promise<StandingRow[]> => {
  const ties = await db.rows<Tie>(sql`
    select id, 'known' as kind, null::boolean as flag, null::timestamptz as since from accounts
      where id = any(${authors}::bigint[])
    union all select target_id, 'following', reblogs, null from follows
      where account_id = ${viewer} and target_id = any(${authors}::bigint[])
    union all select account_id, 'followed_by', null, created_at from follows
      where target_id = ${viewer} and account_id = any(${authors}::bigint[])
    union all select target_id, 'requested', reblogs, null from follow_requests
      where account_id = ${viewer} and target_id = any(${authors}::bigint[])
    union all select target_id, 'blocking', null, null from blocks
      where account_id = ${viewer} and target_id = any(${authors}::bigint[])
    union all select account_id, 'blocked_by', null, null from blocks
      where target_id = ${viewer} and account_id = any(${authors}::bigint[])
    union all select target_id, 'muting', notifications, null from mutes
      where account_id = ${viewer} and target_id = any(${authors}::bigint[]) and (expires_at is null or expires_at > ${at})
    union all select author.id, 'domain_blocking', null, null from domain_blocks d join accounts author
      on author.domain = d.domain and author.id = any(${authors}::bigint[]) where d.account_id = ${viewer}`)
  const byId = Map.groupBy(ties, (tie) => tie.id)
  return [...byId].flatMap(([id, own]) => (own.some((tie) => tie.kind === 'known') ? [standingFrom(id, own)] : []))
}

/** How each of these viewers stands to one author. */
export const standingsToAuthor = (
  db: Reader,
  author: string,
  viewers: readonly string[],
  at: Date,
): Promise<StandingRow[]> =>
  db.rows(sql`select ${columns} from unnest(${viewers}::bigint[]) as other(id)
    ${joins(sql`other.id`, sql`${author}::bigint`, at)}`)

/** Everything a Relationship shows, in order of account ids; people who may not be seen are left out. */
export const relationsOfViewer = (
  db: Reader,
  viewer: string,
  ids: readonly string[],
  options: { at: Date; withSuspended: boolean },
): Promise<RelationRow[]> =>
  db.rows(sql`select ${columns},
      coalesce(f.notify, q.notify, false) as notifying, coalesce(f.languages, q.languages) as languages,
      m.expires_at as muting_expires_at, wish.id is not null as requested_by,
      e.account_id is not null as endorsed, coalesce(n.comment, '') as note
    from unnest(${ids}::bigint[]) as other(id)
    ${joins(sql`${viewer}::bigint`, sql`other.id`, options.at)}
    left join follow_requests wish on wish.account_id = other.id and wish.target_id = ${viewer}
    left join endorsements e on e.account_id = ${viewer} and e.target_id = other.id
    left join notes n on n.account_id = ${viewer} and n.target_id = other.id
    left join users u on u.account_id = other.id
    where (author.domain is not null or (u.confirmed_at is not null and u.approved))
      and (${options.withSuspended} or author.suspended_at is null)
    order by other.id`)
