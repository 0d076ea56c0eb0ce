/** Rule that decides whether a notification is pushed to a subscription. */
import type { PushPolicy } from '@murmuration/contracts/entities'
import { limits } from '@murmuration/contracts/limits'

export interface PushFacts {
  policy: PushPolicy
  /** The subscription has an alert for the type. */
  alert: boolean
  filtered: boolean
  ageSeconds: number
  /** The recipient follows the sender. */
  following: boolean
  /** The sender follows the recipient. */
  followedBy: boolean
}

/** Condition of each policy of a subscription. */
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
  // A policy of a newer release admits nothing.
  CONDITIONS[facts.policy]?.(facts) === true
