/** Stores reports. */
import { type Cursor, keyset, newestFirst, type Reader, type Sql, sql, type Tx } from '@murmuration/db'
import { idFloor } from '@murmuration/kernel'

export interface ReportRow {
  id: string
  uri: string | null
  account_id: string
  target_account_id: string
  /**
   * Domain of the reported account; empty for a local account, null in a row of an older release whose domain is not
   * looked up yet.
   */
  target_domain: string | null
  status_ids: string[]
  rule_ids: string[]
  collection_ids: string[]
  category: 'other' | 'spam' | 'legal' | 'violation'
  comment: string
  forwarded: boolean
  assigned_account_id: string | null
  action_taken_at: Date | null
  action_taken_by_account_id: string | null
  created_at: Date
  updated_at: Date
}

export const reportColumns = sql`id, uri, account_id, target_account_id, target_domain, status_ids, rule_ids, collection_ids, category, comment, forwarded,
  assigned_account_id, action_taken_at, action_taken_by_account_id, created_at, updated_at`

export interface ReportFilter {
  which: 'open' | 'resolved' | 'all'
  account?: string | undefined
  target?: string | undefined
}

/** The SQL statement of a page of reports, exported so that a test can check its query plan. */
export const reportPageQuery = (filter: ReportFilter, page: Cursor): Sql =>
  sql`select ${reportColumns} from reports where
    ${filter.which === 'all' ? sql`true` : filter.which === 'open' ? sql`action_taken_at is null` : sql`action_taken_at is not null`}
    ${filter.account === undefined ? sql`` : sql`and account_id = ${filter.account}::bigint`}
    ${filter.target === undefined ? sql`` : sql`and target_account_id = ${filter.target}::bigint`}
    ${keyset(sql`id`, page)}`

export const reportPage = async (db: Reader, filter: ReportFilter, page: Cursor): Promise<ReportRow[]> =>
  newestFirst(await db.rows<ReportRow>(reportPageQuery(filter, page)), page)

export const reportById = (db: Reader, id: string): Promise<ReportRow | null> =>
  db.row<ReportRow>(sql`select ${reportColumns} from reports where id = ${id}`)

/** One report, locked until the transaction ends. */
export const lockReport = (tx: Tx, id: string): Promise<ReportRow | null> =>
  tx.row<ReportRow>(sql`select ${reportColumns} from reports where id = ${id} for update`)

/** Several reports, locked until the transaction ends. */
export const lockReports = (tx: Tx, ids: readonly string[]): Promise<ReportRow[]> =>
  tx.rows<ReportRow>(sql`select ${reportColumns} from reports where id = any(${ids}::bigint[]) order by id for update`)

/**
 * Locks the reported account, so that reports about it are filed one after the other. Returns whether a report about it
 * is open.
 */
export const hasOpenReport = async (tx: Tx, target: string): Promise<boolean> => {
  await tx.run(sql`select pg_advisory_xact_lock(${target}::bigint)`)
  const row = await tx.row(
    sql`select 1 from reports where target_account_id = ${target} and action_taken_at is null limit 1`,
  )
  return row !== null
}

/**
 * The SQL statement of `hasSameReport`, exported so that a test can check its query plan. Because `created_at` is in no
 * index, the statement also requires an id of at least that time. The id is in an index.
 */
export const sameReportQuery = (it: ReportRow, since: Date): Sql =>
  sql`select 1 from reports where target_account_id = ${it.target_account_id} and action_taken_at is null
    and id >= ${idFloor(since.getTime())}::bigint and created_at > ${since} and account_id = ${it.account_id}
    and uri is null and comment = ${it.comment} and status_ids @> ${it.status_ids}::bigint[] and status_ids <@ ${it.status_ids}::bigint[]
    and collection_ids @> ${it.collection_ids}::bigint[] and collection_ids <@ ${it.collection_ids}::bigint[] limit 1`

/**
 * True if an open report of the same account without an activity id has the same objects and comment, and was filed after `since`.
 * The caller holds the lock of `hasOpenReport`.
 */
export const hasSameReport = async (tx: Tx, it: ReportRow, since: Date): Promise<boolean> =>
  (await tx.row(sameReportQuery(it, since))) !== null

