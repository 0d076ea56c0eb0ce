/** Table `profile_changes`: local profiles with changes that were not sent yet. */
import { type Database, type Reader, sql, type Tx } from '@murmuration/db'

export interface ProfileChange {
  accountId: string
  /** Id of the event that changed the profile. */
  seq: string
  changedAt: Date
  dueAt: Date
}

/** Longest delay of an Update while a profile keeps changing. */
const MAX_WAIT = '30 seconds'

export const recordProfileChange = (db: Reader, it: ProfileChange): Promise<number> =>
  db.run(sql`insert into profile_changes (account_id, seq, changed_at, first_at, due_at)
    values (${it.accountId}, ${it.seq}, ${it.changedAt}, ${it.changedAt}, ${it.dueAt})
    on conflict (account_id) do update set seq = excluded.seq, changed_at = excluded.changed_at,
      due_at = least(excluded.due_at, profile_changes.first_at + ${MAX_WAIT}::interval)
    where profile_changes.seq < excluded.seq`)

/** True if the Update of any profile is due. */
export const isProfileChangeDue = (db: Database, now: Date): Promise<boolean> =>
  db.exists(sql`select 1 from profile_changes where due_at <= ${now}`)

/** Deletes and returns the rows of profiles whose Update is due, at most `limit`. */
export const takeProfileChanges = (
  tx: Tx,
  now: Date,
  limit: number,
): Promise<{ account_id: string; seq: string; changed_at: Date }[]> =>
  tx.rows(sql`delete from profile_changes where account_id in (
      select account_id from profile_changes where due_at <= ${now} order by due_at limit ${limit} for update skip locked)
    returning account_id, seq, changed_at`)
