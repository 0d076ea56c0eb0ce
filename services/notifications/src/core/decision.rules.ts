/** Rules of the decision about one recipient: create the notification, filter it (it waits in a request), or drop it. */
import type { NotificationType, PolicyChoice } from '@murmuration/contracts/entities'
import { limits } from '@murmuration/contracts/limits'
import { isFilterable, mayBeOneself } from './type.rules.js'

/** The notification policy of an account, with one choice per kind of sender. */
export interface Policy {
  for_not_following: PolicyChoice
  for_not_followers: PolicyChoice
  for_new_accounts: PolicyChoice
  for_private_mentions: PolicyChoice
  for_limited_accounts: PolicyChoice
  for_bots: PolicyChoice
}

/** The policy of accounts that never changed theirs. */
export const DEFAULT_POLICY: Policy = {
  for_not_following: 'accept',
  for_not_followers: 'accept',
  for_new_accounts: 'accept',
  for_private_mentions: 'filter',
  for_limited_accounts: 'filter',
  for_bots: 'accept',
}

/** Data for the decision about one recipient. Times are milliseconds since 1970. */
export interface DecisionInput {
  type: NotificationType
  now: number
  recipient: { local: boolean; suspended: boolean }
  /** True if the recipient is the sender of the notification. */
  isSender: boolean
  sender: { suspended: boolean; limited: boolean; bot: boolean; createdAt: number }
  /** True if the recipient follows the sender. */
  following: boolean
  /** Time since which the sender follows the recipient; null without such a follow. */
  followedSince: number | null
  /** True if the recipient blocks the sender. */
  blocking: boolean
  /** True if the recipient mutes the sender, including notifications. */
  mutingNotifications: boolean
  /** True if the recipient blocks the domain of the sender. */
  domainBlocking: boolean
  /** True if the recipient muted the thread of the status. */
  threadMuted: boolean
  /** For a mention: true if the recipient blocks or mutes another account that the status mentions or replies to. */
  refusesParticipant: boolean
  /** True if the visibility of the status is `direct`. */
  direct: boolean
  /** True if the recipient wrote the sender a direct status earlier in the thread. */
  wroteInThread: boolean
  /** True if the sender has a highlighted moderation role that ranks above the role of the recipient. */
  staff: boolean
  /** True if the recipient accepted a notification request of the sender, so that the policy does not apply. */
  permitted: boolean
  policy: Policy
}

export type PolicyDecision = 'create' | 'filter' | 'drop'

const isImpossible = (input: DecisionInput): boolean =>
  !input.recipient.local ||
  input.recipient.suspended ||
  (input.sender.suspended && !input.isSender) ||
  (input.isSender && !mayBeOneself(input.type))

const isUnwanted = (input: DecisionInput): boolean =>
  (input.domainBlocking && !input.following) ||
  input.blocking ||
  input.mutingNotifications ||
  input.threadMuted ||
  (input.type === 'mention' && input.refusesParticipant)

/** The choice of each rule of the recipient's policy for this notification. A rule that does not apply to it gives `accept`. */
const applying = ({ policy, following, followedSince, sender, now, ...input }: DecisionInput): PolicyChoice[] => {
  const seconds = (since: number) => (now - since) / 1000
  const isFollower = followedSince !== null && seconds(followedSince) >= limits.delivery.newFollowerSeconds
  return [
    following ? 'accept' : policy.for_not_following,
    isFollower ? 'accept' : policy.for_not_followers,
    !following && seconds(sender.createdAt) < limits.delivery.newAccountSeconds ? policy.for_new_accounts : 'accept',
    !following && input.type === 'mention' && input.direct && !input.wroteInThread
      ? policy.for_private_mentions
      : 'accept',
    !following && sender.limited ? policy.for_limited_accounts : 'accept',
    !following && sender.bot ? policy.for_bots : 'accept',
  ]
}

/**
 * Returns the decision about one recipient of a notification. The first matching row applies.
 *
 * | Case | Decision |
 * |---|---|
 * | recipient remote or suspended; sender suspended; own activity of a type that excludes them | drop |
 * | block, mute, muted thread or refused participant, unless staff mentions the recipient | drop |
 * | own activity, type without policy, or permitted sender | create |
 * | mention by staff | create |
 * | a choice of the policy is `drop` | drop |
 * | a choice of the policy is `filter` | filter |
 * | all other cases | create |
 */
export const decide = (input: DecisionInput): PolicyDecision => {
  if (isImpossible(input)) return 'drop'
  const byStaff = input.staff && input.type === 'mention'
  if (isUnwanted(input) && !byStaff) return 'drop'
  if (input.isSender || !isFilterable(input.type) || input.permitted) return 'create'
  const choices = applying(input)
  if (choices.includes('drop') && !byStaff) return 'drop'
  return choices.some((one) => one !== 'accept') && !byStaff ? 'filter' : 'create'
}
