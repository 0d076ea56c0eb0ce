/** Assigns attachments to statuses, and removes them from statuses (columns of the table `attachments`). */
import { bigints, type Reader, sql, type Tx } from '@murmuration/db'
import { type Attachment, columns } from './store.js'

/** Assigns attachments to a status. */
export const reserveAttachments = (
  tx: Tx,
  ids: readonly string[],
  status: string,
  scheduled: boolean,
): Promise<number> =>
  tx.run(
    sql`update attachments set status = ${status}, scheduled = ${scheduled}, loose_since = null where id = any(${bigints(ids)})`,
  )

/**
 * Removes the attachments with these ids from statuses; null removes all attachments of the statuses. Returns the ids
 * of the removed attachments.
 */
export const releaseReserved = async (
  tx: Tx,
  statuses: readonly string[],
  ids: readonly string[] | null,
  since: Date,
): Promise<string[]> => {
  const only = ids === null ? sql`` : sql`and id = any(${ids}::bigint[])`
  const rows = await tx.rows<{
    id: string
  }>(sql`update attachments set status = null, scheduled = false, loose_since = ${since}
    where status = any(${statuses}::bigint[]) ${only} returning id`)
  return rows.map((row) => row.id)
}

/**
 * Moves attachments with these ids back to a scheduled status, from the statuses with which its publication was tried
 * (`attempts`). Returns the ids of the moved attachments.
 */
export const returnReserved = async (
  tx: Tx,
  attempts: readonly string[],
  ids: readonly string[],
  scheduled: string,
): Promise<string[]> => {
  const rows = await tx.rows<{ id: string }>(sql`update attachments set status = ${scheduled}, scheduled = true,
    loose_since = null where status = any(${attempts}::bigint[]) and id = any(${ids}::bigint[]) returning id`)
  return rows.map((row) => row.id)
}

/** An attachment that a status reserved, and whose status was not checked since. */
export interface Reserved {
  id: string
  status: string
  since: Date
}

/** Attachments that were reserved before `before`, and whose status was not checked since, oldest first. */
export const reservedBefore = (db: Reader, before: Date, limit: number): Promise<(Reserved & { owner: string })[]> =>
  db.rows(sql`select id, owner, status, reserved_since as since from attachments
    where reserved_since < ${before} and status is not null order by reserved_since limit ${limit}`)

/** A checked attachment, and the id of the status that has it; null if no status has it. */
export interface Checked extends Reserved {
  holder: string | null
  /** True for a scheduled status, whose attachments are checked again. */
  scheduled: boolean
}

/** Marks attachments of a status as reserved at `now`. Returns their number. */
export const recheckReserved = (db: Reader, status: string, ids: readonly string[], now: Date): Promise<number> =>
  db.run(sql`update attachments set reserved_since = ${now}
    where status = ${status} and id = any(${bigints(ids)})`)

/**
 * Applies checks to attachments whose status and reservation time have not changed since they were read. Returns the
 * ids of those that are released now or have moved to another status.
 */
export const applyChecks = async (tx: Tx, items: readonly Checked[], now: Date): Promise<string[]> => {
  const of = <K extends keyof Checked>(key: K): Checked[K][] => items.map((one) => one[key])
  await tx.rows(sql`select id from attachments where id = any(${bigints(of('id'))}) order by id for update`)
  const rows = await tx.rows<{ id: string; moved: boolean }>(sql`update attachments as a set
      status = i.holder, scheduled = i.scheduled and i.holder is not null,
      loose_since = case when i.holder is null then ${now}::timestamptz end,
      reserved_since = case when i.scheduled and i.holder is not null then ${now}::timestamptz end
    from unnest(${of('id')}::bigint[], ${of('status')}::bigint[], ${of('since')}::timestamptz[],
      ${of('holder')}::bigint[], ${of('scheduled')}::boolean[]) as i(id, status, since, holder, scheduled)
    where a.id = i.id and a.status = i.status and a.reserved_since = i.since
    returning a.id, i.holder is distinct from i.status as moved`)
  return rows.flatMap((row) => (row.moved ? [row.id] : []))
}

/** Removes all attachments of an owner from their statuses, so that the next run of the tick deletes them. */
export const abandonAttachments = (db: Reader, owner: string): Promise<number> =>
  db.run(sql`update attachments set status = null, scheduled = false, loose_since = 'epoch'
    where owner = ${owner} and loose_since is distinct from 'epoch'`)

/** Deletes up to `limit` attachments that have been in no status since before `before`. Returns the deleted rows. */
export const deleteUnattached = (tx: Tx, before: Date, limit: number): Promise<Attachment[]> =>
  tx.rows(sql`delete from attachments where id in (
      select id from attachments where status is null and loose_since < ${before} order by loose_since limit ${limit} for update skip locked)
    returning ${columns}`)

/** Deletes attachments, and returns the deleted rows. */
export const deleteAttachments = (tx: Tx, ids: readonly string[]): Promise<Attachment[]> =>
  tx.rows(sql`delete from attachments where id = any(${ids}::bigint[]) returning ${columns}`)
