/** Table `poll_changes`: local polls with changed counts that were not sent yet. */
import { type Database, type Reader, sql, type Tx } from '@murmuration/db'

export interface PollChange {
  statusId: string
  /** Id of the event that changed the poll. */
  seq: string
  changedAt: Date
  dueAt: Date
  /** Inboxes of remote accounts that voted since the last Update. */
  inboxes: readonly string[]
}

/** Maximum number of inboxes of voters per poll that are stored until the next Update. */
const MAX_INBOXES = 1_000

/**
 * Records a change of a poll. If a change of the poll is recorded already, its earlier due time stays, and the inboxes
 * are added.
 */
export const recordPollChange = (db: Reader, it: PollChange): Promise<number> =>
  db.run(sql`insert into poll_changes (status_id, seq, changed_at, due_at, inboxes)
    values (${it.statusId}, ${it.seq}, ${it.changedAt}, ${it.dueAt}, ${[...it.inboxes]})
    on conflict (status_id) do update set seq = greatest(poll_changes.seq, excluded.seq),
      changed_at = greatest(poll_changes.changed_at, excluded.changed_at),
      due_at = least(poll_changes.due_at, excluded.due_at),
      inboxes = case when excluded.inboxes <@ poll_changes.inboxes or cardinality(poll_changes.inboxes) >= ${MAX_INBOXES}
        then poll_changes.inboxes else poll_changes.inboxes || excluded.inboxes end`)

/** True if the Update of any poll is due. */
export const isPollChangeDue = (db: Database, now: Date): Promise<boolean> =>
  db.exists(sql`select 1 from poll_changes where due_at <= ${now}`)

/** Deletes and returns the rows of polls whose Update is due, at most `limit`. */
export const takePollChanges = (
  tx: Tx,
  now: Date,
  limit: number,
): Promise<{ status_id: string; seq: string; changed_at: Date; inboxes: string[] }[]> =>
  tx.rows(sql`delete from poll_changes where status_id in (
      select status_id from poll_changes where due_at <= ${now} order by due_at limit ${limit} for update skip locked)
    returning status_id, seq, changed_at, inboxes`)
