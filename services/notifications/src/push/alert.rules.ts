/** Whether a notification goes to a push subscription. */
import type { PushPolicy } from '@murmuration/contracts/entities'
import { limits } from '@murmuration/contracts/limits'

export interface PushFacts {
  policy: PushPolicy
  /** Whether the subscription wants the type. */
  alert: boolean
  filtered: boolean
  ageSeconds: number
  /** The recipient follows the sender, and the other way round. */
  following: boolean
  followedBy: boolean
}

const LETS_THROUGH: Record<PushPolicy, (facts: PushFacts) => boolean> = {
  all: () => true,
  followed: (facts) => facts.following,
  follower: (facts) => facts.followedBy,
  none: () => false,
}

export const isPushed = (facts: PushFacts): boolean =>
  facts.alert &&
  !facts.filtered &&
  facts.ageSeconds <= limits.delivery.pushTtlSeconds &&
  LETS_THROUGH[facts.policy](facts)
