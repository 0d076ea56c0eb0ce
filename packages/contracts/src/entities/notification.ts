/** Schemas of notifications with the entity of their type. */
import { z } from 'zod'
import { Account } from './account.js'
import { AccountWarning, RelationshipSeveranceEvent } from './account-warning.js'
import { Collection } from './collection.js'
import { collectionNotificationTypes, plainNotificationTypes, statusNotificationTypes } from './notification-type.js'
import { Id, Timestamp, Url } from './primitive.js'
import { Report } from './report.js'
import { Status } from './status.js'

/** Text that replaces a notification in clients that do not support its type. */
export const NotificationFallback = z
  .strictObject({ title: z.string(), summary: z.string().nullable(), description: z.string().nullable() })
  .meta({ id: 'NotificationFallback', description: 'Text for a client that does not support the type.' })
export type NotificationFallback = z.infer<typeof NotificationFallback>

/** Year of an annual report. */
export const AnnualReportEvent = z
  .strictObject({ year: z.string().regex(/^\d{4}$/) })
  .meta({ id: 'AnnualReportEvent', description: 'The year of an annual report.' })
export type AnnualReportEvent = z.infer<typeof AnnualReportEvent>

/**
 * Members of every notification. `account` caused the notification; for severed relationships, warnings and annual
 * reports it is the recipient. `filtered` is true or absent. `fallback` is present only if the client sent the types
 * that it supports.
 */
const commonShape = {
  id: Id,
  created_at: Timestamp,
  group_key: z.string().min(1),
  account: Account,
  filtered: z.literal(true).optional(),
  fallback: NotificationFallback.optional(),
}

export const Notification = z
  .discriminatedUnion('type', [
    z.strictObject({
      ...commonShape,
      type: z.enum(statusNotificationTypes),
      status: Status,
      /**
       * Emoji of a favourite that is an emoji reaction; the shortcode of a custom emoji is between colons. `emoji` is
       * not part of Mastodon's API.
       */
      emoji: z.string().min(1).optional(),
      /** URL of the picture of the custom emoji; null for a Unicode emoji. */
      emoji_url: Url.nullable().optional(),
    }),
    z.strictObject({ ...commonShape, type: z.enum([...plainNotificationTypes, 'annual_report']) }),
    z.strictObject({ ...commonShape, type: z.literal('admin.report'), report: Report }),
    z.strictObject({ ...commonShape, type: z.literal('severed_relationships'), event: RelationshipSeveranceEvent }),
    z.strictObject({ ...commonShape, type: z.literal('moderation_warning'), moderation_warning: AccountWarning }),
    z.strictObject({ ...commonShape, type: z.enum(collectionNotificationTypes), collection: Collection }),
  ])
  .meta({ id: 'Notification', description: 'A notification of the viewer.' })
export type Notification = z.infer<typeof Notification>