/**
 * True if a report by another account, or with another target, other statuses or collections, or another comment, has
 * the activity id of this one.
 */
export const isUriOfOther = async (tx: Tx, it: ReportRow): Promise<boolean> =>
  (await tx.row(sql`select 1 from reports where uri = ${it.uri} and not (account_id = ${it.account_id}
    and target_account_id = ${it.target_account_id} and comment = ${it.comment}
    and status_ids @> ${it.status_ids}::bigint[] and status_ids <@ ${it.status_ids}::bigint[]
    and collection_ids @> ${it.collection_ids}::bigint[] and collection_ids <@ ${it.collection_ids}::bigint[])`)) !==
  null

/** Stores a report. Returns 0 if a report with the same activity id exists. */
export const insertReport = (tx: Tx, row: ReportRow): Promise<number> =>
  tx.run(sql`insert into reports (${reportColumns}) values (${row.id}, ${row.uri}, ${row.account_id}, ${row.target_account_id},
    ${row.target_domain}, ${row.status_ids}::bigint[], ${row.rule_ids}::bigint[], ${row.collection_ids}::bigint[], ${row.category}, ${row.comment}, ${row.forwarded},
    ${row.assigned_account_id}, ${row.action_taken_at}, ${row.action_taken_by_account_id}, ${row.created_at}, ${row.updated_at})
    on conflict (uri) do nothing`)

/** Stores the columns of a report that moderators may change. */
export const updateReport = (tx: Tx, row: ReportRow): Promise<number> =>
  tx.run(sql`update reports set category = ${row.category}, rule_ids = ${row.rule_ids}::bigint[],
    assigned_account_id = ${row.assigned_account_id}, action_taken_at = ${row.action_taken_at},
    action_taken_by_account_id = ${row.action_taken_by_account_id}, updated_at = ${row.updated_at} where id = ${row.id}`)

/** Stores the columns of several reports that moderators may change. */
export const updateReports = (tx: Tx, rows: readonly ReportRow[]): Promise<number> =>
  tx.run(sql`update reports r set category = given.category, rule_ids = given.rule_ids,
      assigned_account_id = given.assigned_account_id, action_taken_at = given.action_taken_at,
      action_taken_by_account_id = given.action_taken_by_account_id, updated_at = given.updated_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given(id bigint, category text, rule_ids bigint[],
      assigned_account_id bigint, action_taken_at timestamptz, action_taken_by_account_id bigint, updated_at timestamptz)
    where r.id = given.id`)

/** Resolves the open reports about these accounts, or only the report `only`. Returns the resolved reports. */
export const resolveReports = (
  tx: Tx,
  which: { targets: readonly string[]; only: string | null },
  by: string,
  at: Date,
): Promise<ReportRow[]> =>
  tx.rows<ReportRow>(sql`update reports set action_taken_at = ${at}, action_taken_by_account_id = ${by}, updated_at = ${at}
    where target_account_id = any(${which.targets}::bigint[]) and action_taken_at is null
      ${which.only === null ? sql`` : sql`and id = ${which.only}::bigint`} returning ${reportColumns}`)

/** A moderation action that resolved reports: the account that it was about, its moderator and its time. */
export interface ResolvingAction {
  target: string
  by: string
  at: Date
}

/**
 * Reopens the reports that these actions resolved, unless the resolution changed later. Returns the reopened reports, each with its former
 * resolution.
 */
export const reopenReports = (
  tx: Tx,
  actions: readonly ResolvingAction[],
  at: Date,
): Promise<(ReportRow & { resolved_at: Date; resolved_by: string })[]> =>
  tx.rows(sql`update reports r set action_taken_at = null, action_taken_by_account_id = null, updated_at = ${at}
    from unnest(${actions.map((one) => one.target)}::bigint[], ${actions.map((one) => one.by)}::bigint[],
      ${actions.map((one) => one.at)}::timestamptz[]) as resolving(target, resolved_by, resolved_at)
    where r.target_account_id = resolving.target and r.action_taken_at = resolving.resolved_at
      and r.action_taken_by_account_id = resolving.resolved_by
    returning ${reportColumns}, resolved_at, resolved_by`)
