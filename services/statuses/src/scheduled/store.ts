/** SQL of scheduled statuses. */
import type { ScheduledStatusParams, StatusApplication } from '@murmuration/contracts/entities'
import { type Cursor, type Database, keyset, newestFirst, type Reader, sql, type Tx } from '@murmuration/db'

export interface ScheduledRow {
  id: string
  account_id: string
  scheduled_at: Date
  params: ScheduledStatusParams
  application: StatusApplication | null
  media_ids: string[]
  /** Reason why the status could not be published, shown to its author; null without a failed attempt. */
  failure: string | null
}

const columns = sql`id, account_id, scheduled_at, params, application, media_ids, failure`

export const insertScheduled = (tx: Tx, row: ScheduledRow): Promise<number> =>
  tx.run(sql`insert into scheduled_statuses (id, account_id, scheduled_at, params, application, media_ids)
    values (${row.id}, ${row.account_id}, ${row.scheduled_at}, ${JSON.stringify(row.params)},
      ${row.application ? JSON.stringify(row.application) : null}, ${row.media_ids}::bigint[])`)

/**
 * Takes a lock of an account until the transaction ends. Each transaction that stores a scheduled status of the account
 * takes this lock.
 */
const lockAccount = (tx: Tx, account: string): Promise<unknown> =>
  tx.row(sql`select pg_advisory_xact_lock(hashtextextended('scheduled ' || ${account}::text, 0))`)

/** Whether a scheduled status is stored. Waits for all transactions of the account that could still store it. */
export const isStored = async (tx: Tx, account: string, id: string): Promise<boolean> => {
  await lockAccount(tx, account)
  return (await scheduledOf(tx, account, id)) !== null
}

/**
 * Number of scheduled statuses of an account: in total, and on the UTC day of `at`. Takes a lock until the transaction
 * ends, so that concurrent requests cannot exceed the limit.
 */
export const countScheduled = async (
  tx: Tx,
  account: string,
  at: Date,
  except = '0',
): Promise<{ all: number; thatDay: number }> => {
  await lockAccount(tx, account)
  const row = await tx.row<{ all: number; thatDay: number }>(sql`select count(*)::int as "all",
      count(*) filter (where (scheduled_at at time zone 'UTC')::date = (${at}::timestamptz at time zone 'UTC')::date)::int as "thatDay"
    from scheduled_statuses where account_id = ${account} and id <> ${except}::bigint`)
  return row ?? { all: 0, thatDay: 0 }
}

/** A scheduled status; null if the account does not own it. */
export const scheduledOf = (db: Reader, account: string, id: string): Promise<ScheduledRow | null> =>
  db.row(sql`select ${columns} from scheduled_statuses where id = ${id} and account_id = ${account}`)

/** A page of an account's scheduled statuses, latest id first. */
export const scheduledPage = async (db: Reader, account: string, page: Cursor): Promise<ScheduledRow[]> =>
  newestFirst(
    await db.rows<ScheduledRow>(
      sql`select ${columns} from scheduled_statuses where account_id = ${account} ${keyset(sql`id`, page)}`,
    ),
    page,
  )

/** Status ids of the latest attempts, each of which may have the attachments. */
const attempts = sql`case when status_id is null then former_ids else (status_id || former_ids)[1:100] end`

/**
 * Gives a scheduled status a new time, and ends its present attempt. Returns the status ids of its attempts; null if
 * the scheduled status was published or deleted before.
 */
export const moveTo = async (tx: Tx, id: string, at: Date): Promise<string[] | null> =>
  (
    await tx.row<{ former_ids: string[] }>(sql`update scheduled_statuses set scheduled_at = ${at}, queued_at = null,
      failed_at = null, failure = null, status_id = null, former_ids = ${attempts} where id = ${id} returning former_ids`)
  )?.former_ids ?? null

/**
 * Deletes a scheduled status. Returns the status ids of its attempts; null if the scheduled status was published or
 * deleted before.
 */
export const deleteScheduled = async (tx: Tx, id: string): Promise<string[] | null> =>
  (
    await tx.row<{ former_ids: string[] }>(
      sql`delete from scheduled_statuses where id = ${id} returning ${attempts} as former_ids`,
    )
  )?.former_ids ?? null

/** Deletes a scheduled status that this attempt publishes. Returns 0 if it is gone, has a new time, or another attempt began. */
export const deletePublished = (tx: Tx, id: string, attempt: string): Promise<number> =>
  tx.run(sql`delete from scheduled_statuses where id = ${id} and status_id = ${attempt}`)

/** Whether any status is due. The check is one cheap read, because mostly no status is due. */
export const isScheduledDue = (db: Database, now: Date): Promise<boolean> =>
  db.exists(sql`select 1 from scheduled_statuses where queued_at is null and scheduled_at <= ${now}`)

/** Marks due statuses as queued and returns their ids. Each due status is returned once. */
export const takeDue = async (tx: Tx, now: Date, limit: number): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(sql`update scheduled_statuses set queued_at = ${now} where id in (
      select id from scheduled_statuses where queued_at is null and scheduled_at <= ${now}
      order by scheduled_at limit ${limit} for update skip locked) returning id`)
  ).map((row) => row.id)

/**
 * Stores why an attempt could not publish a status. Returns 0 if a reason is stored already, the row is gone, the status
 * has a new time, or another attempt began.
 */
export const markFailed = (tx: Tx, id: string, attempt: string, at: Date, failure: string): Promise<number> =>
  tx.run(
    sql`update scheduled_statuses set failed_at = ${at}, failure = ${failure}
      where id = ${id} and failed_at is null and status_id = ${attempt}`,
  )

/** A scheduled status that an attempt publishes. */
export interface Attempt extends ScheduledRow {
  /** Id of the new status if this attempt succeeds. */
  status_id: string
  /** Status ids of earlier attempts, each of which may have the attachments. */
  former_ids: string[]
}

/**
 * Begins an attempt to publish a scheduled status. An earlier attempt can then no longer publish it. Returns null if:
 *
 * - the status is gone, or is not queued, for example because it has a new time;
 * - the status could not be published before, unless `failed` is set;
 * - the status was queued after `queuedBy`, if that is set. A later job then publishes it.
 */
export const beginPublishing = async (
  db: Reader,
  id: string,
  fresh: string,
  { failed = false, queuedBy = null }: { failed?: boolean; queuedBy?: Date | null } = {},
): Promise<Attempt | null> => {
  const row = await db.row<Omit<Attempt, 'status_id'>>(sql`update scheduled_statuses
    set status_id = ${fresh}, former_ids = ${attempts}
    where id = ${id} and (failed_at is null or ${failed}::boolean) and queued_at <= coalesce(${queuedBy}::timestamptz, 'infinity')
    returning ${columns}, former_ids`)
  return row && { ...row, status_id: fresh }
}

/** Status ids of the attempts, and attachments, of a scheduled status that could not be published; null for any other. */
export const failedAttempts = (db: Reader, id: string): Promise<{ attempts: string[]; media_ids: string[] } | null> =>
  db.row(sql`select ${attempts} as attempts, media_ids from scheduled_statuses
    where id = ${id} and failed_at is not null`)

/** The stored status among the status ids of attempts; null if none is stored. */
export const publishedBy = (db: Reader, ids: readonly string[]): Promise<{ id: string; media_ids: string[] } | null> =>
  db.row(sql`select id, media_ids from statuses where id = any(${ids}::bigint[]) and deleted_at is null limit 1`)
