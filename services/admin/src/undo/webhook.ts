/**
 * Undoes actions on webhooks. The actor's role needs the permissions for all events of the webhook before and after the
 * undo.
 */
import { updateWebhook as updateOperation } from '@murmuration/contracts/admin'
import { WebhookEvent } from '@murmuration/contracts/entities'
import { z } from 'zod'
import {
  hiddenOf,
  lockWebhook,
  loggedOf,
  maySee,
  removeWebhookRow,
  restoreWebhook,
  updateWebhook,
  type WebhookRow,
} from '../webhook/index.js'
import { recordedDate, rowReversal, undoObstacle } from './row.js'

const Webhook = z.object({
  url: z.string(),
  events: z.array(WebhookEvent),
  template: z.string().nullable(),
  secret: z.string(),
  enabled: z.boolean(),
  paused_at: recordedDate().nullable(),
})

export const webhooks = rowReversal<WebhookRow, z.output<typeof Webhook>>({
  needs: updateOperation,
  recorded: Webhook,
  passing: ['paused_at'],
  recordOf: (state) => state && loggedOf(state),
  hiddenOf,
  permits: ({ permissions }, states) => states.every(({ events }) => maySee(events, permissions)),
  lock: lockWebhook,
  async store(ctx, tx, { id, row, to }) {
    if (to === null) return void (await removeWebhookRow(tx, id, ctx.clock.date()))
    const stored = row ?? (await restoreWebhook(tx, id))
    if (!stored) throw undoObstacle('is_deleted')
    await updateWebhook(tx, { ...stored, ...to, updated_at: ctx.clock.date() })
  },
})
