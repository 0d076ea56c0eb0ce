/** Schemas of the thread, the versions and the source text of a status. */
import { z } from 'zod'
import { Account } from './account.js'
import { CustomEmoji } from './custom-emoji.js'
import { MediaAttachment } from './media-attachment.js'
import { Html, Id, Timestamp } from './primitive.js'
import { ShallowQuote } from './quote.js'
import { Quote, Status } from './status.js'

/** The thread around a status: the statuses above and below, without the status itself. */
export const Context = z
  .strictObject({ ancestors: z.array(Status), descendants: z.array(Status) })
  .meta({ id: 'Context', description: 'The statuses above and below one in its thread.' })
export type Context = z.infer<typeof Context>

/**
 * One version of an edited status. Lists of versions begin with the original. `poll` and `quote` are present only if
 * the version had them.
 */
export const StatusEdit = z
  .strictObject({
    content: Html,
    spoiler_text: z.string(),
    sensitive: z.boolean(),
    created_at: Timestamp,
    account: Account,
    media_attachments: z.array(MediaAttachment),
    emojis: z.array(CustomEmoji),
    poll: z.strictObject({ options: z.array(z.strictObject({ title: z.string() })) }).optional(),
    quote: z.union([Quote, ShallowQuote]).nullable().optional(),
  })
  .meta({ id: 'StatusEdit', description: 'One version of a status.' })
export type StatusEdit = z.infer<typeof StatusEdit>

/** Text and content warning of a status as its author wrote them, for the edit form. */
export const StatusSource = z
  .strictObject({ id: Id, text: z.string(), spoiler_text: z.string() })
  .meta({ id: 'StatusSource', description: 'The text of a status as it was typed.' })
export type StatusSource = z.infer<typeof StatusSource>
