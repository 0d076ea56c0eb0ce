/** Deletes deliveries to webhooks after a week, and removed webhooks after a month. */
import { inSteps } from '@murmuration/kernel'
import { deleteHidden } from '../core/audit-log/store.js'
import { tick } from '../handlers.js'
import { deleteOldDeliveries, deleteRemovedWebhooks } from './store.js'

const KEPT_MS = 7 * 86_400_000
const REMOVED_KEPT_MS = 30 * 86_400_000
const STEPS = { size: 1_000, steps: 50 }

export const deleteWebhookDeliveries = tick('admin.forget-webhook-deliveries', 3_600_000, async (ctx) => {
  const before = new Date(ctx.clock.now() - KEPT_MS)
  await inSteps(STEPS, (limit) => deleteOldDeliveries(ctx.db, before, limit))
  const removedBefore = new Date(ctx.clock.now() - REMOVED_KEPT_MS)
  await deleteRemovedWebhooks(ctx.db, removedBefore)
  await deleteHidden(ctx.db, removedBefore)
})
