/**
 * The current state of reports and appeals, by `source` of their notifications. The state is stored because a change may be
 * received before the event that creates the notification.
 */
import { type Reader, sql, type Tx } from '@murmuration/db'

/** Table of these states. The table has the name of an earlier term. */
const sourceStates = sql`stands`

/** Changed members of the stored detail of a notification. `rev`: id of the event with the change. */
export interface Changed {
  rev: string | null
}

/** Stores the state of a report or appeal. Returns false, and stores nothing, if the stored state has the same or a newer `rev`. */
export const storeSourceState = async (tx: Tx, source: string, changed: Changed): Promise<boolean> =>
  (await tx.run(sql`insert into ${sourceStates} (source, changed) values (${source}, ${JSON.stringify(changed)}::jsonb)
    on conflict (source) do update set changed = excluded.changed, at = excluded.at
      where (${sourceStates}.changed ->> 'rev')::bigint < (excluded.changed ->> 'rev')::bigint`)) > 0

/** Merges the stored state into the detail of all notifications of this source. */
export const mergeSourceState = (tx: Tx, source: string): Promise<number> =>
  tx.run(sql`update notifications n set detail = n.detail || s.changed from ${sourceStates} s
    where s.source = ${source} and n.source = s.source`)

/**
 * Deletes at most `limit` states of reports and appeals that are older than 8 days. Events are not repeated after that
 * time. Returns the number of deleted rows.
 */
export const purgeSourceStates = (db: Reader, limit: number): Promise<number> =>
  db.run(sql`delete from ${sourceStates} where source in (
    select source from ${sourceStates} where at < now() - interval '8 days' limit ${limit})`)
