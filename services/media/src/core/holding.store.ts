/** Rows that assign attachments to statuses. */
import { bigints, type Reader, sql, type Tx } from '@murmuration/db'
import { type Attachment, columns } from './attachment.store.js'

/** Assigns attachments to a status. */
export const holdAttachments = (tx: Tx, ids: readonly string[], status: string, scheduled: boolean): Promise<number> =>
  tx.run(
    sql`update attachments set status = ${status}, scheduled = ${scheduled}, loose_since = null where id = any(${bigints(ids)})`,
  )

/**
 * Removes the attachments with these ids from statuses; null removes all attachments of the statuses. Returns the ids
 * of the removed attachments.
 */
export const releaseAttachments = async (
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

/** Gives attachments with these ids that are in one of `attempts` back to a scheduled status. Returns their ids. */
export const returnAttachments = async (
  tx: Tx,
  attempts: readonly string[],
  ids: readonly string[],
  scheduled: string,
): Promise<string[]> => {
  const rows = await tx.rows<{ id: string }>(sql`update attachments set status = ${scheduled}, scheduled = true,
    loose_since = null where status = any(${attempts}::bigint[]) and id = any(${ids}::bigint[]) returning id`)
  return rows.map((row) => row.id)
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
