/** SQL of the full-text index of statuses: storing rows, and finding the ids that a viewer may find, newest first. */
import { type Database, phraseText, type Reader, type Sql, sql, type Tx, unprepared, vectorText } from '@murmuration/db'

export interface Indexed {
  id: string
  /** Revision of the status when its text was read. If the status has another revision, the terms are stale. */
  rev: number
  /** Terms in order, as `indexTerms` returns them. */
  terms: readonly string[]
  marks: readonly string[]
}

/** Copies the current visibility of statuses into the index. The indexed terms stay. */
export const alignVisibility = async (tx: Tx, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  await tx.run(sql`update status_search i set visibility = s.visibility
    from unnest(${ids}::bigint[]) as wanted(id) cross join lateral (select visibility from statuses where id = wanted.id) s
    where i.status_id = wanted.id and i.visibility <> s.visibility`)
}

/**
 * Stores the terms of statuses in the search index if the revision of the status is still `rev`. Returns the ids that
 * were stored.
 */
export const indexSearchText = async (db: Reader, all: readonly Indexed[]): Promise<Set<string>> => {
  if (all.length === 0) return new Set()
  // Marks (properties such as language and hashtags) are passed as JSON, because nested SQL arrays must all have the
  // same length. Rows are locked in order of ids.
  const rows = await db.rows<{
    status_id: string
  }>(sql`insert into status_search (status_id, author_id, visibility, words)
    select held.id, held.author_id, held.visibility, given.words::tsvector
      || array_to_tsvector(array(select jsonb_array_elements_text(given.marks)))
    from unnest(${all.map((one) => one.id)}::bigint[], ${all.map((one) => one.rev)}::int[],
      ${all.map((one) => vectorText(one.terms))}::text[], ${all.map((one) => JSON.stringify(one.marks))}::jsonb[])
      as given(id, rev, words, marks)
    cross join lateral (select s.id, s.author_id, s.visibility from statuses s
      where s.id = given.id and s.rev = given.rev and s.deleted_at is null for share) held
    order by held.id
    on conflict (status_id) do update set words = excluded.words, visibility = excluded.visibility returning status_id`)
  return new Set(rows.map((row) => row.status_id))
}

/** Removes statuses from the full-text index. */
export const unindexSearchText = (tx: Tx, ids: readonly string[]): Promise<number> =>
  tx.run(sql`delete from status_search where status_id = any(${ids}::bigint[])`)

export interface StatusQuery {
  viewer: string
  /** `earlier`: the terms as the previous index format stores them, for statuses that still have that format. */
  phrases: readonly { words: string; earlier?: string; not: boolean }[]
  marks: readonly { mark: string; not: boolean }[]
  embeds: readonly boolean[]
  authors: readonly { id: string; not: boolean }[]
  /** Range of status ids: `from` is included, `to` is excluded. With `not`, all ids outside the range match. */
  spans: readonly { from: string; to: string; not: boolean }[]
  scope: 'all' | 'library' | 'public'
  maxId: string | null
  minId: string | null
  limit: number
  offset: number
}

const both = (parts: readonly Sql[], join: Sql): Sql =>
  parts.reduce((joined, part, i) => (i === 0 ? part : sql`${joined} ${join} ${part}`), sql``)
const unless = (not: boolean, part: Sql): Sql => (not ? sql`(!! ${part})` : part)

/** Text of a `tsquery` that matches a phrase in the current or in the previous index format. */
const eitherForm = ({ words, earlier }: StatusQuery['phrases'][number]): string =>
  [words, ...(earlier ? [earlier] : [])].map((form) => phraseText(form.split(' '))).join(' | ')

/**
 * Condition on the indexed terms, as one tsquery. All values are parameters; the database quotes marks, which may
 * contain any character.
 */
const wordConditions = (query: StatusQuery): Sql[] => {
  const parts = [
    ...query.phrases.map((one) => unless(one.not, sql`${eitherForm(one)}::text::tsquery`)),
    ...query.marks.map((one) => unless(one.not, sql`quote_literal(${one.mark}::text)::tsquery`)),
  ]
  return parts.length ? [sql`i.words @@ (${both(parts, sql`&&`)})`] : []
}

/** Condition: the viewer wrote, favourited, boosted, bookmarked or voted in the status, or is mentioned in it. */
const library = (viewer: string): Sql => sql`(i.author_id = ${viewer}::bigint
  or exists (select 1 from mentions m where m.status_id = i.status_id and m.account_id = ${viewer}::bigint)
  or exists (select 1 from favourites f where f.account_id = ${viewer}::bigint and f.status_id = i.status_id)
  or exists (select 1 from bookmarks b where b.account_id = ${viewer}::bigint and b.status_id = i.status_id)
  or exists (select 1 from reblogs r where r.account_id = ${viewer}::bigint and r.status_id = i.status_id)
  or exists (select 1 from polls p join poll_votes v on v.poll_id = p.id
    where p.status_id = i.status_id and v.account_id = ${viewer}::bigint))`

