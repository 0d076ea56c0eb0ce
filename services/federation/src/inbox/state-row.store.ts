/** Names the SQL columns of the input types of `state-input.rules.ts`, and converts rows with these columns to them. */
import { sql } from '@murmuration/db'
import type { Micros, OutcomeKind, StoredActivity, StoredUndo } from './state-input.rules.js'

interface StoredColumns {
  id: string
  type: string
  actor: string
  owner_id: string | null
  digest: Buffer | null
  outcome: OutcomeKind | null
  again: boolean
  signed: string | null
  received: string
  closed: string | null
}

/** All columns of the activity are null if it is not stored. */
export type ActivityRow = { now: string } & (StoredColumns | { [Column in keyof StoredColumns]: null })

export type StateRow = ActivityRow & {
  /** `undo_at` is null if no Undo is recorded. */
  undo_at: string | null
  undo_signed: string | null
  late: boolean | null
  undo_waits: boolean
}

export const micros = (column: ReturnType<typeof sql>) => sql`(extract(epoch from ${column}) * 1000000)::bigint`

/** Columns of a stored activity `i`. Times are in microseconds. */
export const STATE = sql`i.id, i.type, i.actor, i.owner_id, i.digest, i.outcome, i.again,
  ${micros(sql`i.signed_at`)} as signed, ${micros(sql`i.received_at`)} as received, ${micros(sql`i.closed_at`)} as closed,
  ${micros(sql`now()`)} as now`

/** Columns of a recorded Undo `u`. */
export const UNDO = sql`${micros(sql`u.at`)} as undo_at, ${micros(sql`u.signed_at`)} as undo_signed, u.late,
  exists (select 1 from inbox_activities w where w.id = u.undo_id and w.outcome is null) as undo_waits`

const numberOf = (text: string | null): Micros | null => (text === null ? null : Number(text))

export const activityOf = (row: ActivityRow): StoredActivity | null => {
  if (row.id === null) return null
  const { id, type, actor, owner_id: ownerId, outcome, again } = row
  const [signedAt, closedAt] = [numberOf(row.signed), numberOf(row.closed)]
  const digest = row.digest?.toString('hex') ?? null
  return { id, type, actor, ownerId, outcome, again, digest, signedAt, closedAt, receivedAt: Number(row.received) }
}

const undoOf = ({ undo_at, undo_signed, late, undo_waits }: StateRow): StoredUndo | null =>
  undo_at === null
    ? null
    : { at: Number(undo_at), signedAt: numberOf(undo_signed), late: late ?? false, waits: undo_waits }

/** The stored activity and its Undo, each null if absent. */
export const stateOf = (row: StateRow): { stored: StoredActivity | null; undo: StoredUndo | null; now: Micros } => ({
  stored: activityOf(row),
  undo: undoOf(row),
  now: Number(row.now),
})
