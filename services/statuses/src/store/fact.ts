/** Facts of statuses: what a revision fixes, what counts now, what the viewer did. Read for a whole page in one query. */
import { name, type Reader, sql } from '@murmuration/db'

/** What a revision of a status fixes. */
export interface Fixed {
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
  /** Answers something, known or not. */
  is_reply: boolean
  listed: boolean
  conversation_id: string
  media_ids: string[]
  tags: string[]
  poll_id: string | null
  sensitive: boolean
  language: string | null
  application: { name: string; website: string | null } | null
  /** Everyone mentioned, silently too. */
  mentions: string[]
}

/** What may change at any moment, or depends on the viewer. */
export interface Fresh {
  id: string
  rev: number
  quote_policy: number
  /** Quotes another status; how, stands in the rows of quotes. */
  has_quote: boolean
  /** Of its link, with the link as it is written. */
  preview_id: string | null
  preview_url: string | null
  replies: number
  reblogs: number
  favourites: number
  quotes: number
  /** Of the author; null when nothing is known. */
  suspended: boolean | null
  silenced: boolean | null
  sensitized: boolean | null
  domain: string | null
  shows_application: boolean | null
  favourited: boolean
  reblogged: boolean
  bookmarked: boolean
  muted: boolean
  pinned: boolean
  /** Revision of the viewer’s filters, the same in every row; null when they never made one. */
  filter_rev: string | null
}

export type Fact = Fixed & Fresh

const columns = sql`s.id, s.rev, s.author_id, s.local, s.uri, s.visibility, s.reblog_of_id, s.reblog_of_author_id, s.in_reply_to_id,
  s.in_reply_to_author_id, s.in_reply_to_account_id,
  (s.in_reply_to_account_id is not null or s.in_reply_to_uri is not null) as is_reply, s.listed, s.tags, s.conversation_id, s.media_ids, s.poll_id, s.sensitive, s.language, s.application, s.quote_policy, s.has_quote, s.preview_id, s.preview_url`

/** What stands beside a status and changes without it: the author’s flags, the counters; of remote statuses what their servers count, when that is more. */
const beside = sql`a.suspended, a.silenced, a.sensitized, a.domain, a.shows_application,
      coalesce(c.replies, 0) as replies, greatest(c.reblogs, c.told_reblogs, 0) as reblogs,
      greatest(c.favourites, c.told_favourites, 0) as favourites,
      coalesce(c.quotes, 0) as quotes`

const NOBODY = sql`false as favourited, false as reblogged, false as bookmarked, false as muted, false as pinned,
  null::bigint as filter_rev`

/** What a signed-in viewer did to each status `e`. */
const doneBy = (viewer: string | null) =>
  viewer === null
    ? NOBODY
    : sql`exists (select 1 from favourites where account_id = ${viewer}::bigint and status_id = e.id) as favourited,
  exists (select 1 from reblogs where account_id = ${viewer}::bigint and status_id = e.id) as reblogged,
  exists (select 1 from bookmarks where account_id = ${viewer}::bigint and status_id = e.id) as bookmarked,
  exists (select 1 from conversation_mutes where account_id = ${viewer}::bigint and conversation_id = e.conversation_id) as muted,
  exists (select 1 from pins where account_id = ${viewer}::bigint and status_id = e.id) as pinned,
  (select rev from filter_sets where account_id = ${viewer}::bigint) as filter_rev`

/** Facts by id, of these statuses and of the originals that they boost; what is deleted or unknown is absent. */
export const factsOf = async (
  db: Reader,
  viewer: string | null,
  ids: readonly string[],
): Promise<Map<string, Fact>> => {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<Fact>(sql`with asked as materialized (
      select s.* from unnest(${ids}::bigint[]) as wanted(id)
      cross join lateral (select ${columns} from statuses s where s.id = wanted.id and s.deleted_at is null) s
    ), every as (
      select * from asked
      union all
      select s.* from asked
      cross join lateral (select ${columns} from statuses s where s.id = asked.reblog_of_id and s.deleted_at is null) s
    )
    select e.*, ${beside},
      array(select account_id from mentions where status_id = e.id) as mentions, ${doneBy(viewer)}
    from every e
    left join author_flags a on a.account_id = e.author_id
    left join status_stats c on c.status_id = e.id`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** The same for a page whose ids and conversations are known: each kind of mark is looked up once, not once a status. */
const doneAmong = (viewer: string | null, ids: readonly string[], conversations: readonly string[]) => {
  if (viewer === null) return NOBODY
  const among = (table: 'favourites' | 'reblogs' | 'bookmarks' | 'pins') =>
    sql`e.id = any(array(select status_id from ${name(table)} where account_id = ${viewer}::bigint and status_id = any(${ids}::bigint[])))`
  return sql`${among('favourites')} as favourited, ${among('reblogs')} as reblogged, ${among('bookmarks')} as bookmarked,
  e.conversation_id = any(array(select conversation_id from conversation_mutes
    where account_id = ${viewer}::bigint and conversation_id = any(${conversations}::bigint[]))) as muted,
  ${among('pins')} as pinned, (select rev from filter_sets where account_id = ${viewer}::bigint) as filter_rev`
}

/** Only what may have changed of statuses whose fixed part is known; what was deleted meanwhile is absent. */
export const freshOf = async (
  db: Reader,
  viewer: string | null,
  known: readonly Pick<Fixed, 'id' | 'conversation_id'>[],
): Promise<Map<string, Fresh>> => {
  if (known.length === 0) return new Map()
  const ids = known.map((one) => one.id)
  const conversations = known.map((one) => one.conversation_id)
  const rows =
    await db.rows<Fresh>(sql`select e.id, e.rev, e.quote_policy, e.has_quote, e.preview_id, e.preview_url, ${beside},
      ${doneAmong(viewer, ids, conversations)}
    from unnest(${ids}::bigint[]) as wanted(id)
    cross join lateral (select id, rev, author_id, conversation_id, quote_policy, has_quote, preview_id, preview_url from statuses s
      where s.id = wanted.id and s.deleted_at is null) e
    left join author_flags a on a.account_id = e.author_id
    left join status_stats c on c.status_id = e.id`)
  return new Map(rows.map((row) => [row.id, row]))
}
