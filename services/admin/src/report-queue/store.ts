/** Queries of open reports by queue. All queries use partial indexes of open reports. */
import { type Cursor, keyset, newestFirst, type Reader, type Sql, sql } from '@murmuration/db'
import { type ReportRow, reportColumns } from '../core/report.store.js'
import type { Origin, QueueFilter } from './rules.js'

/** Maximum number of open reports in a summary, oldest first. */
export const MAX_COUNTED = 10_000

const inQueue = (queue: QueueFilter['queue'], viewer: string | null): Sql => {
  if (queue === 'mine') return sql`and assigned_account_id = ${viewer}::bigint`
  if (queue === 'unassigned') return sql`and assigned_account_id is null`
  if (queue === 'others')
    return sql`and assigned_account_id is not null and assigned_account_id is distinct from ${viewer}::bigint`
  return sql``
}

const ofTarget = (origin: Origin | undefined): Sql => {
  if (origin === undefined) return sql``
  return origin === 'local' ? sql`and target_domain = ''` : sql`and target_domain <> ''`
}

/** Condition on the origin of the reporter. Reports of other servers have the id of their activity. */
const ofReporter = (origin: Origin | undefined): Sql => {
  if (origin === undefined) return sql``
  return origin === 'local' ? sql`and uri is null` : sql`and uri is not null`
}

/** The SQL statement of a page of a report queue, exported so that a test can check its query plan. */
export const queuePageQuery = (filter: QueueFilter, viewer: string | null, page: Cursor): Sql =>
  sql`select ${reportColumns} from reports where action_taken_at is null ${inQueue(filter.queue, viewer)}
    ${filter.category === undefined ? sql`` : sql`and category = ${filter.category}`}
    ${ofTarget(filter.target)} ${ofReporter(filter.reporter)} ${keyset(sql`id`, page)}`

export const queuePage = async (
  db: Reader,
  filter: QueueFilter,
  viewer: string | null,
  page: Cursor,
): Promise<ReportRow[]> => newestFirst(await db.rows<ReportRow>(queuePageQuery(filter, viewer, page)), page)

export interface QueueCounts {
  open: number
  mine: number
  unassigned: number
  spam: number
  legal: number
  violation: number
  other: number
  local_targets: number
  remote_reporters: number
  oldest_id: string | null
  oldest_at: Date | null
  median_at: Date | null
}

/** The SQL statement of the summary of open reports, exported so that a test can check its query plan. */
export const countQueuesQuery = (viewer: string | null): Sql =>
  sql`select count(*)::int as open,
      (count(*) filter (where assigned_account_id = ${viewer}::bigint))::int as mine,
      (count(*) filter (where assigned_account_id is null))::int as unassigned,
      (count(*) filter (where category = 'spam'))::int as spam,
      (count(*) filter (where category = 'legal'))::int as legal,
      (count(*) filter (where category = 'violation'))::int as violation,
      (count(*) filter (where category = 'other'))::int as other,
      (count(*) filter (where target_domain = ''))::int as local_targets,
      (count(*) filter (where is_remote))::int as remote_reporters,
      min(id) as oldest_id, min(created_at) as oldest_at,
      percentile_disc(0.5) within group (order by created_at) as median_at
    from (select id, created_at, assigned_account_id, category, target_domain, uri is not null as is_remote
      from reports where action_taken_at is null order by id limit ${MAX_COUNTED + 1}) as open_reports`

export const countQueues = async (db: Reader, viewer: string | null): Promise<QueueCounts> => {
  const row = await db.row<QueueCounts>(countQueuesQuery(viewer))
  if (row === null) throw new Error('a count without a row')
  return row
}
