/** Schemas of grouped notifications. Accounts and statuses of the groups are listed once. */
import { z } from 'zod'
import { Account, PartialAccount } from './account.js'
import { AccountWarning, RelationshipSeveranceEvent } from './account-warning.js'
import { Collection } from './collection.js'
import { AnnualReportEvent, NotificationFallback } from './notification.js'
import { collectionNotificationTypes, plainNotificationTypes, statusNotificationTypes } from './notification-type.js'
import { Id, IntegerId, Timestamp } from './primitive.js'
import { Report } from './report.js'
import { Status } from './status.js'

/** Members of every group of notifications. The three members for paging are absent if a single group is requested by its key. */
const commonShape = {
  group_key: z.string().min(1),
  notifications_count: z.int().positive(),
  most_recent_notification_id: IntegerId,
  page_min_id: Id.optional(),
  page_max_id: Id.optional(),
  latest_page_notification_at: Timestamp.optional(),
  sample_account_ids: z.array(Id).max(8),
  fallback: NotificationFallback.optional(),
}

/** A group of notifications. Its sample accounts are the newest eight accounts, newest first. */
export const NotificationGroup = z
  .discriminatedUnion('type', [
    z.strictObject({ ...commonShape, type: z.enum(statusNotificationTypes), status_id: Id }),
    z.strictObject({ ...commonShape, type: z.enum(plainNotificationTypes) }),
    z.strictObject({ ...commonShape, type: z.literal('admin.report'), report: Report }),
    z.strictObject({ ...commonShape, type: z.literal('severed_relationships'), event: RelationshipSeveranceEvent }),
    z.strictObject({ ...commonShape, type: z.literal('moderation_warning'), moderation_warning: AccountWarning }),
    z.strictObject({ ...commonShape, type: z.literal('annual_report'), annual_report: AnnualReportEvent }),
    z.strictObject({ ...commonShape, type: z.enum(collectionNotificationTypes), collection: Collection }),
  ])
  .meta({ id: 'NotificationGroup', description: 'Notifications of one type about one status or account.' })
export type NotificationGroup = z.infer<typeof NotificationGroup>

/** Groups of notifications with their accounts and statuses. `partial_accounts` is present only if the client requested partial avatars. */
export const GroupedNotificationsResults = z
  .strictObject({
    accounts: z.array(Account),
    partial_accounts: z.array(PartialAccount).optional(),
    statuses: z.array(Status),
    notification_groups: z.array(NotificationGroup),
  })
  .meta({ id: 'GroupedNotificationsResults', description: 'A page of groups, with their accounts and statuses.' })
export type GroupedNotificationsResults = z.infer<typeof GroupedNotificationsResults>

/** Number of unread notifications, at most the requested limit. */
export const UnreadCount = z
  .strictObject({ count: z.int().nonnegative() })
  .meta({ id: 'UnreadCount', description: 'Number of unread notifications.' })
export type UnreadCount = z.infer<typeof UnreadCount>
