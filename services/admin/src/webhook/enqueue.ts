/** Stores one delivery for each webhook that receives an event, and queues its job. */
import { sendWebhook } from '@murmuration/contracts/admin'
import type { WebhookEvent } from '@murmuration/contracts/entities'
import { type Had, once } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { insertDeliveries, webhooksFor } from './store.js'
import { bodyOf } from './template.rules.js'

/**
 * @param cause event of the bus; a redelivery stores nothing
 * @param object JSON of the object, rendered only when a webhook receives the event; null when it is gone
 */
export const enqueue = async (
  ctx: Context,
  cause: Had & { readonly at: number },
  event: WebhookEvent,
  object: () => Promise<string | null>,
): Promise<void> => {
  const receivers = await webhooksFor(ctx.db, event)
  if (receivers.length === 0) return
  const text = await object()
  if (text === null) return
  const created_at = new Date(cause.at).toISOString()
  const payload = `{"event":"${event}","created_at":"${created_at}","object":${text}}`
  const rows = receivers.map((one) => ({
    id: ctx.ids.next(),
    webhook_id: one.id,
    event,
    body: bodyOf(payload, one.template),
  }))
  await ctx.db.tx((tx) =>
    once(tx, cause, async () => {
      await insertDeliveries(tx, rows, ctx.clock.date())
      await ctx.queue(tx, sendWebhook, ...rows.map((row) => ({ delivery: row.id })))
    }),
  )
}
