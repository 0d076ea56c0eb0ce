/** SQL of annual reports and of the counts they contain. */
import type { AnnualReportData } from '@murmuration/contracts/entities'
import { type Reader, type Sql, sql, type Tx } from '@murmuration/db'
import type { YearCounts } from './rules.js'

export interface AnnualReportRow {
  id: string
  account_id: string
  year: number
  data: AnnualReportData | null
  requested_at: Date
}

/** Range of snowflake ids: `from` included, `to` excluded. */
export interface YearIds {
  from: string
  to: string
}

const columns = sql`id, account_id, year, data, requested_at`
/** Maximum number of statuses that one report reads, newest first. */
const MAX_STATUSES = 200_000
const TOP_TAGS = 5

export const reportOf = (db: Reader, account: string, year: number): Promise<AnnualReportRow | null> =>
  db.row(sql`select ${columns} from annual_reports where account_id = ${account} and year = ${year}`)

/** Finished reports that are not marked as read, newest year first. */
export const unreadReports = (db: Reader, account: string): Promise<AnnualReportRow[]> =>
  db.rows(sql`select ${columns} from annual_reports
    where account_id = ${account} and data is not null and read_at is null order by year desc`)

/**
 * Records a request for a report. Returns false if the report is finished or if it was requested at `stale` or later,
 * so that it may still be in progress.
 */
export const requestReport = async (
  tx: Tx,
  { id, account, year, at, stale }: { id: string; account: string; year: number; at: Date; stale: Date },
): Promise<boolean> =>
  (await tx.run(sql`insert into annual_reports (id, account_id, year, requested_at)
      values (${id}, ${account}, ${year}, ${at})
    on conflict (account_id, year) do update set requested_at = excluded.requested_at
      where annual_reports.data is null and annual_reports.requested_at < ${stale}`)) > 0

/**
 * Stores the data of a requested report. Returns the report id, or null if the report is missing or already finished.
 */
export const finishReport = async (
  tx: Tx,
  account: string,
  year: number,
  data: AnnualReportData,
): Promise<string | null> =>
  (
    await tx.row<{ id: string }>(sql`update annual_reports set data = ${JSON.stringify(data)}::jsonb
      where account_id = ${account} and year = ${year} and data is null returning id`)
  )?.id ?? null

/** Marks a report as read. Returns false if there is no finished report. */
export const markReportRead = async (db: Reader, account: string, year: number, at: Date): Promise<boolean> =>
  (await db.run(sql`update annual_reports set read_at = coalesce(read_at, ${at})
    where account_id = ${account} and year = ${year} and data is not null`)) > 0

export const eraseReportsOf = (tx: Tx, account: string): Promise<number> =>
  tx.run(sql`delete from annual_reports where account_id = ${account}`)

/** Whether an author posted or boosted a status in a range of ids. Direct statuses do not count. */
export const hasPostedIn = async (db: Reader, author: string, { from, to }: YearIds): Promise<boolean> =>
  (await db.row(sql`select 1 from statuses where author_id = ${author} and deleted_at is null and visibility <= 2
    and id >= ${from} and id < ${to} limit 1`)) !== null

const yearOf = (author: string, { from, to }: YearIds): Sql => sql`(select id, visibility, reblog_of_id,
    in_reply_to_id, poll_id, tags from statuses
  where author_id = ${author} and deleted_at is null and visibility <= 2 and id >= ${from} and id < ${to}
  order by id desc limit ${MAX_STATUSES}) s`

export const countYear = async (db: Reader, author: string, ids: YearIds): Promise<YearCounts> =>
  (await db.row<YearCounts>(sql`select count(*)::int as statuses,
      count(s.reblog_of_id)::int as reblogs, count(s.in_reply_to_id)::int as replies, count(s.poll_id)::int as polls
    from ${yearOf(author, ids)}`)) ?? { statuses: 0, reblogs: 0, replies: 0, polls: 0 }

/** The hashtags that an author's public and unlisted statuses of a year have most often, in their usual spelling. */
export const topTags = (db: Reader, author: string, ids: YearIds): Promise<{ name: string; count: number }[]> =>
  db.rows(sql`with used as (select tag, count(*)::int as count
      from ${yearOf(author, ids)}, unnest(s.tags) as tag where s.visibility <= 1 and s.reblog_of_id is null
      group by tag order by count desc, tag limit ${TOP_TAGS})
    select coalesce(t.display, used.tag) as name, used.count from used left join tags t on t.name = used.tag
    order by used.count desc, used.tag`)

export interface TopStatuses {
  by_reblogs: string | null
  by_favourites: string | null
  by_replies: string | null
}

/**
 * Ids of the public or unlisted statuses with the most boosts, favourites and replies. These are three different
 * statuses. The most boosted status is excluded from the other two ranks, and the most favourited one from the rank by
 * replies.
 */
export const topStatuses = async (db: Reader, author: string, ids: YearIds): Promise<TopStatuses> =>
  (await db.row<TopStatuses>(sql`with own as materialized (select s.id, n.reblogs, n.favourites, n.replies
      from ${yearOf(author, ids)} join status_stats n on n.status_id = s.id
      where s.visibility <= 1 and s.reblog_of_id is null),
    reblogged as (select id from own where reblogs > 0 order by reblogs desc, id desc limit 1),
    favoured as (select id from own where favourites > 0 and id not in (select id from reblogged)
      order by favourites desc, id desc limit 1),
    answered as (select id from own where replies > 0
      and id not in (select id from reblogged union all select id from favoured)
      order by replies desc, id desc limit 1)
    select (select id from reblogged) as by_reblogs, (select id from favoured) as by_favourites,
      (select id from answered) as by_replies`)) ?? { by_reblogs: null, by_favourites: null, by_replies: null }
