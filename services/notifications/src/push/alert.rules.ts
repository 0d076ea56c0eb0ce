/** Rule that decides whether a notification is pushed to a subscription. */
import type { PushPolicy } from '@murmuration/contracts/entities'
import { limits } from '@murmuration/contracts/limits'

export interface PushInput {
  policy: PushPolicy
  /** True if the push subscription has an alert for the notification type. */
  alert: boolean
  filtered: boolean
  ageSeconds: number
  /** True if the recipient follows the sender. */
  following: boolean
  /** True if the sender follows the recipient. */
  followedBy: boolean
}

/** Condition under which each policy of a push subscription permits a message. */
const CONDITIONS: Record<PushPolicy, (input: PushInput) => boolean> = {
  all: () => true,
  followed: (input) => input.following,
  follower: (input) => input.followedBy,
  none: () => false,
}

export const isPushed = (input: PushInput): boolean =>
  input.alert &&
  !input.filtered &&
  input.ageSeconds <= limits.delivery.pushTtlSeconds &&
  // If only a newer release knows the policy of the subscription, no push message is sent.
  CONDITIONS[input.policy]?.(input) === true
