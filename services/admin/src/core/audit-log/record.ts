/** Adds actions to the audit log, in the transaction of the action itself. */
import type { AuditAction } from '@murmuration/contracts/admin'
import type { Viewer } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../../context.js'
import { insertAudit, insertHidden } from './store.js'

export interface NewEntry {
  action: AuditAction
  targetId: string | null
  /** Text that identifies the target of the action, such as a handle. */
  target: string
  before?: unknown
  after?: unknown
  /** Parts of the states before and after the action that only an undo reads, because they may contain secrets. */
  hidden?: { before: unknown; after: unknown } | undefined
  /** Reason that staff entered. */
  reason?: string | null | undefined
  /** Id of the bulk action that the entry belongs to. */
  batchId?: string | null | undefined
  /** Id of the entry whose action this entry undoes. */
  undoes?: string | null | undefined
  /** Id of the entry, if the caller needs it before the entry is stored. */
  id?: string
}

/** Adds entries to the audit log. Entries of operators have no actor. */
export const record = async (
  ctx: { ids: Pick<Context['ids'], 'next'>; clock: Pick<Context['clock'], 'date'> },
  tx: Tx,
  actor: Pick<Viewer, 'id'> | null,
  ...entries: NewEntry[]
): Promise<void> => {
  const at = ctx.clock.date()
  const rows = entries.map((entry) => ({
    id: entry.id ?? ctx.ids.next(),
    actor_id: actor?.id ?? null,
    action: entry.action,
    target_id: entry.targetId,
    target: entry.target,
    before: entry.before,
    after: entry.after,
    created_at: at,
    reason: entry.reason || null,
    batch_id: entry.batchId ?? null,
    undoes: entry.undoes ?? null,
  }))
  await insertAudit(tx, rows)
  const hidden = entries.flatMap((entry, i) => (entry.hidden ? [{ id: rows[i]?.id ?? '', ...entry.hidden }] : []))
  if (hidden.length > 0) await insertHidden(tx, hidden, at)
}
