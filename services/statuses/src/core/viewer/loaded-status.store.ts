/**
 * SQL that loads statuses for one viewer: fixed columns, current counters and flags, and viewer state. A whole page
 * needs one query.
 */
import { bigints, name, type Reader, sql } from '@murmuration/db'

/** Columns of a status that stay the same until its next revision. */
export interface RevisionColumns {
  id: string
  rev: number
  author_id: string
  local: boolean
  uri: string
  visibility: number
  reblog_of_id: string | null
  reblog_of_author_id: string | null
  in_reply_to_id: string | null
  in_reply_to_author_id: string | null
  in_reply_to_account_id: string | null
  /** The status is a reply, even if its parent is unknown. */
  is_reply: boolean
  listed: boolean
  conversation_id: string
  media_ids: string[]
  tags: string[]
  poll_id: string | null
  sensitive: boolean
  language: string | null
  application: { name: string; website: string | null } | null
  /** Ids of all mentioned accounts, including silent mentions. */
  mentions: string[]
}

/** Counters and flags of a status that may change without a new revision, equal for every viewer. */
export interface CurrentState {
  id: string
  rev: number
  quote_policy: number
  /** True if the parent of the reply was deleted. */
  parent_gone: boolean
  /** True if the account that the status replies to was a remote one, and was deleted. */
  replied_to_gone: boolean
  /** True if the status quotes another one. The quote itself is in the table `quotes`. */
  has_quote: boolean
  /** Preview card of the status's link, and the link as written. */
  preview_id: string | null
  preview_url: string | null
  replies: number
  reblogs: number
  favourites: number
  quotes: number
  /** Number of emoji reactions to the status. */
  reactions: number
  /** Flags of the author; null if no flags are stored. */
  suspended: boolean | null
  silenced: boolean | null
  sensitized: boolean | null
  domain: string | null
  shows_application: boolean | null
}

/** Viewer state of a status: favourite, boost, bookmark, pin, mute and filters of the viewer. */
export interface ViewerState {
  favourited: boolean
  reblogged: boolean
  bookmarked: boolean
  muted: boolean
  pinned: boolean
  /** Revision of the viewer's filters, equal in every row; null if the viewer has none. */
  filter_rev: string | null
}

/** A status as loaded for one viewer: columns, counters and viewer state. */
export type LoadedStatus = RevisionColumns & CurrentState & ViewerState

/** State that is equal for all statuses of an author, as the author sees them. */
export type AuthorState = Pick<
  CurrentState & ViewerState,
  'suspended' | 'silenced' | 'sensitized' | 'domain' | 'shows_application' | 'filter_rev'
>

const columns = sql`s.id, s.rev, s.author_id, s.local, s.uri, s.visibility, s.reblog_of_id, s.reblog_of_author_id, s.in_reply_to_id,
  s.in_reply_to_author_id, s.in_reply_to_account_id,
  (s.in_reply_to_account_id is not null or s.in_reply_to_uri is not null) as is_reply, s.listed, s.tags, s.conversation_id, s.media_ids, s.poll_id, s.sensitive, s.language, s.application, s.quote_policy, s.has_quote, s.preview_id, s.preview_url`

/**
 * Columns with the author's flags and the counters. If the server of a remote status stated a larger
 * number of favourites or boosts than is stored here, that number is used.
 */
const beside = sql`a.suspended, a.silenced, a.sensitized, a.domain, a.shows_application,
      coalesce(c.replies, 0) as replies, greatest(c.reblogs, c.told_reblogs, 0) as reblogs,
      greatest(c.favourites, c.told_favourites, 0) as favourites,
      coalesce(c.quotes, 0) as quotes, coalesce(c.reactions, 0) as reactions`

/** Column: whether the parent of `e` was deleted or has no row. The condition on `p.id` limits the search to the partition of that id. */
const parentGone = sql`e.in_reply_to_id is not null and
      not exists (select 1 from statuses p where p.id = e.in_reply_to_id and p.deleted_at is null) as parent_gone`

/** Column: whether the account `r` that `e` replies to was a remote one, and was deleted (see `deleteAuthor`). */
const repliedToGone = sql`coalesce(not r.local and r.suspended and r.rev = 9223372036854775807, false) as replied_to_gone`
const joinRepliedTo = sql`left join author_flags r on r.account_id = e.in_reply_to_account_id`

const noViewerState = sql`false as favourited, false as reblogged, false as bookmarked, false as muted, false as pinned,
  null::bigint as filter_rev`

