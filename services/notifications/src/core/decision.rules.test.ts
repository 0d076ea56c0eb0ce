/** Decisions about notifications: never created, filtered or dropped by the policy, and the precedence of rules. */
import { NotificationType } from '@murmuration/contracts/entities'
import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY, type DecisionInput, decide, type Policy, type PolicyDecision } from './decision.rules.js'

const DAY = 86_400_000
const NOW = 1_000 * DAY

/** An old account without a relationship mentions the recipient in a public status. The policy filters nothing. */
const plain: DecisionInput = {
  type: 'mention',
  now: NOW,
  recipient: { local: true, suspended: false },
  isSender: false,
  sender: { suspended: false, limited: false, bot: false, createdAt: NOW - 400 * DAY },
  following: false,
  followedSince: null,
  blocking: false,
  mutingNotifications: false,
  domainBlocking: false,
  threadMuted: false,
  refusesParticipant: false,
  direct: false,
  wroteInThread: false,
  staff: false,
  permitted: false,
  policy: DEFAULT_POLICY,
}
const choose = (policy: Partial<Policy>): Pick<DecisionInput, 'policy'> => ({
  policy: { ...DEFAULT_POLICY, for_private_mentions: 'accept', for_limited_accounts: 'accept', ...policy },
})
type Row = [what: string, input: Partial<DecisionInput>, decision: PolicyDecision]

describe('never created', () => {
  test.each<Row>([
    ['a mention by an account without a relation is created', {}, 'create'],
    ['the recipient is not of this server', { recipient: { local: false, suspended: false } }, 'drop'],
    ['the recipient is suspended', { recipient: { local: true, suspended: true } }, 'drop'],
    ['the sender is suspended', { sender: { ...plain.sender, suspended: true } }, 'drop'],
    ['people do not hear of themselves', { isSender: true }, 'drop'],
    ['except of a poll', { isSender: true, type: 'poll' }, 'create'],
    ['and of a warning', { isSender: true, type: 'moderation_warning' }, 'create'],
    ['and of connections they lost', { isSender: true, type: 'severed_relationships' }, 'create'],
    ['and of their year', { isSender: true, type: 'annual_report' }, 'create'],
    ['the domain is blocked', { domainBlocking: true }, 'drop'],
    ['the domain is blocked but the sender followed', { domainBlocking: true, following: true }, 'create'],
    ['the sender is blocked', { blocking: true }, 'drop'],
    ['the sender is blocked although followed', { blocking: true, following: true }, 'drop'],
    ['the sender is muted with notifications', { mutingNotifications: true }, 'drop'],
    ['the thread is muted', { threadMuted: true }, 'drop'],
    ['a mention beside somebody the recipient blocks', { refusesParticipant: true }, 'drop'],
    ['only mentions look at participants', { refusesParticipant: true, type: 'status' }, 'create'],
    ['blocks hold for types that are not filterable', { blocking: true, type: 'status' }, 'drop'],
    ['notifications of staff are shown despite a block', { blocking: true, staff: true }, 'create'],
    ['but only when it mentions', { blocking: true, staff: true, type: 'follow' }, 'drop'],
    ['staff does not reach the suspended', { staff: true, recipient: { local: true, suspended: true } }, 'drop'],
    ['a permission does not lift a block', { blocking: true, permitted: true }, 'drop'],
  ])('%s', (_what, input, decision) => {
    expect(decide({ ...plain, ...input })).toBe(decision)
  })
})

describe('policy', () => {
  test.each<Row>([
    ['nobody filters by default', {}, 'create'],
    ['not followed', choose({ for_not_following: 'filter' }), 'filter'],
    ['not followed, dropped', choose({ for_not_following: 'drop' }), 'drop'],
    ['followed', { following: true, ...choose({ for_not_following: 'drop' }) }, 'create'],
    ['no follower', choose({ for_not_followers: 'filter' }), 'filter'],
    ['a follower since yesterday', { followedSince: NOW - DAY, ...choose({ for_not_followers: 'filter' }) }, 'filter'],
    ['a follower for 3 days', { followedSince: NOW - 3 * DAY, ...choose({ for_not_followers: 'filter' }) }, 'create'],
    ['followed but no follower', { following: true, ...choose({ for_not_followers: 'drop' }) }, 'drop'],
    [
      'a new account',
      { sender: { ...plain.sender, createdAt: NOW - 29 * DAY }, ...choose({ for_new_accounts: 'filter' }) },
      'filter',
    ],
    [
      'an account of 30 days',
      { sender: { ...plain.sender, createdAt: NOW - 30 * DAY }, ...choose({ for_new_accounts: 'filter' }) },
      'create',
    ],
    [
      'a new account that is followed',
      { following: true, sender: { ...plain.sender, createdAt: NOW }, ...choose({ for_new_accounts: 'drop' }) },
      'create',
    ],
    ['a private mention, as usual', { direct: true }, 'filter'],
    ['a private mention, dropped', { direct: true, ...choose({ for_private_mentions: 'drop' }) }, 'drop'],
    ['a private mention by somebody followed', { direct: true, following: true }, 'create'],
    ['an answer to a private mention of one’s own', { direct: true, wroteInThread: true }, 'create'],
    ['private favourites are no mentions', { direct: true, type: 'favourite' }, 'create'],
    ['a limited account, as usual', { sender: { ...plain.sender, limited: true } }, 'filter'],
    ['a limited account that is followed', { following: true, sender: { ...plain.sender, limited: true } }, 'create'],
    ['a bot', { sender: { ...plain.sender, bot: true }, ...choose({ for_bots: 'filter' }) }, 'filter'],
    [
      'a bot that is followed',
      { following: true, sender: { ...plain.sender, bot: true }, ...choose({ for_bots: 'drop' }) },
      'create',
    ],
    ['dropping wins', choose({ for_not_following: 'filter', for_not_followers: 'drop' }), 'drop'],
    ['a permission lifts all', { permitted: true, direct: true, ...choose({ for_not_following: 'drop' }) }, 'create'],
    ['staff is heard through a policy', { staff: true, ...choose({ for_not_following: 'drop' }) }, 'create'],
  ])('%s', (_what, input, decision) => {
    expect(decide({ ...plain, ...input })).toBe(decision)
  })

  test('the policy applies only to types that it may filter', () => {
    const dropped = NotificationType.options.filter(
      (type) => decide({ ...plain, type, ...choose({ for_not_following: 'drop' }) }) === 'drop',
    )
    expect(dropped).toEqual([
      'mention',
      'reblog',
      'favourite',
      'quote',
      'follow',
      'follow_request',
      'added_to_collection',
    ])
  })
})
