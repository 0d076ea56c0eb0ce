/** Decision about each recipient: notifications that are never created, and those that the policy of the recipient filters or drops. */
import type { NotificationType, PolicyChoice } from '@murmuration/contracts/entities'
import { limits } from '@murmuration/contracts/limits'
import { isFilterable, mayBeOneself } from './type.rules.js'

/** The policy of an account, by kind of sender. */
export interface Policy {
  for_not_following: PolicyChoice
  for_not_followers: PolicyChoice
  for_new_accounts: PolicyChoice
  for_private_mentions: PolicyChoice
  for_limited_accounts: PolicyChoice
  for_bots: PolicyChoice
}

/** The policy of who never chose one. */
export const usualPolicy: Policy = {
  for_not_following: 'accept',
  for_not_followers: 'accept',
  for_new_accounts: 'accept',
  for_private_mentions: 'filter',
  for_limited_accounts: 'filter',
  for_bots: 'accept',
}

/** Everything the decision about one recipient needs. Times are milliseconds since 1970. */
export interface Facts {
  type: NotificationType
  now: number
  recipient: { local: boolean; suspended: boolean }
  isSender: boolean
  sender: { suspended: boolean; limited: boolean; bot: boolean; createdAt: number }
  /** How the recipient stands to the sender. */
  following: boolean
  followedSince: number | null
  blocking: boolean
  mutingNotifications: boolean
  domainBlocking: boolean
  threadMuted: boolean
  /** Of a mention: the recipient refuses somebody else who is mentioned or answered in it. */
  refusesParticipant: boolean
  direct: boolean
  /** The recipient wrote the sender a direct status further up in the thread. */
  wroteInThread: boolean
  /** The sender has a highlighted moderation role above the recipient's. */
  staff: boolean
  permitted: boolean
  policy: Policy
}

export type Verdict = 'create' | 'filter' | 'drop'

const isImpossible = (facts: Facts): boolean =>
  !facts.recipient.local ||
  facts.recipient.suspended ||
  (facts.sender.suspended && !facts.isSender) ||
  (facts.isSender && !mayBeOneself(facts.type))

const isUnwanted = (facts: Facts): boolean =>
  (facts.domainBlocking && !facts.following) ||
  facts.blocking ||
  facts.mutingNotifications ||
  facts.threadMuted ||
  (facts.type === 'mention' && facts.refusesParticipant)

/** The rules of the policy that apply to this sender. */
const applying = ({ policy, following, followedSince, sender, now, ...facts }: Facts): PolicyChoice[] => {
  const seconds = (since: number) => (now - since) / 1000
  const isFollower = followedSince !== null && seconds(followedSince) >= limits.delivery.newFollowerSeconds
  return [
    following ? 'accept' : policy.for_not_following,
    isFollower ? 'accept' : policy.for_not_followers,
    !following && seconds(sender.createdAt) < limits.delivery.newAccountSeconds ? policy.for_new_accounts : 'accept',
    !following && facts.type === 'mention' && facts.direct && !facts.wroteInThread
      ? policy.for_private_mentions
      : 'accept',
    !following && sender.limited ? policy.for_limited_accounts : 'accept',
    !following && sender.bot ? policy.for_bots : 'accept',
  ]
}

/** Dropping takes precedence over filtering. Notifications by staff are never dropped because of blocks or policy. */
export const decide = (facts: Facts): Verdict => {
  if (isImpossible(facts)) return 'drop'
  const spoken = facts.staff && facts.type === 'mention'
  if (isUnwanted(facts) && !spoken) return 'drop'
  if (facts.isSender || !isFilterable(facts.type) || facts.permitted) return 'create'
  const choices = applying(facts)
  if (choices.includes('drop') && !spoken) return 'drop'
  return choices.some((one) => one !== 'accept') && !spoken ? 'filter' : 'create'
}
