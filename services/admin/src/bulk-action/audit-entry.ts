/** The undo of a bulk action, which is a bulk action whose items are the audit log entries to undo. */
import { type BulkSkip, undoAuditLogEntry } from '@murmuration/contracts/admin'
import { chunk, mapLimited } from '@murmuration/flow'
import type { Context } from '../context.js'
import { auditsByIds, type ListedRow, undoneIn } from '../core/audit-log/store.js'
import { type Outcome, undoEntries } from '../undo/index.js'
import type { BulkKind } from './kind.js'
import { type Evaluation, evaluateRecords, type Order } from './rules.js'

const skipOf = (outcome: Outcome | undefined): BulkSkip | null => {
  if (outcome === undefined) return 'not_recorded'
  return 'obstacle' in outcome ? outcome.obstacle : null
}

const undo = async (ctx: Context, order: Order, ids: readonly string[], dry: boolean): Promise<Evaluation> => {
  const entries = new Map((await auditsByIds(ctx.db, ids)).map((entry): [string, ListedRow] => [entry.id, entry]))
  const { by, reason, id: batchId } = order
  const outcomes = await undoEntries(ctx, [...entries.values()], { by, reason, batchId, dry })
  // Entries that an earlier run of this bulk action undid, before it ended without storing their outcomes.
  const own = dry ? new Set<string>() : await undoneIn(ctx.db, batchId, ids)
  return evaluateRecords(ids, entries, {
    nameOf: ({ target }) => target,
    skipOf: ({ id }) => (own.has(id) ? null : skipOf(outcomes.get(id))),
  })
}

/** Maximum number of audit log entries per undo request, and of concurrent requests. */
const MAX_PER_REQUEST = 1_000
const AT_ONCE = 4

export const auditEntries: BulkKind = {
  needs: undoAuditLogEntry,
  chunk: 100,
  async evaluate(ctx, order, ids) {
    const parts = await mapLimited(chunk(ids, MAX_PER_REQUEST), AT_ONCE, (some) => undo(ctx, order, some, true))
    return new Map(parts.flatMap((part) => [...part]))
  },
  async prepare(ctx, order, items) {
    const evaluated = await undo(
      ctx,
      order,
      items.map(({ id }) => id),
      false,
    )
    return async () => evaluated
  },
}
