/** Webhooks and deliveries as API entities. */
import type { AdminWebhook, AdminWebhookDelivery } from '@murmuration/contracts/entities'
import type { DeliveryRow, WebhookRow } from './store.js'

export const webhookOf = (row: WebhookRow, secret: string | null): AdminWebhook => ({
  id: row.id,
  url: row.url,
  events: row.events,
  secret,
  template: row.template,
  enabled: row.enabled,
  paused_at: row.paused_at?.toISOString() ?? null,
  failing_since: row.failing_since?.toISOString() ?? null,
  last_error: row.last_error,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

export const deliveryOf = (row: DeliveryRow): AdminWebhookDelivery => ({
  id: row.id,
  event: row.event,
  state: row.state,
  tries: row.tries,
  status: row.status,
  error: row.error,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
