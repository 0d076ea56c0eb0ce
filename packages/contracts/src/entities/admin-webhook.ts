/** What the server posts to webhooks. */
import { z } from 'zod'
import { AdminAccount } from './admin-account.js'
import { AdminReport } from './admin-report.js'
import { Timestamp } from './primitive.js'
import { Status } from './status.js'

const accountEvents = ['account.approved', 'account.created', 'account.updated'] as const
const reportEvents = ['report.created', 'report.updated'] as const
const statusEvents = ['status.created', 'status.updated'] as const

/** Events a webhook can subscribe to. */
export const WebhookEvent = z
  .enum([...accountEvents, ...reportEvents, ...statusEvents])
  .meta({ id: 'WebhookEvent', description: 'What a webhook is told about.' })
export type WebhookEvent = z.infer<typeof WebhookEvent>

/** The body of a webhook request, before a template of the operator changes it. */
export const WebhookPayload = z
  .discriminatedUnion('event', [
    z.strictObject({ event: z.enum(accountEvents), created_at: Timestamp, object: AdminAccount }),
    z.strictObject({ event: z.enum(reportEvents), created_at: Timestamp, object: AdminReport }),
    z.strictObject({ event: z.enum(statusEvents), created_at: Timestamp, object: Status }),
  ])
  .meta({ id: 'WebhookPayload', description: 'The body of a webhook request.' })
export type WebhookPayload = z.infer<typeof WebhookPayload>
