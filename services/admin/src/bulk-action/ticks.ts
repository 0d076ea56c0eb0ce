/** Deletes bulk actions after 90 days. Audit log entries of a bulk action stay. */
import { inSteps } from '@murmuration/kernel'
import { tick } from '../handlers.js'
import { deleteOldBulkActions } from './store.js'

const KEPT_MS = 90 * 86_400_000

export const deleteBulkActions = tick('admin.forget-bulk-actions', 3_600_000, async (ctx) => {
  const before = new Date(ctx.clock.now() - KEPT_MS)
  await inSteps({ size: 10, steps: 50 }, (limit) => deleteOldBulkActions(ctx.db, before, limit))
})
