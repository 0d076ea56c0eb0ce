/** Payloads of webhooks. */
import { z } from 'zod'
import { AdminAccount } from './admin-account.js'
import { AdminReport } from './admin-report.js'
import { Id, Timestamp, Url } from './primitive.js'
import { Status } from './status.js'

const accountEvents = ['account.approved', 'account.created', 'account.updated'] as const
const reportEvents = ['report.created', 'report.updated'] as const
const statusEvents = ['status.created', 'status.updated'] as const

/** Events that a webhook can subscribe to. */
export const WebhookEvent = z
  .enum([...accountEvents, ...reportEvents, ...statusEvents])
  .meta({ id: 'WebhookEvent', description: 'Event that a webhook can subscribe to.' })
export type WebhookEvent = z.infer<typeof WebhookEvent>

/** Body of a webhook request before a template is applied. */
export const WebhookPayload = z
  .discriminatedUnion('event', [
    z.strictObject({ event: z.enum(accountEvents), created_at: Timestamp, object: AdminAccount }),
    z.strictObject({ event: z.enum(reportEvents), created_at: Timestamp, object: AdminReport }),
    z.strictObject({ event: z.enum(statusEvents), created_at: Timestamp, object: Status }),
  ])
  .meta({ id: 'WebhookPayload', description: 'The body of a webhook request.' })
export type WebhookPayload = z.infer<typeof WebhookPayload>

/**
 * A webhook for staff. `secret` signs every request; null for a viewer whose role may not see all events. `paused_at`
 * is set after a day of failures.
 */
export const AdminWebhook = z
  .strictObject({
    id: Id,
    url: Url,
    events: z.array(WebhookEvent),
    secret: z.string().min(12).nullable(),
    template: z.string().nullable(),
    enabled: z.boolean(),
    paused_at: Timestamp.nullable(),
    failing_since: Timestamp.nullable(),
    last_error: z.string().nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'AdminWebhook', description: 'A webhook as staff manages it.' })
export type AdminWebhook = z.infer<typeof AdminWebhook>

/** A delivery of a webhook. `status` is the HTTP status of the last try, null if there was no response. */
export const AdminWebhookDelivery = z
  .strictObject({
    id: Id,
    event: WebhookEvent,
    state: z.enum(['waiting', 'delivered', 'refused', 'failed', 'dropped']),
    tries: z.int().nonnegative(),
    status: z.int().nullable(),
    error: z.string().nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'AdminWebhookDelivery', description: 'One request to a webhook, with its outcome.' })
export type AdminWebhookDelivery = z.infer<typeof AdminWebhookDelivery>

/** The outcome of a test request to a webhook. */
export const AdminWebhookTest = z
  .strictObject({
    delivered: z.boolean(),
    status: z.int().nullable(),
    error: z.string().nullable(),
    milliseconds: z.int().nonnegative(),
  })
  .meta({ id: 'AdminWebhookTest', description: 'How a webhook responded to a test request.' })
export type AdminWebhookTest = z.infer<typeof AdminWebhookTest>
