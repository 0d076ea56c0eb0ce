/** Table of visibility: which viewer sees which statuses. */
import type { AccountRelationship } from '@murmuration/contracts/accounts'
import { describe, expect, test } from 'vitest'
import { HELD, levelOf, maySee, narrower, VISIBILITIES, visibilityOf } from './rules.js'

const unrelated: AccountRelationship = {
  following: false,
  showing_reblogs: false,
  followed_by: false,
  followed_by_since: null,
  requested: false,
  blocking: false,
  blocked_by: false,
  muting: false,
  muting_notifications: false,
  domain_blocking: false,
}

const viewers = {
  author: { id: '1', relationship: undefined, mentioned: false },
  follower: { id: '2', relationship: { ...unrelated, following: true }, mentioned: false },
  requester: { id: '2', relationship: { ...unrelated, requested: true }, mentioned: false },
  followed: { id: '2', relationship: { ...unrelated, followed_by: true }, mentioned: false },
  mentioned: { id: '2', relationship: unrelated, mentioned: true },
  unrelated: { id: '2', relationship: unrelated, mentioned: false },
  muting: { id: '2', relationship: { ...unrelated, muting: true }, mentioned: false },
  blocking: { id: '2', relationship: { ...unrelated, blocking: true }, mentioned: false },
  blocked: { id: '2', relationship: { ...unrelated, blocked_by: true }, mentioned: false },
  'blocked follower': { id: '2', relationship: { ...unrelated, blocked_by: true, following: true }, mentioned: false },
  'blocked mentioned': { id: '2', relationship: { ...unrelated, blocked_by: true }, mentioned: true },
  unloaded: { id: '2', relationship: undefined, mentioned: true },
  anonymous: { id: null, relationship: undefined, mentioned: false },
} as const

/** One letter for each visibility that the viewer sees: public, unlisted, followers-only (private), direct. */
const table: Record<keyof typeof viewers, string> = {
  author: 'p u f d',
  follower: 'p u f -',
  requester: 'p u - -',
  followed: 'p u - -',
  mentioned: 'p u f d',
  unrelated: 'p u - -',
  muting: 'p u - -',
  blocking: 'p u - -',
  blocked: '- - - -',
  'blocked follower': '- - - -',
  'blocked mentioned': '- - - -',
  unloaded: '- - - -',
  anonymous: 'p u - -',
}

describe('A041 visibility', () => {
  for (const [who, letters] of Object.entries(table))
    VISIBILITIES.forEach((visibility, i) => {
      const expected = letters.split(' ')[i] !== '-'
      test(`${who} ${expected ? 'sees' : 'does not see'} ${visibility}`, () => {
        const { id, relationship, mentioned } = viewers[who as keyof typeof viewers]
        const status = { authorId: '1', visibility, held: false, authorSuspended: false, mentionsViewer: mentioned }
        expect(maySee(id, status, relationship)).toBe(expected)
        expect(maySee(id, { ...status, authorSuspended: true }, relationship)).toBe(false)
        expect(maySee(id, { ...status, authorSuspended: null }, relationship)).toBe(false)
        // A held status is visible to its author only, whatever its other properties.
        expect(maySee(id, { ...status, held: true }, relationship)).toBe(who === 'author')
      })
    })
})

test('stored numbers and names of visibilities match, and an unknown number counts as direct', () => {
  expect(VISIBILITIES.map(levelOf).map(visibilityOf)).toEqual(VISIBILITIES)
  expect(visibilityOf(9)).toBe('direct')
  expect(VISIBILITIES.map(levelOf)).not.toContain(HELD)
  expect(visibilityOf(HELD)).toBe('direct')
  expect(narrower('public', 'private')).toBe('private')
  expect(narrower('direct', 'unlisted')).toBe('direct')
  expect(visibilityOf(levelOf('circle' as 'public'))).toBe('direct')
  expect(narrower('circle' as 'public', 'private')).toBe('circle')
})
