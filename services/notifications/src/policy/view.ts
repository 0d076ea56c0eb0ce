/** Renders JSON of a notification policy, in the forms of API v1 and v2. */
import type { NotificationPolicy, V1NotificationPolicy } from '@murmuration/contracts/entities'
import type { Policy } from '../core/decision.rules.js'

/** Numbers of waiting notification requests, and of their filtered notifications. */
export interface Pending {
  requests: number
  notifications: number
}

const summaryOf = (pending: Pending): NotificationPolicy['summary'] => ({
  pending_requests_count: pending.requests,
  pending_notifications_count: pending.notifications,
})

export const policyJson = (policy: Policy, pending: Pending): NotificationPolicy => ({
  ...policy,
  summary: summaryOf(pending),
})

/** JSON of a notification policy in the older form of API v1: true means any choice except accept. */
export const filtersJson = (policy: Policy, pending: Pending): V1NotificationPolicy => ({
  filter_not_following: policy.for_not_following !== 'accept',
  filter_not_followers: policy.for_not_followers !== 'accept',
  filter_new_accounts: policy.for_new_accounts !== 'accept',
  filter_private_mentions: policy.for_private_mentions !== 'accept',
  summary: summaryOf(pending),
})
