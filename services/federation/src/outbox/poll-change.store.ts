/** Local polls whose counts changed and were not sent yet. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export interface PollChange {
  statusId: string
  /** Id of the event. */
  seq: string
  changedAt: Date
  dueAt: Date
  /** Inboxes of remote voters. */
  inboxes: readonly string[]
}

/** Servers of voters that are remembered until the next telling. */
const MOST_INBOXES = 1_000

/** The first vote sets the time; later votes are sent with it. */
export const notePollChange = (db: Reader, it: PollChange): Promise<number> =>
  db.run(sql`insert into poll_changes (status_id, seq, changed_at, due_at, inboxes)
    values (${it.statusId}, ${it.seq}, ${it.changedAt}, ${it.dueAt}, ${[...it.inboxes]})
    on conflict (status_id) do update set seq = greatest(poll_changes.seq, excluded.seq),
      changed_at = greatest(poll_changes.changed_at, excluded.changed_at),
      due_at = least(poll_changes.due_at, excluded.due_at),
      inboxes = case when excluded.inboxes <@ poll_changes.inboxes or cardinality(poll_changes.inboxes) >= ${MOST_INBOXES}
        then poll_changes.inboxes else poll_changes.inboxes || excluded.inboxes end`)

/** True if a row is due: one read, because there is mostly none. */
export const isPollChangeDue = async (db: Reader, now: Date): Promise<boolean> =>
  (await db.row(sql`select 1 from poll_changes where due_at <= ${now} limit 1`)) !== null

/** Takes due rows, at most `most`. */
export const takePollChanges = (
  tx: Tx,
  now: Date,
  most: number,
): Promise<{ status_id: string; seq: string; changed_at: Date; inboxes: string[] }[]> =>
  tx.rows(sql`delete from poll_changes where status_id in (
      select status_id from poll_changes where due_at <= ${now} order by due_at limit ${most} for update skip locked)
    returning status_id, seq, changed_at, inboxes`)
