/** Polls of ours whose numbers changed and are not told about yet. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export interface PollChange {
  statusId: string
  /** Id of the event. */
  seq: string
  changedAt: Date
  dueAt: Date
  /** Inboxes of those who voted, when that is elsewhere. */
  inboxes: readonly string[]
}

/** Servers of voters that are remembered until the next telling. */
const MOST_INBOXES = 1_000

/** The first vote says when it is told; those that follow come along. */
export const notePollChange = (db: Reader, it: PollChange): Promise<number> =>
  db.run(sql`insert into poll_changes (status_id, seq, changed_at, due_at, inboxes)
    values (${it.statusId}, ${it.seq}, ${it.changedAt}, ${it.dueAt}, ${[...it.inboxes]})
    on conflict (status_id) do update set seq = greatest(poll_changes.seq, excluded.seq),
      changed_at = greatest(poll_changes.changed_at, excluded.changed_at),
      due_at = least(poll_changes.due_at, excluded.due_at),
      inboxes = case when excluded.inboxes <@ poll_changes.inboxes or cardinality(poll_changes.inboxes) >= ${MOST_INBOXES}
        then poll_changes.inboxes else poll_changes.inboxes || excluded.inboxes end`)

/** True if the time of one has come: one read, for a look that mostly finds none. */
export const isPollChangeDue = async (db: Reader, now: Date): Promise<boolean> =>
  (await db.row(sql`select 1 from poll_changes where due_at <= ${now} limit 1`)) !== null

/** Takes those whose time has come, at most `most`. */
export const takePollChanges = (
  tx: Tx,
  now: Date,
  most: number,
): Promise<{ status_id: string; seq: string; changed_at: Date; inboxes: string[] }[]> =>
  tx.rows(sql`delete from poll_changes where status_id in (
      select status_id from poll_changes where due_at <= ${now} order by due_at limit ${most} for update skip locked)
    returning status_id, seq, changed_at, inboxes`)
