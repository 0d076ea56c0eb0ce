/**
 * Sends signed deliveries to webhooks. A failed delivery is sent again with growing delays. A webhook is paused after a
 * day of failures.
 */
import { sendWebhook, WEBHOOK_TRIES } from '@murmuration/contracts/admin'
import { type JobData, notYet } from '@murmuration/contracts/kit'
import { PermanentError } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { work } from '../handlers.js'
import { isPausedNow, type Outcome } from './rules.js'
import {
  type DeliveryRow,
  deliveryById,
  pauseWebhook,
  storeFailure,
  storeSuccess,
  updateDelivery,
  type WebhookRow,
  webhookById,
} from './store.js'

/** Webhooks that were disabled, paused or deleted receive nothing. */
const takes = (webhook: WebhookRow | null): webhook is WebhookRow =>
  webhook?.enabled === true && webhook.paused_at === null

/**
 * Sends a body to a webhook. The webhook is read again, because the delivery may have waited for a slot. Returns null
 * if the webhook is disabled, paused or deleted meanwhile.
 */
const sendTo = async (ctx: Context, id: string, body: string): Promise<Outcome | null> => {
  const webhook = await webhookById(ctx.db, id)
  if (!takes(webhook)) return null
  return ctx.webhooks.send(webhook, body)
}

const drop = (ctx: Context, { id, tries, status, error }: DeliveryRow): Promise<number> =>
  ctx.db.tx((tx) => updateDelivery(tx, id, { state: 'dropped', tries, status, error }, ctx.clock.date()))

/** Stores the outcome of an attempt to deliver. Returns true if the webhook is paused because of this outcome. */
const store = (ctx: Context, delivery: DeliveryRow, outcome: Outcome, last: boolean): Promise<boolean> =>
  ctx.db.tx(async (tx) => {
    const at = ctx.clock.date()
    const state = outcome.state === 'failed' && !last ? 'waiting' : outcome.state
    const { status, error } = outcome
    await updateDelivery(tx, delivery.id, { state, tries: delivery.tries + 1, status, error }, at)
    if (outcome.state === 'delivered') {
      await storeSuccess(tx, delivery.webhook_id)
      return false
    }
    const since = await storeFailure(tx, delivery.webhook_id, error, at)
    return isPausedNow(since, at.getTime()) && pauseWebhook(tx, delivery.webhook_id, at)
  })

/** Marks a delivery as failed whose job became a dead letter, because the handler crashed processes or never ended. */
const gaveUp = async (ctx: Context, id: string): Promise<void> => {
  const delivery = await deliveryById(ctx.db, id)
  if (delivery?.state !== 'waiting') return
  const { tries, status, error } = delivery
  const outcome = { state: 'failed', tries, status, error: error ?? 'interrupted' } as const
  await ctx.db.tx((tx) => updateDelivery(tx, id, outcome, ctx.clock.date()))
}

const sendDelivery = async (ctx: Context, data: JobData<typeof sendWebhook>, tries: number): Promise<void> => {
  const { restored = false } = data
  const delivery = await deliveryById(ctx.db, data.delivery)
  if (delivery === null && restored) throw new PermanentError('the delivery no longer exists')
  if (delivery === null || !(delivery.state === 'waiting' || (restored && delivery.state === 'failed'))) return
  const { webhook_id: webhook } = delivery
  if (!takes(await webhookById(ctx.db, webhook))) {
    await drop(ctx, delivery)
    return
  }
  const last = restored || tries >= WEBHOOK_TRIES
  const sent = await ctx.webhooks.slots.send(webhook, () => sendTo(ctx, webhook, delivery.body), last)
  // `sent` is null if no slot became free, because the webhook did not respond to other deliveries. The last attempt
  // needs no slot.
  if (sent === null) throw notYet('The webhook did not take the request')
  const { outcome } = sent
  if (outcome === null) {
    await drop(ctx, delivery)
    return
  }
  if (await store(ctx, delivery, outcome, last))
    ctx.log.warn({ webhook, error: outcome.error }, 'a webhook was paused after a day of failures')
  if (outcome.state === 'failed' && !last)
    throw notYet('The webhook did not take the request', {
      ...(outcome.retryAfter === null ? {} : { retryAfter: outcome.retryAfter }),
    })
}

export const send = work(sendWebhook, (ctx, data, { tries }) => sendDelivery(ctx, data, tries), {
  gaveUp: (ctx, { delivery }) => gaveUp(ctx, delivery),
  restored: (data) => ({ ...data, restored: true }),
})