/** Columns with the state of a signed-in viewer for each status `e`. */
const viewerStateColumns = (viewer: string | null) =>
  viewer === null
    ? noViewerState
    : sql`exists (select 1 from favourites where account_id = ${viewer}::bigint and status_id = e.id) as favourited,
  exists (select 1 from reblogs where account_id = ${viewer}::bigint and status_id = e.id) as reblogged,
  exists (select 1 from bookmarks where account_id = ${viewer}::bigint and status_id = e.id) as bookmarked,
  exists (select 1 from conversation_mutes where account_id = ${viewer}::bigint and conversation_id = e.conversation_id) as muted,
  exists (select 1 from pins where account_id = ${viewer}::bigint and status_id = e.id) as pinned,
  (select rev from filter_sets where account_id = ${viewer}::bigint) as filter_rev`

/** These statuses by id, and the originals that they boost. Deleted and unknown statuses are missing. */
export const loadStatuses = async (
  db: Reader,
  viewer: string | null,
  ids: readonly string[],
): Promise<Map<string, LoadedStatus>> => {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<LoadedStatus>(sql`with asked as materialized (
      select s.* from unnest(${ids}::bigint[]) as wanted(id)
      cross join lateral (select ${columns} from statuses s where s.id = wanted.id and s.deleted_at is null) s
    ), every as (
      select * from asked
      union all
      select s.* from asked
      cross join lateral (select ${columns} from statuses s where s.id = asked.reblog_of_id and s.deleted_at is null) s
    )
    select e.*, ${beside}, ${parentGone}, ${repliedToGone},
      array(select account_id from mentions where status_id = e.id) as mentions, ${viewerStateColumns(viewer)}
    from every e
    left join author_flags a on a.account_id = e.author_id
    ${joinRepliedTo}
    left join status_stats c on c.status_id = e.id`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** One kind of viewer state, for the pairs of viewer and status in `pair`. */
const viewerStatePairs = (kind: keyof ViewerState, table: 'favourites' | 'reblogs' | 'bookmarks' | 'pins') => sql`
  select pair.viewer, pair.id, ${kind}::text as kind from pair
  join ${name(table)} t on t.account_id = pair.viewer and t.status_id = pair.id`

/** A page of statuses whose revision columns are cached. `viewer`: account id; null for anonymous. */
export interface CachedPageIds {
  viewer: string | null
  known: readonly Pick<RevisionColumns, 'id' | 'conversation_id'>[]
}

export interface CurrentStateRow extends CurrentState {
  /** State of this status by viewer; null if no viewer of the query has a favourite, boost or other state for it. */
  marks: [viewer: string, kind: keyof ViewerState][] | null
  /** Revision of the filters by viewer, equal in every row; null if no viewer of the query has filters. */
  filters: Record<string, string> | null
}

/**
 * Current state of statuses whose revision columns are cached, for several pages in one query. Deleted statuses are missing.
 * Because viewer state is rare, only existing state is returned.
 */
export const currentStateOf = async (db: Reader, pages: readonly CachedPageIds[]): Promise<CurrentStateRow[]> => {
  const ids = [...new Set(pages.flatMap(({ known }) => known.map((one) => one.id)))]
  if (ids.length === 0) return []
  const pairs = pages.flatMap(({ viewer, known }) => (viewer === null ? [] : known.map((one) => ({ viewer, ...one }))))
  const viewers = [...new Set(pairs.map((one) => one.viewer))]
  const marks = sql`left join (
      with pair as materialized (
        select distinct * from unnest(${pairs.map((one) => one.viewer)}::bigint[], ${pairs.map((one) => one.id)}::bigint[],
          ${pairs.map((one) => one.conversation_id)}::bigint[]) as asked(viewer, id, conversation)
      )
      select id, json_agg(json_build_array(viewer::text, kind)) as marks from (
        ${viewerStatePairs('favourited', 'favourites')} union all ${viewerStatePairs('reblogged', 'reblogs')}
        union all ${viewerStatePairs('bookmarked', 'bookmarks')} union all ${viewerStatePairs('pinned', 'pins')}
        union all select pair.viewer, pair.id, 'muted' from pair
          join conversation_mutes t on t.account_id = pair.viewer and t.conversation_id = pair.conversation
      ) as done group by id
    ) d on d.id = e.id`
  const columns = viewers.length
    ? sql`d.marks, (select json_object_agg(account_id, rev::text) from filter_sets
        where account_id = any(${bigints(viewers)})) as filters`
    : sql`null as marks, null as filters`
  return db.rows<CurrentStateRow>(sql`select e.id, e.rev, e.quote_policy, e.has_quote, e.preview_id, e.preview_url, ${beside}, ${parentGone}, ${repliedToGone}, ${columns}
    from unnest(${ids}::bigint[]) as wanted(id)
    cross join lateral (select id, rev, author_id, conversation_id, in_reply_to_id, in_reply_to_account_id, quote_policy, has_quote, preview_id,
        preview_url from statuses s
      where s.id = wanted.id and s.deleted_at is null) e
    left join author_flags a on a.account_id = e.author_id
    ${joinRepliedTo}
    left join status_stats c on c.status_id = e.id
    ${viewers.length ? marks : sql``}`)
}
