/** Finishes undos that the request could not finish. */
import { finishUndo } from '@murmuration/contracts/admin'
import { auditById } from '../core/audit-log/store.js'
import { work } from '../handlers.js'
import { reversalOf } from './registry.js'

export const finishUndoWork = work(finishUndo, async (ctx, { entry: id }) => {
  const entry = await auditById(ctx.db, id)
  if (entry) await reversalOf(entry.action)?.finish?.(ctx, entry)
})
