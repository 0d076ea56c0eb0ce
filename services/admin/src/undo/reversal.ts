/** Reversals: the interface of the undo of each kind of action, and the entries that it adds. */
import type { UndoObstacle } from '@murmuration/contracts/admin'
import type { AnyOperation, Viewer } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { type NewEntry, record } from '../core/audit-log/record.js'
import type { AuditRow } from '../core/audit-log/rules.js'
import { claimUndos } from './store.js'

/** Id of the audit log entry that the undo added, or the obstacle that prevents the undo. */
export type Outcome = { undoneBy: string } | { obstacle: UndoObstacle }

export interface UndoRequest {
  /** `by` is null for operators. */
  by: Viewer | null
  reason: string | null
  /** Id of the bulk undo that contains this undo. */
  batchId?: string
  /**
   * True (dry run): only checks whether the undo is possible, and changes nothing. The id of the added entry is then
   * empty.
   */
  dry: boolean
}

export interface Reversal {
  /** The undo requires the permission of this operation. */
  readonly needs: AnyOperation
  /**
   * Undoes audit log entries about different targets. Undoing the same entries again is safe. Returns the outcome of
   * each entry by id.
   */
  reverse(ctx: Context, entries: readonly AuditRow[], request: UndoRequest): Promise<Map<string, Outcome>>
  /** Finishes a claimed undo that its request could not finish. Finishing is safe to repeat. */
  finish?(ctx: Context, entry: AuditRow): Promise<void>
}

/** An audit log entry whose state was restored, and the change that restored it. */
export interface Restored extends Omit<NewEntry, 'undoes' | 'reason' | 'batchId' | 'id' | 'target' | 'targetId'> {
  entry: AuditRow
}

export const POSSIBLE: Outcome = { undoneBy: '' }

/**
 * Marks entries as undone in the transaction of the undo. The outcome of an entry that is undone already is the
 * obstacle `already_undone`.
 */
export const claim = async (
  ctx: Context,
  tx: Tx,
  entries: readonly AuditRow[],
  { by, reason, batchId }: UndoRequest,
): Promise<{ claimed: Map<string, string>; outcomes: Map<string, Outcome> }> => {
  const undos = new Map(entries.map(({ id }) => [id, ctx.ids.next()]))
  const rows = [...undos].map(([entry_id, undo_entry_id]) => ({
    entry_id,
    undo_entry_id,
    by_account_id: by?.id ?? null,
    reason,
    batch_id: batchId ?? null,
  }))
  const done = await claimUndos(tx, rows, ctx.clock.date())
  const claimed = new Map([...undos].filter(([id]) => done.has(id)))
  const outcomes = new Map<string, Outcome>(
    [...undos].map(([id, undoneBy]) => [id, done.has(id) ? { undoneBy } : { obstacle: 'already_undone' }]),
  )
  return { claimed, outcomes }
}

/** Adds the audit log entries of claimed undos. */
export const recordUndos = (
  ctx: Context,
  tx: Tx,
  claimed: ReadonlyMap<string, string>,
  restored: readonly Restored[],
  { by, reason, batchId }: UndoRequest,
): Promise<void> =>
  record(
    ctx,
    tx,
    by,
    ...restored.flatMap(({ entry, ...change }) => {
      const id = claimed.get(entry.id)
      if (id === undefined) return []
      return [{ ...change, id, targetId: entry.target_id, target: entry.target, undoes: entry.id, reason, batchId }]
    }),
  )
