/** Schemas of the policy that filters notifications, and of the resulting notification requests. */
import { z } from 'zod'
import { Account } from './account.js'
import { CountText, Id, Timestamp } from './primitive.js'
import { Status } from './status.js'

export const PolicyChoice = z
  .enum(['accept', 'filter', 'drop'])
  .meta({ id: 'PolicyChoice', description: 'Treatment of one kind of notifications.' })
export type PolicyChoice = z.infer<typeof PolicyChoice>

const summary = z.strictObject({
  pending_requests_count: z.int().nonnegative(),
  pending_notifications_count: z.int().nonnegative(),
})

/** Policy that filters notifications. The two counts of `summary` are at most 100. */
export const NotificationPolicy = z
  .strictObject({
    for_not_following: PolicyChoice,
    for_not_followers: PolicyChoice,
    for_new_accounts: PolicyChoice,
    for_private_mentions: PolicyChoice,
    for_limited_accounts: PolicyChoice,
    for_bots: PolicyChoice,
    summary,
  })
  .meta({ id: 'NotificationPolicy', description: 'Treatment of notifications by sender.' })
export type NotificationPolicy = z.infer<typeof NotificationPolicy>

/** Policy that filters notifications, in API v1: true means that such notifications are filtered or dropped. */
export const V1NotificationPolicy = z
  .strictObject({
    filter_not_following: z.boolean(),
    filter_not_followers: z.boolean(),
    filter_new_accounts: z.boolean(),
    filter_private_mentions: z.boolean(),
    summary,
  })
  .meta({ id: 'V1NotificationPolicy', description: 'Filtered kinds of notifications, in the form of API v1.' })
export type V1NotificationPolicy = z.infer<typeof V1NotificationPolicy>

/** Filtered notifications of one account, to be accepted or dismissed. */
export const NotificationRequest = z
  .strictObject({
    id: Id,
    created_at: Timestamp,
    updated_at: Timestamp,
    notifications_count: CountText,
    account: Account,
    last_status: Status.nullable(),
  })
  .meta({ id: 'NotificationRequest', description: 'Filtered notifications of one account.' })
export type NotificationRequest = z.infer<typeof NotificationRequest>

/** True if the notifications of all accepted requests are in the list of notifications now. */
export const NotificationRequestsMerged = z
  .strictObject({ merged: z.boolean() })
  .meta({ id: 'NotificationRequestsMerged', description: 'Whether accepted requests are merged.' })
export type NotificationRequestsMerged = z.infer<typeof NotificationRequestsMerged>
