/** SQL of timelines that are read from rows: public, hashtag and account. Each query reads one index backwards. */
import { type Cursor, isAscending, keyset, newestFirst, type Reader, type Sql, sql } from '@murmuration/db'
import { visibleTo } from '../core/visibility/store.js'

export interface PublicFilter {
  local: boolean
  remote: boolean
  onlyMedia: boolean
  /** Languages of the statuses; null for every language. Statuses without a language are always included. */
  languages: readonly string[] | null
}

const ids = async (db: Reader, query: Sql, page: Cursor): Promise<string[]> =>
  newestFirst(await db.rows<{ id: string }>(query), page).map((row) => row.id)

const ofSources = ({ local, remote }: Pick<PublicFilter, 'local' | 'remote'>): Sql =>
  local && remote ? sql`` : local ? sql`and s.local` : sql`and not s.local`

/** Condition: the author is not limited or suspended. Blocked authors are removed later, by the rules. */
const unlimited = sql`not exists (select 1 from author_flags a where a.account_id = s.author_id and (a.silenced or a.suspended))`

/** Public statuses, without boosts and without replies to other authors. */
export const publicIds = (db: Reader, filter: PublicFilter, page: Cursor): Promise<string[]> =>
  ids(
    db,
    sql`select s.id from statuses s where s.deleted_at is null and s.listed ${ofSources(filter)}
      ${filter.onlyMedia ? sql`and s.has_media` : sql``}
      ${filter.languages === null ? sql`` : sql`and (s.language is null or s.language = any(${filter.languages}::text[]))`}
      and ${unlimited} ${keyset(sql`s.id`, page)}`,
    page,
  )

export interface TagFilter extends Omit<PublicFilter, 'languages'> {
  /** Tag ids: a status must have at least one of `any`, each of `all`, and none of `none`. */
  any: readonly string[]
  all: readonly string[]
  none: readonly string[]
}

/** Public statuses with hashtags, including replies. */
export const tagIdsPage = (db: Reader, filter: TagFilter, page: Cursor): Promise<string[]> => {
  const carries = (tag: Sql): Sql =>
    sql`exists (select 1 from status_tags o where o.status_id = s.id and o.tag_id = ${tag})`
  const order = isAscending(page) ? sql`asc` : sql`desc`
  return ids(
    db,
    sql`select distinct one.id from unnest(${filter.any}::bigint[]) as tag(id)
      cross join lateral (
        select st.status_id as id from status_tags st
        cross join lateral (select s.* from statuses s where s.id = st.status_id and s.deleted_at is null
          and s.visibility = 0 and s.reblog_of_id is null ${ofSources(filter)}
          ${filter.onlyMedia ? sql`and s.has_media` : sql``} and ${unlimited}) s
        where st.tag_id = tag.id
          and not exists (select 1 from unnest(${filter.all}::bigint[]) as needed(id) where not ${carries(sql`needed.id`)})
          and not exists (select 1 from unnest(${filter.none}::bigint[]) as unwanted(id) where ${carries(sql`unwanted.id`)})
          ${keyset(sql`st.status_id`, page)}
      ) one order by one.id ${order} limit ${page.limit}`,
    page,
  )
}

export interface AccountFilter {
  onlyMedia: boolean
  excludeReplies: boolean
  excludeReblogs: boolean
  excludeDirect: boolean
  /** Id of a tag; null for all statuses. */
  tag: string | null
  /** True if the viewer follows the author. */
  followed: boolean
}

const ofAccount = (author: string, viewer: string | null, filter: AccountFilter): Sql =>
  sql`s.author_id = ${author}::bigint and s.deleted_at is null and ${visibleTo(viewer, filter.followed ? [author] : [])}
    ${filter.onlyMedia ? sql`and s.has_media` : sql``}
    ${filter.excludeReplies ? sql`and ((s.in_reply_to_account_id is null and s.in_reply_to_uri is null) or s.in_reply_to_account_id = s.author_id)` : sql``}
    ${filter.excludeReblogs ? sql`and s.reblog_of_id is null` : sql``}
    ${filter.excludeDirect ? sql`and s.visibility < 3` : sql``}
    ${filter.tag === null ? sql`` : sql`and exists (select 1 from status_tags st where st.status_id = s.id and st.tag_id = ${filter.tag}::bigint)`}`

/** Ids of the visible statuses and boosts of an account. */
export const accountIds = (
  db: Reader,
  author: string,
  viewer: string | null,
  filter: AccountFilter,
  page: Cursor,
): Promise<string[]> =>
  ids(db, sql`select s.id from statuses s where ${ofAccount(author, viewer, filter)} ${keyset(sql`s.id`, page)}`, page)

/** Ids of the pinned statuses of an account, latest pin first. The limits of the page are status ids. */
export const pinnedIds = async (
  db: Reader,
  author: string,
  viewer: string | null,
  filter: AccountFilter,
  page: Cursor,
): Promise<string[]> => {
  const floor = page.min_id ?? page.since_id
  const rows = await db.rows<{ id: string }>(sql`select s.id from pins p
    cross join lateral (select s.* from statuses s where s.id = p.status_id) s
    where p.account_id = ${author} and ${ofAccount(author, viewer, filter)}
      and s.id < ${page.max_id ?? '9223372036854775807'}::bigint and s.id > ${floor ?? '0'}::bigint
    order by p.id desc limit ${page.limit}`)
  return rows.map((row) => row.id)
}

/** Ids of the public and unlisted statuses and boosts of an author, for the outbox. */
export const outboxIds = (db: Reader, author: string, page: Cursor): Promise<string[]> =>
  ids(
    db,
    sql`select s.id from statuses s where s.author_id = ${author}::bigint and s.deleted_at is null
      and ${visibleTo(null)} ${keyset(sql`s.id`, page)}`,
    page,
  )

export const outboxTotal = async (db: Reader, author: string): Promise<number> =>
  (
    await db.row<{ n: number }>(sql`select count(*)::int as n from statuses s
      where s.author_id = ${author} and s.deleted_at is null and ${visibleTo(null)}`)
  )?.n ?? 0
