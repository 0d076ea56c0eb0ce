/** SQL of trends: scores, computed every few minutes, and decisions of staff. */
import { type Reader, type Sql, sql, type Tx } from '@murmuration/db'
import { TREND_KINDS, type TrendKind } from './rules.js'

export interface TrendRow {
  id: string
  score: number
  top_score: number
  top_at: Date
  language: string | null
  author_id: string | null
  allowed: boolean | null
}

const numberOf = (kind: TrendKind): number => TREND_KINDS.indexOf(kind)

/**
 * Serialises scoring and decisions with a lock until the transaction ends, so that neither overwrites the other with
 * old data.
 */
export const lockTrends = (tx: Tx): Promise<number> =>
  tx.run(sql`select pg_advisory_xact_lock(hashtext('statuses trends'))`)

/** Replaces all stored trends of one kind: hashtags, links or statuses. */
export const putTrends = async (tx: Tx, kind: TrendKind, rows: readonly TrendRow[]): Promise<void> => {
  const of = <K extends keyof TrendRow>(key: K) => rows.map((row) => row[key])
  await tx.run(sql`delete from trends where kind = ${numberOf(kind)} and id <> all(${of('id')}::bigint[])`)
  await tx.run(sql`insert into trends (kind, id, score, top_score, top_at, language, author_id, allowed)
    select ${numberOf(kind)}::smallint, * from unnest(${of('id')}::bigint[], ${of('score')}::float8[],
      ${of('top_score')}::float8[], ${of('top_at')}::timestamptz[], ${of('language')}::text[],
      ${of('author_id')}::bigint[], ${of('allowed')}::boolean[])
    order by 2 on conflict (kind, id) do update set score = excluded.score, top_score = excluded.top_score,
      top_at = excluded.top_at, language = excluded.language, allowed = excluded.allowed`)
}

/** SQL condition: trends that the public sees, or those that staff can review. */
const shown = (kind: TrendKind, allowed: 'any' | { byDefault: boolean }): Sql =>
  sql`kind = ${numberOf(kind)} and score > 0 ${
    allowed === 'any' ? sql`` : sql`and coalesce(allowed, ${allowed.byDefault}::boolean)`
  }`

export interface TrendPage {
  allowed: 'any' | { byDefault: boolean }
  /** Languages of the viewer. Trends in these languages come first. */
  languages: readonly string[]
  /** Ids of authors whose statuses are omitted from the page. */
  without: readonly string[]
  limit: number
  offset: number
}

/** A page of trend ids, highest score first. */
export const trendIds = async (db: Reader, kind: TrendKind, page: TrendPage): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`select id from trends where ${shown(kind, page.allowed)}
      and (author_id is null or author_id <> all(${page.without}::bigint[]))
      order by coalesce(language = any(${page.languages}::text[]), false) desc, score desc, id desc
      limit ${page.limit} offset ${page.offset}`)
  ).map((row) => row.id)

/** Ids of the authors of trending statuses. */
export const trendAuthors = async (db: Reader, byDefault: boolean): Promise<string[]> =>
  (
    await db.rows<{ author_id: string }>(sql`select distinct author_id from trends
      where ${shown('status', { byDefault })} and author_id is not null`)
  ).map((row) => row.author_id)

/**
 * Rank down to which staff receives a review request: a trend without a decision that would be among the first three
 * approved ones. Links and statuses are ranked per language.
 */
const REVIEW_ABOVE_RANK = 3

/**
 * Marks undecided trends that staff must review. Returns the kinds of the marked trends, one entry per trend. Empty if
 * the last review request is later than `pauseSince`.
 */
export const takeReviewable = async (tx: Tx, at: Date, pauseSince: Date): Promise<TrendKind[]> =>
  (
    await tx.rows<{ kind: number }>(sql`update trends set asked_at = ${at}
      where asked_at is null and allowed is null
        and not exists (select 1 from trends other where other.asked_at > ${pauseSince}) and score > coalesce((select best.score from trends best
        where best.kind = trends.kind and best.score > 0 and best.allowed
          and (best.kind = 0 or best.language is not distinct from trends.language)
        order by best.score desc offset ${REVIEW_ABOVE_RANK - 1} limit 1), 0)
      returning kind`)
  ).flatMap((row) => TREND_KINDS[row.kind] ?? [])

