/** Tests of the rules of collections, without a store. */
import { expect, test } from 'vitest'
import { collectionText, mayBeFeatured, mayBeFeaturedBy, showsItem, stateAfterResponse } from './rules.js'

const usual = { blocking: false, blocked_by: false, following: false, followed_by: false }
const open = { id: '2', domain: null, discoverable: true, locked: false, suspended: false, feature_policy: null }

test.each([
  ['an open account that is discoverable', {}, {}, true],
  ['one without a setting for discovery', { discoverable: null }, {}, false],
  ['one that is not discoverable, although it follows', { discoverable: false }, { followed_by: true }, false],
  ['a locked one', { locked: true }, {}, false],
  ['a locked one that follows the owner', { locked: true }, { followed_by: true }, true],
  ['one that blocks the owner', {}, { blocked_by: true }, false],
  ['one that the owner blocks', {}, { blocking: true }, false],
  ['a suspended one', { suspended: true }, {}, false],
  ['the owner, however hidden', { id: '1', discoverable: false, locked: true }, {}, true],
])('whether %s may be featured follows the table', (_name, account, relationship, expected) => {
  expect(mayBeFeatured({ ...open, ...account }, '1', { ...usual, ...relationship })).toBe(expected)
})

const elsewhere = { ...open, domain: 'far.example' }
type Group = 'public' | 'followers' | 'following' | 'unsupported_policy'
test.each<[string, { automatic?: Group[]; manual?: Group[] } | null, object, boolean]>([
  ['have no policy', null, { following: true, followed_by: true }, false],
  ['let nobody', {}, { following: true, followed_by: true }, false],
  ['let everybody feature them', { automatic: ['public'] }, {}, true],
  ['let everybody ask', { manual: ['public'] }, {}, true],
  ['let their followers, and the owner is none', { automatic: ['followers'] }, { followed_by: true }, false],
  ['let their followers, and the owner is one', { automatic: ['followers'] }, { following: true }, true],
  ['let accounts they follow, and the owner is not one', { manual: ['following'] }, { following: true }, false],
  ['let accounts they follow, and the owner is one', { manual: ['following'] }, { followed_by: true }, true],
  ['have a policy that this server cannot evaluate', { automatic: ['unsupported_policy'] }, {}, true],
  ['let everybody, and block the owner', { automatic: ['public'] }, { blocked_by: true }, false],
])('FEP-7aa9: requests follow the policy of remote accounts that %s', (_name, policy, relationship, expected) => {
  const feature_policy = policy && { automatic: [], manual: [], ...policy }
  const account = { ...elsewhere, discoverable: false, locked: true, feature_policy }
  expect(mayBeFeatured(account, '1', { ...usual, ...relationship })).toBe(expected)
})

test('an account without a known relationship to the owner is not featured', () => {
  expect(mayBeFeatured(open, '1', undefined)).toBe(false)
})

test.each([
  ['an open account that is discoverable', {}, {}, true],
  ['one that is not discoverable', { discoverable: false }, { followed_by: true }, false],
  ['a locked one', { locked: true }, {}, false],
  ['a locked one that the owner follows', { locked: true }, { followed_by: true }, true],
  ['one that blocks the owner', {}, { blocking: true }, false],
  ['one that the owner blocks', {}, { blocked_by: true }, false],
  ['one that blocks the server of the owner', {}, { domain_blocking: true }, false],
  ['a suspended one', { suspended: true }, {}, false],
])(
  'FEP-7aa9: whether %s may be featured by a remote owner follows its actor document',
  (_name, account, relationship, expected) => {
    const open = { discoverable: true, locked: false, suspended: false, ...account }
    expect(mayBeFeaturedBy(open, { ...usual, domain_blocking: false, ...relationship })).toBe(expected)
    expect(mayBeFeaturedBy(open, undefined)).toBe(false)
  },
)

test('a response changes open items and no closed ones', () => {
  expect([stateAfterResponse('pending', true), stateAfterResponse('accepted', true)]).toEqual(['accepted', 'accepted'])
  expect([stateAfterResponse('pending', false), stateAfterResponse('accepted', false)]).toEqual([
    'rejected',
    'rejected',
  ])
  expect([
    stateAfterResponse('rejected', true),
    stateAfterResponse('revoked', true),
    stateAfterResponse('revoked', false),
  ]).toEqual([null, null, null])
})

test('an absent field keeps its value, an empty one is cleared', () => {
  const before = { name: 'Birds', description: 'All of them', language: 'en', tag: 'birds' }
  expect(collectionText({}, before)).toEqual(before)
  expect(collectionText({ description: '', language: null, tag_name: null }, before)).toEqual({
    name: 'Birds',
    description: '',
    language: null,
    tag: null,
  })
  expect(collectionText({ name: ' Räuber ', tag_name: '#Räuber' }, before)).toMatchObject({
    name: 'Räuber',
    tag: 'rauber',
  })
})

test('validation errors are nested under `error`, with a code per field', () => {
  const refuse = (typed: object) => {
    try {
      collectionText(typed, null)
    } catch (error) {
      // Error texts are English strings in the response.
      return JSON.parse(JSON.stringify(error))
    }
  }
  expect(refuse({ name: '', description: 'x'.repeat(101), language: 'klingon', tag_name: '2024' })).toMatchObject({
    status: 422,
    extras: {
      body: {
        error: {
          error:
            "Validation failed: Name can't be blank, Description is too long (maximum is 100 characters), Language is not included in the list, Tag may not be used",
          details: {
            name: [{ error: 'ERR_BLANK', description: "can't be blank" }],
            description: [{ error: 'ERR_TOO_LONG', description: 'is too long (maximum is 100 characters)' }],
            language: [{ error: 'ERR_INCLUSION', description: 'is not included in the list' }],
            tag: [{ error: 'ERR_INVALID', description: 'may not be used' }],
          },
        },
      },
    },
  })
  expect(refuse({ name: 'ä'.repeat(41) })).toMatchObject({
    text: 'Validation failed: Name is too long (maximum is 40 characters)',
  })
  expect(refuse({ name: 'ä'.repeat(40) })).toBeUndefined()
})

test('others see accounts that agreed, each account sees itself, the owner sees all', () => {
  const item = (state: 'pending' | 'accepted' | 'revoked') => ({ state, account_id: '5' })
  const seen = (viewer: string | null) =>
    (['pending', 'accepted', 'revoked'] as const).filter((state) => showsItem(item(state), '1', viewer))
  expect(seen(null)).toEqual(['accepted'])
  expect(seen('9')).toEqual(['accepted'])
  expect(seen('5')).toEqual(['pending', 'accepted'])
  expect(seen('1')).toEqual(['pending', 'accepted', 'revoked'])
})
