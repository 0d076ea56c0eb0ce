/** Reads the relationships between accounts, for many pairs in one query. */
import { type Reader, type Sql, sql } from '@murmuration/db'

export interface RelationshipRow {
  /** The account of the pair that is in the list of the request: the author, or the viewer in `relationshipsToAuthor`. */
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

export interface RelationRow extends RelationshipRow {
  notifying: boolean
  languages: string[] | null
  following_since: Date | null
  muting_expires_at: Date | null
  requested_by: boolean
  endorsed: boolean
  note: string
}

/**
 * Joins of all relationships between two accounts. `viewer` and `author` are SQL expressions; each join uses a unique
 * index.
 */
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

/**
 * One relationship of a viewer to an author. `flag`: whether boosts are shown (follow, request) or notifications are muted (mute).
 * `since`: creation time of the follow, only for `followed_by`.
 */
interface Tie {
  viewer: string
  id: string
  kind: 'known' | 'following' | 'followed_by' | 'requested' | 'blocking' | 'blocked_by' | 'muting' | 'domain_blocking'
  flag: boolean | null
  since: Date | null
}

const relationshipFrom = (id: string, ties: readonly Tie[]): RelationshipRow => {
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

/** Relationships of one viewer, one row per author. Authors that do not exist have no `known` row and are left out. */
const relationshipsFrom = (ties: readonly Tie[]): RelationshipRow[] =>
  [...Map.groupBy(ties, (tie) => tie.id)].flatMap(([id, own]) =>
    own.some((tie) => tie.kind === 'known') ? [relationshipFrom(id, own)] : [],
  )

/**
 * Relationships of each viewer to its authors. Authors that do not exist are left out.
 * Because every timeline needs relationships, the query reads only existing rows: one index look-up per kind and pair.
 */
export const relationshipsOfViewers = async (
  db: Reader,
  targetsByViewer: Readonly<Record<string, readonly string[]>>,
  at: Date,
): Promise<Map<string, RelationshipRow[]>> => {
  const pairs = Object.entries(targetsByViewer).flatMap(([viewer, authors]) =>
    authors.map((author) => [viewer, author] as const),
  )
  const tie = (kind: Tie['kind'], flag: Sql, since: Sql, from: Sql) =>
    sql`select pair.viewer, pair.author as id, ${kind}::text as kind, ${flag} as flag, ${since} as since from pair join ${from}`
  const none = sql`null::boolean`
  const never = sql`null::timestamptz`
  const ties = await db.rows<Tie>(sql`with pair as materialized (
      select * from unnest(${pairs.map(([viewer]) => viewer)}::bigint[], ${pairs.map(([, author]) => author)}::bigint[])
        as asked(viewer, author)
    )
    ${tie('known', none, never, sql`accounts t on t.id = pair.author`)}
    union all ${tie('following', sql`t.reblogs`, never, sql`follows t on t.account_id = pair.viewer and t.target_id = pair.author`)}
    union all ${tie('followed_by', none, sql`t.created_at`, sql`follows t on t.account_id = pair.author and t.target_id = pair.viewer`)}
    union all ${tie('requested', sql`t.reblogs`, never, sql`follow_requests t on t.account_id = pair.viewer and t.target_id = pair.author`)}
    union all ${tie('blocking', none, never, sql`blocks t on t.account_id = pair.viewer and t.target_id = pair.author`)}
    union all ${tie('blocked_by', none, never, sql`blocks t on t.account_id = pair.author and t.target_id = pair.viewer`)}
    union all ${tie(
      'muting',
      sql`t.notifications`,
      never,
      sql`mutes t on t.account_id = pair.viewer and t.target_id = pair.author and (t.expires_at is null or t.expires_at > ${at})`,
    )}
    union all ${tie(
      'domain_blocking',
      none,
      never,
      sql`accounts a on a.id = pair.author join domain_blocks t on t.account_id = pair.viewer and t.domain = a.domain`,
    )}`)
  return new Map([...Map.groupBy(ties, (one) => one.viewer)].map(([viewer, own]) => [viewer, relationshipsFrom(own)]))
}

/** Relationships of one viewer to several authors. */
export const relationshipsOfViewer = async (
  db: Reader,
  viewer: string,
  authors: readonly string[],
  at: Date,
): Promise<RelationshipRow[]> => (await relationshipsOfViewers(db, { [viewer]: authors }, at)).get(viewer) ?? []

/** Relationships of several viewers to one author. `id` is the viewer. */
export const relationshipsToAuthor = (
  db: Reader,
  author: string,
  viewers: readonly string[],
  at: Date,
): Promise<RelationshipRow[]> =>
  db.rows(sql`select ${columns} from unnest(${viewers}::bigint[]) as other(id)
    ${joins(sql`other.id`, sql`${author}::bigint`, at)}`)

/**
 * All fields of a Relationship, in the order of `ids`. Unconfirmed accounts are left out, suspended ones unless
 * `withSuspended`.
 */
export const relationsOfViewer = (
  db: Reader,
  viewer: string,
  ids: readonly string[],
  options: { at: Date; withSuspended: boolean },
): Promise<RelationRow[]> =>
  db.rows(sql`select ${columns},
      coalesce(f.notify, q.notify, false) as notifying, coalesce(f.languages, q.languages) as languages,
      f.created_at as following_since,
      m.expires_at as muting_expires_at, wish.id is not null as requested_by,
      e.account_id is not null as endorsed, coalesce(n.comment, '') as note
    from unnest(${ids}::bigint[]) with ordinality as other(id, place)
    ${joins(sql`${viewer}::bigint`, sql`other.id`, options.at)}
    left join follow_requests wish on wish.account_id = other.id and wish.target_id = ${viewer}
    left join endorsements e on e.account_id = ${viewer} and e.target_id = other.id
    left join notes n on n.account_id = ${viewer} and n.target_id = other.id
    left join users u on u.account_id = other.id
    where (author.domain is not null or (u.confirmed_at is not null and u.approved))
      and (${options.withSuspended} or author.suspended_at is null)
    order by other.place`)