/** Decision of staff about a tag, link or status; `trendable` is null before a review. */
export interface Review {
  id: string
  trendable: boolean | null
  usable: boolean
  listable: boolean
  reviewed: boolean
}

const REVIEWED: Record<TrendKind, Sql> = {
  tag: sql`select id, trendable, usable, listable, reviewed_at is not null as reviewed from tags where`,
  link: sql`select id, trendable, true as usable, true as listable,
    trendable is not null or exists (select 1 from trends t where t.kind = 1 and t.id = previews.id
      and t.allowed is not null) as reviewed from previews where`,
  status: sql`select id, trendable, true as usable, true as listable, trendable is not null as reviewed
    from statuses where deleted_at is null and`,
}

export const reviewsOf = async (db: Reader, kind: TrendKind, ids: readonly string[]): Promise<Map<string, Review>> => {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<Review>(sql`${REVIEWED[kind]} id = any(${ids}::bigint[])`)
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Stores one decision of staff about several items. Returns the number of items that exist, and of those that have a
 * score.
 */
export const reviewAll = async (
  tx: Tx,
  kind: TrendKind,
  ids: readonly string[],
  trendable: boolean,
  at: Date,
): Promise<{ stored: number; scored: number }> => {
  const these = sql`id = any(${ids}::bigint[])`
  const decided: Record<TrendKind, Sql> = {
    tag: sql`update tags set trendable = ${trendable}, reviewed_at = ${at} where ${these}`,
    link: sql`update previews set trendable = ${trendable} where ${these}`,
    status: sql`update statuses set trendable = ${trendable} where ${these} and deleted_at is null`,
  }
  const stored = await tx.run(decided[kind])
  if (stored === 0) return { stored, scored: 0 }
  const scored = await tx.run(sql`update trends set allowed = ${trendable} where kind = ${numberOf(kind)} and ${these}`)
  return { stored, scored }
}

/**
 * Stores a decision of staff about one item.
 * @returns null if the item is unknown; `unscored` if it has no score yet
 */
export const review = async (
  tx: Tx,
  kind: TrendKind,
  id: string,
  trendable: boolean,
  at: Date,
): Promise<'scored' | 'unscored' | null> => {
  const { stored, scored } = await reviewAll(tx, kind, [id], trendable, at)
  if (stored === 0) return null
  return scored > 0 ? 'scored' : 'unscored'
}

/** Ids of all trends for review, decided or not, highest score first. */
export const trendsForReview = async (
  db: Reader,
  kind: TrendKind,
  page: { limit: number; offset: number },
): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`select id from trends where ${shown(kind, 'any')}
      order by score desc, id desc limit ${page.limit} offset ${page.offset}`)
  ).map((row) => row.id)

/** Ids of trends without a decision, highest score first. */
export const undecidedTrendIds = async (db: Reader, kind: TrendKind, limit: number): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`select id from trends where ${shown(kind, 'any')} and allowed is null
      order by score desc, id desc limit ${limit}`)
  ).map((row) => row.id)

/** Sets the decision for trending links of a domain and its subdomains that have no decision of their own. */
export const allowLinksOf = (tx: Tx, domain: string, trendable: boolean | null): Promise<number> =>
  tx.run(sql`update trends set allowed = ${trendable} from previews p
    where trends.kind = 1 and trends.id = p.id and p.trendable is null
      and (substring(p.url from '^https?://([^/:?#]+)') = ${domain}
        or right(substring(p.url from '^https?://([^/:?#]+)'), length(${domain}) + 1) = '.' || ${domain})`)

/** Deletes an item from the trends at once. */
export const removeTrend = (tx: Tx, kind: TrendKind, id: string): Promise<number> =>
  tx.run(sql`delete from trends where kind = ${numberOf(kind)} and id = ${id}`)
