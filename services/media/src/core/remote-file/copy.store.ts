/** Schedules tries to copy remote files, and takes the files whose next try is due, alternating between domains. */
import { type Database, type Reader, type Sql, sql, type Tx } from '@murmuration/db'
import { registeredDomain } from '@murmuration/text'
import { pausedHosts } from '../older-table-names.store.js'

/**
 * A row whose file this process may fetch now. `failures` is the number of failed tries so far. `given_up_at`: time at
 * which the further try of a given-up picture began; null or absent if the picture was not given up.
 */
export type Claimed<Row> = Row & { failures: number; created_at: Date; given_up_at?: Date | null }

/** Outcome of a try after which there is no copy. */
export interface FailedTry {
  /**
   * Time of the failure. For some time after the failure, requests of clients cause no further try. Null if the file is
   * not at fault.
   */
  failedAt: Date | null
  /** True if no further try to copy the file can succeed. */
  forGood: boolean
  /** New number of failures, and time of the next try; null for no further one. Undefined changes neither. */
  next?: { failures: number; retryAt: Date | null }
  /** Time at which the file was given up. Absent if further tries follow. */
  givenUpAt?: Date
}

export const afterFailure = ({ failedAt, next }: FailedTry): Sql =>
  next === undefined
    ? sql`failed_at = coalesce(${failedAt}, failed_at)`
    : sql`failed_at = coalesce(${failedAt}, failed_at), failures = ${next.failures}, retry_at = ${next.retryAt}`

export interface Due {
  what: 'attachment' | 'picture'
  id: string
}

/** Schedules the next try of a missing copy at this time, unless it is scheduled earlier. */
export const awaitCopy = async (db: Reader, { what, id }: Due, at: Date): Promise<void> => {
  const earliest = sql`retry_at = least(coalesce(retry_at, ${at}::timestamptz), ${at}::timestamptz)`
  await db.run(
    what === 'attachment'
      ? sql`update attachments set ${earliest} where id = ${id} and original_key is null and remote_url is not null`
      : sql`update pictures set ${earliest} where id = ${id} and key is null and remote_url is not null`,
  )
}

const TABLES = { attachment: sql`attachments`, picture: sql`pictures` } as const

/** Extends the claim of a file. Has no effect if the file is not claimed. */
export const renewClaim = (db: Reader, { what, id }: Due, until: Date): Promise<number> =>
  db.run(sql`update ${TABLES[what]} set claimed_until = ${until} where id = ${id} and claimed_until is not null`)

export interface DueOptions {
  now: Date
  /** Time at which a file that this call takes is due again, in case its worker ends. */
  again: Date
  /**
   * Files that still wait for their host are given up if they were created, or their further try began, before this
   * time.
   */
  waitingSince: Date
  /**
   * Maximum number of files of one registered domain that this call takes. Further due files of the domain are
   * postponed: the first `perHost` of them by `slotMs` milliseconds, the next by twice that. Of a host whose pause ended, only one
   * file is taken.
   */
  perHost: number
  slotMs: number
  /**
   * `window`: maximum number of due files that are read, in order of their due time. `limit`: maximum number of files
   * that are taken, alternating between domains.
   */
  window: number
  limit: number
}

export interface DueFile {
  id: string
  taken: boolean
  givenUp: boolean
}

/** True when the next try of a file is due. */
export const isFileDue = (db: Database, what: Due['what'], now: Date): Promise<boolean> =>
  db.exists(sql`select 1 from ${TABLES[what]} where retry_at <= ${now}`)

/**
 * Reads due files and takes some of them. Postpones those that wait for other files of their domain, or for their host.
 * Returns the changed files.
 */
export const takeDue = async (tx: Tx, what: Due['what'], it: DueOptions): Promise<DueFile[]> => {
  const found = await tx.rows<{ id: string; host: string }>(sql`
    select id, split_part(remote_url, '/', 3) as host from ${TABLES[what]}
    where retry_at <= ${it.now} order by retry_at limit ${it.window} for update skip locked`)
  if (found.length === 0) return []
  const sites = found.map(({ host }) => registeredDomain(host))
  const begun = what === 'picture' ? sql`greatest(file.created_at, file.given_up_at)` : sql`file.created_at`
  const isOver = sql`fated.waits and ${begun} < ${it.waitingSince}`
  const givenUp =
    what === 'picture' ? sql`given_up_at = case when ${isOver} then ${it.now} else file.given_up_at end,` : sql``
  return tx.rows(sql`with due as (
      select file.id, found.site, found.host, file.retry_at, pause.paused_until,
        pause.host is not null as unproven, coalesce(pause.paused_until > ${it.now}, false) as paused
      from unnest(${found.map(({ id }) => id)}::bigint[], ${sites}::text[], ${found.map(({ host }) => host)}::text[])
        as found(id, site, host)
      join ${TABLES[what]} file using (id) left join ${pausedHosts} pause on pause.host = found.host),
    placed as (
      select due.*, row_number() over site as nth, greatest(row_number() over site - ${it.perHost}::int,
        case when unproven then row_number() over (partition by host order by retry_at, id) - 1 else 0 end) as late
      from due window site as (partition by site, paused order by retry_at, id)),
    fated as (
      select *, paused or late > 0 as waits, not paused and late <= 0
        and row_number() over (order by paused or late > 0, nth, id) <= ${it.limit} as taken
      from placed)
    update ${TABLES[what]} file set ${givenUp} retry_at = case
        when ${isOver} then null
        when fated.paused then fated.paused_until
        when fated.waits then ${it.now}::timestamptz + make_interval(secs => ${it.slotMs / 1_000}) * (1 + (fated.late - 1) / ${it.perHost}::int)
        else ${it.again}::timestamptz end
    from fated where file.id = fated.id and (fated.waits or fated.taken)
    returning file.id, fated.taken, file.retry_at is null as "givenUp"`)
}
