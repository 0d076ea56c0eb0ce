/**
 * Recorded Undos (table `undone_activities`), by which an activity received after its Undo has no effect. The table also contains
 * deletions that a group announced before the status.
 */
import { type Database, type Reader, sql } from '@murmuration/db'
import type { RecordedUndo } from './batch.rules.js'
import { transition } from './state.rules.js'
import { isoOf, type StoredActivity } from './state-input.rules.js'
import { type ActivityRow, activityOf, STATE, type StateRow, stateOf, UNDO } from './state-row.store.js'

const wasDone = (key: ReturnType<typeof sql>, actor: ReturnType<typeof sql>) =>
  sql`exists (select 1 from inbox_activities i where i.key = ${key} and i.actor = ${actor} and i.outcome = 'done')`

/** Records Undos for their targets. If an Undo is recorded already, the later of the two signature times stays. */
export const recordUndos = async (db: Reader, items: readonly RecordedUndo[]): Promise<void> => {
  if (items.length === 0) return
  await db.run(sql`insert into undone_activities (key, actor, signed_at, undo_id, late)
    select * from unnest(${items.map((it) => Buffer.from(it.key, 'hex'))}::bytea[], ${items.map((it) => it.actor)}::text[],
      ${items.map((it) => isoOf(it.signedAt))}::timestamptz[], ${items.map((it) => it.undoId)}::bigint[],
      ${items.map((it) => it.late)}::boolean[])
    order by 1, 2 on conflict (key, actor) do update set at = now(), undo_id = coalesce(excluded.undo_id, undone_activities.undo_id),
      late = undone_activities.late or excluded.late,
      signed_at = greatest(undone_activities.signed_at, excluded.signed_at)`)
}

/**
 * Records an Undo again when it is processed, because its target may have been processed since the Undo was delivered.
 *
 * `here`: true if the caller knows that the target had an effect. Returns the number of changed rows.
 */
export const markUndone = (db: Reader, key: Buffer, actor: string, here = false): Promise<number> =>
  db.run(sql`insert into undone_activities (key, actor, late)
    values (${key}, ${actor}, ${here} or ${wasDone(sql`${key}`, sql`${actor}`)})
    on conflict (key, actor) do update set late = undone_activities.late or excluded.late`)

/** True if an Undo or an announced deletion of the actor is recorded under one of these keys. */
export const isMarkedUndone = (db: Database, keys: readonly Buffer[], actor: string): Promise<boolean> =>
  db.exists(sql`select 1 from undone_activities where key = any(${keys}::bytea[]) and actor = ${actor}`)

const undoRow = (db: Reader, key: Buffer, actor: string): Promise<StateRow | null> =>
  db.row<StateRow>(sql`select ${STATE}, ${UNDO}
    from undone_activities u left join inbox_activities i on i.key = u.key and i.actor = u.actor
    where u.key = ${key} and u.actor = ${actor}`)

export type UndoneState = ReturnType<typeof transition<'activity'>>

/** Whether the activity with this key was undone by its actor. */
export const undoneStateOf = async (db: Reader, key: Buffer, actor: string): Promise<UndoneState> => {
  const row = await undoRow(db, key, actor)
  return row === null ? 'not' : transition('activity', stateOf(row))
}

/** State of the undone activity with this key. `late`: the activity had been processed before its Undo was received. */
export const undoTargetOf = async (
  db: Reader,
  key: Buffer,
  actor: string,
): Promise<{ state: ReturnType<typeof transition<'undoTarget'>>; late: boolean }> => {
  const row = await undoRow(db, key, actor)
  if (row === null) return { state: 'absent', late: false }
  return { state: transition('undoTarget', stateOf(row)), late: row.late ?? false }
}

/**
 * The stored activities of this actor with these keys, in the order of the keys; null for each activity that is not
 * stored.
 */
export const activitiesOf = async (
  db: Reader,
  keys: readonly (Buffer | null)[],
  actor: string,
): Promise<(StoredActivity | null)[]> => {
  const wanted = keys.filter((key) => key !== null)
  const rows = await db.rows<ActivityRow & { key: Buffer }>(sql`select i.key, ${STATE} from inbox_activities i
    where i.key = any(${wanted}::bytea[]) and i.actor = ${actor}`)
  const found = new Map(rows.map((row) => [row.key.toString('hex'), activityOf(row)]))
  return keys.map((key) => (key === null ? null : (found.get(key.toString('hex')) ?? null)))
}
