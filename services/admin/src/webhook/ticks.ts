/** Deletes deliveries to webhooks after a week. */
import { inSteps } from '@murmuration/kernel'
import { tick } from '../doors.js'
import { deleteOldDeliveries } from './store.js'

const KEPT_MS = 7 * 86_400_000
const STEPS = { size: 1_000, steps: 50 }

export const forgetWebhookDeliveries = tick('admin.forget-webhook-deliveries', 3_600_000, async (ctx) => {
  const before = new Date(ctx.clock.now() - KEPT_MS)
  await inSteps(STEPS, (most) => deleteOldDeliveries(ctx.db, before, most))
})
