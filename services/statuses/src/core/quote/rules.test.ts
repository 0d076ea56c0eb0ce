/** Permission to quote, and the quote state that each viewer receives. */
import { describe, expect, test } from 'vitest'
import { policyBits, policyFor, policyGroups, quoteApproval, quoteLevelOf, quotePolicyOf, shownState } from './rules.js'

const near = (following: boolean, followed_by: boolean) => ({ following, followed_by })
const status = (quotePolicy: number, more: object = {}) => ({
  authorId: 'a',
  visibility: 'public' as const,
  isReblog: false,
  quotePolicy,
  ...more,
})

describe('policies', () => {
  test('policies of local statuses are names, and private statuses allow nobody', () => {
    for (const policy of ['nobody', 'followers', 'public'] as const)
      expect(quotePolicyOf(quoteLevelOf(policy))).toBe(policy)
    expect(quotePolicyOf(quoteLevelOf('circle' as 'public'))).toBe('nobody')
    expect([policyFor('unlisted', 'public'), policyFor('private', 'public'), policyFor('direct', 'public')]).toEqual([
      'public',
      'nobody',
      'nobody',
    ])
  })
  test('policies of remote statuses are groups, and are stored unchanged', () => {
    const said = { automatic: ['followers', 'following'] as const, manual: ['public', 'unsupported_policy'] as const }
    expect(policyGroups(policyBits(said))).toEqual({
      automatic: ['followers', 'following'],
      manual: ['public', 'unsupported_policy'],
    })
    expect(policyBits({ automatic: ['public'], manual: [] })).toBe(quoteLevelOf('public'))
  })
  test.each([
    ['v', 2, {}, near(false, false), 'automatic'],
    [null, 2, {}, undefined, 'denied'],
    ['v', 0, {}, near(true, true), 'denied'],
    ['a', 0, {}, undefined, 'automatic'],
    ['a', 0, { visibility: 'private' }, undefined, 'automatic'],
    ['a', 2, { visibility: 'direct' }, undefined, 'denied'],
    ['v', 2, { visibility: 'private' }, near(true, false), 'denied'],
    ['a', 2, { isReblog: true }, undefined, 'denied'],
    ['v', 1, {}, near(true, false), 'automatic'],
    ['v', 1, {}, near(false, true), 'denied'],
    ['v', 4, {}, near(false, true), 'automatic'],
    ['v', 1 | (2 << 4), {}, near(false, false), 'manual'],
    ['v', 8, {}, near(false, false), 'unknown'],
    ['v', 8 << 4, {}, undefined, 'unknown'],
  ] as const)('%# %s with policy %i', (viewer, policy, more, relationship, expected) => {
    expect(quoteApproval(viewer, status(policy, more), relationship).current_user).toBe(expected)
  })
})

describe('states', () => {
  const relationship = { blocking: false, domain_blocking: false, muting: false }
  const seen = { visible: true, own: false }
  test.each([
    ['pending', seen, relationship, 'pending'],
    ['revoked', null, undefined, 'revoked'],
    ['accepted', null, relationship, 'deleted'],
    ['accepted', { visible: false, own: false }, relationship, 'unauthorized'],
    ['accepted', seen, undefined, 'accepted'],
    ['accepted', seen, relationship, 'accepted'],
    ['accepted', seen, { ...relationship, muting: true }, 'muted_account'],
    ['accepted', seen, { ...relationship, domain_blocking: true, muting: true }, 'blocked_domain'],
    ['accepted', seen, { blocking: true, domain_blocking: true, muting: true }, 'blocked_account'],
    ['accepted', { visible: true, own: true }, { ...relationship, muting: true }, 'accepted'],
  ] as const)('%# %s', (stored, quoted, how, expected) => {
    expect(shownState(stored, quoted, how)).toBe(expected)
  })
})
