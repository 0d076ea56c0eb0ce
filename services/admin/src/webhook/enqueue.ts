/** Stores one delivery for each webhook and event that it receives, and queues their jobs. */
import { sendWebhook } from '@murmuration/contracts/admin'
import type { WebhookEvent } from '@murmuration/contracts/entities'
import { type Processed, unprocessed } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { insertDeliveries, webhooksFor } from './store.js'
import { bodyOf } from './template.rules.js'

/** An event that webhooks receive, about the object with this id. */
export type Cause = Processed & { readonly at: number; readonly id: string }

/**
 * Stores a delivery for each event and each webhook that receives it, and queues their jobs.
 * @param causes events; redelivered events are ignored
 * @param objects renders JSON of objects by id, without deleted objects; called only if a webhook receives the event
 */
export const enqueue = async (
  ctx: Context,
  causes: readonly Cause[],
  event: WebhookEvent,
  objects: (ids: string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<void> => {
  if (causes.length === 0) return
  const receivers = await webhooksFor(ctx.db, event)
  if (receivers.length === 0) return
  const texts = await objects([...new Set(causes.map((one) => one.id))])
  await ctx.db.tx(async (tx) => {
    const rows = (await unprocessed(tx, causes)).flatMap((cause) => {
      const text = texts.get(cause.id)
      if (text === undefined) return []
      const payload = `{"event":"${event}","created_at":"${new Date(cause.at).toISOString()}","object":${text}}`
      return receivers.map((one) => ({
        id: ctx.ids.next(),
        webhook_id: one.id,
        event,
        body: bodyOf(payload, one.template),
      }))
    })
    if (rows.length === 0) return
    await insertDeliveries(tx, rows, ctx.clock.date())
    await ctx.queue(tx, sendWebhook, ...rows.map((row) => ({ delivery: row.id })))
  })
}
