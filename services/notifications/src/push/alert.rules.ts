/** Rule that decides whether a notification is pushed to a subscription. */
import type { PushPolicy } from '@murmuration/contracts/entities'
import { limits } from '@murmuration/contracts/limits'

export interface PushFacts {
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
const CONDITIONS: Record<PushPolicy, (facts: PushFacts) => boolean> = {
  all: () => true,
  followed: (facts) => facts.following,
  follower: (facts) => facts.followedBy,
  none: () => false,
}

export const isPushed = (facts: PushFacts): boolean =>
  facts.alert &&
  !facts.filtered &&
  facts.ageSeconds <= limits.delivery.pushTtlSeconds &&
  // If only a newer release knows the policy of the subscription, no push message is sent.
  CONDITIONS[facts.policy]?.(facts) === true
