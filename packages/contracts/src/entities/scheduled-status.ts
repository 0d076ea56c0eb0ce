/** Schemas of scheduled statuses. */
import { z } from 'zod'
import { QuotePolicy } from './approval.js'
import { MediaAttachment } from './media-attachment.js'
import { Id, LanguageCode, Timestamp } from './primitive.js'
import { Visibility } from './visibility.js'

/** Parameters of the request, stored until publication. Clients expect the last three members. */
export const ScheduledStatusParams = z
  .strictObject({
    text: z.string(),
    poll: z
      .strictObject({
        options: z.array(z.string()),
        expires_in: z.int().positive(),
        multiple: z.boolean(),
        hide_totals: z.boolean(),
      })
      .nullable(),
    media_ids: z.array(Id).nullable(),
    sensitive: z.boolean().nullable(),
    spoiler_text: z.string().nullable(),
    visibility: Visibility,
    in_reply_to_id: Id.nullable(),
    language: LanguageCode.nullable(),
    application_id: Id.nullable(),
    allowed_mentions: z.array(z.string()).nullable(),
    quoted_status_id: Id.nullable(),
    quote_approval_policy: QuotePolicy,
    scheduled_at: z.null(),
    idempotency: z.null(),
    with_rate_limit: z.literal(false),
  })
  .meta({ id: 'ScheduledStatusParams', description: 'Parameters of a scheduled status.' })
export type ScheduledStatusParams = z.infer<typeof ScheduledStatusParams>

export const ScheduledStatus = z
  .strictObject({
    id: Id,
    scheduled_at: Timestamp,
    params: ScheduledStatusParams,
    media_attachments: z.array(MediaAttachment),
    error: z.string().optional().meta({ description: 'Reason why it could not be published; absent while it waits.' }),
  })
  .meta({ id: 'ScheduledStatus', description: 'A scheduled status.' })
export type ScheduledStatus = z.infer<typeof ScheduledStatus>