/**
 * The same statuses as `library`, as a set of ids. For searches in the library only: most libraries are smaller than
 * the matches of a word.
 */
const fromLibrary = (viewer: string): Sql => sql`i.status_id in (
  select o.status_id from status_search o where o.author_id = ${viewer}::bigint
  union all select m.status_id from mentions m where m.account_id = ${viewer}::bigint
  union all select f.status_id from favourites f where f.account_id = ${viewer}::bigint
  union all select b.status_id from bookmarks b where b.account_id = ${viewer}::bigint
  union all select r.status_id from reblogs r where r.account_id = ${viewer}::bigint
  union all select p.status_id from poll_votes v join polls p on p.id = v.poll_id where v.account_id = ${viewer}::bigint)`

/**
 * Condition: the status is public, and its author is indexable and not suspended. Authors without stored flags are
 * excluded.
 */
const open = sql`(i.visibility = 0 and coalesce((select a.indexable and not a.suspended from author_flags a
  where a.account_id = i.author_id), false))`

const found = ({ scope, viewer }: StatusQuery): Sql =>
  scope === 'library' ? fromLibrary(viewer) : scope === 'public' ? open : sql`(${open} or ${library(viewer)})`

const conditions = (query: StatusQuery): Sql[] => [
  ...wordConditions(query),
  ...query.authors.map((one) =>
    one.not ? sql`i.author_id <> ${one.id}::bigint` : sql`i.author_id = ${one.id}::bigint`,
  ),
  ...query.spans.map(({ from, to, not }) => {
    const within = sql`(i.status_id >= ${from}::bigint and i.status_id < ${to}::bigint)`
    return not ? sql`not ${within}` : within
  }),
  ...query.embeds.map((has) => {
    const player = sql`exists (select 1 from status_previews sp join previews p on p.id = sp.preview_id
      where sp.status_id = i.status_id and p.html <> '')`
    return has ? player : sql`not ${player}`
  }),
  ...(query.maxId === null ? [] : [sql`i.status_id < ${query.maxId}::bigint`]),
  ...(query.minId === null ? [] : [sql`i.status_id > ${query.minId}::bigint`]),
  found(query),
]

/** Ids of the statuses that match a search, newest first. */
export const findIds = async (db: Reader, query: StatusQuery): Promise<string[]> => {
  const rows = await db.rows<{ id: string }>(
    unprepared(sql`select i.status_id as id from status_search i
      where ${both(conditions(query), sql`and`)} order by i.status_id desc limit ${query.limit} offset ${query.offset}`),
  )
  return rows.map((row) => row.id)
}

/**
 * Like `findIds`, with a time limit in milliseconds, after which the database cancels the statement. The statement is
 * planned for these terms, because a generic plan would read all statuses for rare words.
 */
export const findIdsInTime = async (tx: Tx, query: StatusQuery, ms: number): Promise<string[]> => {
  await tx.run(sql`select set_config('statement_timeout', ${String(ms)}, true),
    set_config('plan_cache_mode', 'force_custom_plan', true)`)
  return findIds(tx, query)
}

/**
 * True if older statuses still must be indexed: a backlog of the search index exists, and its start time has passed.
 */
export const isIndexIncomplete = (db: Database, at: Date): Promise<boolean> =>
  db.exists(sql`select 1 from status_search_backlog where starts_at <= ${at}`)

/**
 * The statuses that a backlog of the search index must index next, newest first. Returns null if no backlog is due, or
 * another process has locked the due one.
 */
export const nextOlder = async (
  tx: Tx,
  at: Date,
  limit: number,
): Promise<{ backlog: number; ids: string[] } | null> => {
  const due = await tx.row<{ id: number; below: string }>(sql`select id, below from status_search_backlog
    where starts_at <= ${at} order by id for update skip locked limit 1`)
  if (!due) return null
  const rows = await tx.rows<{ id: string }>(sql`select id from statuses where id < ${due.below}::bigint
    and deleted_at is null and reblog_of_id is null order by id desc limit ${limit}`)
  return { backlog: due.id, ids: rows.map((row) => row.id) }
}

/**
 * Stores the status id below which the backlog of the search index continues. Null deletes the backlog, because all its
 * statuses are indexed.
 */
export const markOlder = (tx: Tx, backlog: number, below: string | null): Promise<number> =>
  below === null
    ? tx.run(sql`delete from status_search_backlog where id = ${backlog}`)
    : tx.run(sql`update status_search_backlog set below = ${below} where id = ${backlog}`)
