/** Sends deliveries to webhooks: signed, repeated with growing delays, and paused after a day of failures. */
import { sendWebhook, WEBHOOK_TRIES } from '@murmuration/contracts/admin'
import { notYet } from '@murmuration/contracts/kit'
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

const sendTo = (ctx: Context, { id, url, secret }: WebhookRow, body: string): Promise<Outcome> =>
  ctx.webhooks.send(url, ctx.webhooks.seal.open(secret, id), body)

/** Stores the outcome of a try. Returns true if the webhook is paused because of it. */
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

export const send = work(sendWebhook, async (ctx, data, meta) => {
  const delivery = await deliveryById(ctx.db, data.delivery)
  if (delivery?.state !== 'waiting') return
  const webhook = await webhookById(ctx.db, delivery.webhook_id)
  if (!webhook?.enabled || webhook.paused_at !== null) {
    const { tries, status, error } = delivery
    await ctx.db.tx((tx) =>
      updateDelivery(tx, delivery.id, { state: 'dropped', tries, status, error }, ctx.clock.date()),
    )
    return
  }
  const last = meta.tries >= WEBHOOK_TRIES
  const outcome = await ctx.webhooks.slots.send(webhook.id, () => sendTo(ctx, webhook, delivery.body), last)
  // A webhook that does not respond gets its other deliveries later, and the last try of each in any case.
  if (outcome === null) throw notYet('The webhook did not take the request')
  if (await store(ctx, delivery, outcome, last))
    ctx.log.warn({ webhook: webhook.id, error: outcome.error }, 'a webhook was paused after a day of failures')
  if (outcome.state === 'failed' && !last)
    throw notYet('The webhook did not take the request', {
      ...(outcome.retryAfter === null ? {} : { retryAfter: outcome.retryAfter }),
    })
})
