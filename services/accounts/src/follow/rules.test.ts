/** Tests of all outcomes of a follow. */
import { expect, test } from 'vitest'
import { followOutcome, maxFollows } from './rules.js'

const party = {
  id: '1',
  domain: null,
  locked: false,
  silenced: false,
  suspended: false,
  usable: true,
  moved_to_id: null,
}
const apart = { following: false, requested: false, blocking: false, blocked_by: false, domain_blocking: false }

test.each([
  ['absent', null, {}, 'hidden'],
  ['suspended', { suspended: true }, {}, 'hidden'],
  ['not confirmed', { usable: false }, {}, 'hidden'],
  ['moved away', { moved_to_id: '9' }, {}, 'refused'],
  ['blocked by the viewer', {}, { blocking: true }, 'refused'],
  ['blocking the viewer', {}, { blocked_by: true }, 'refused'],
  ['of a blocked domain', { domain: 'x.example' }, { domain_blocking: true }, 'refused'],
  ['followed already', { locked: true }, { following: true }, 'change-follow'],
  ['asked already', {}, { requested: true }, 'change-request'],
  ['locked', { locked: true }, {}, 'request'],
  ['remote', { domain: 'x.example' }, {}, 'request'],
  ['unlocked and local', {}, {}, 'follow'],
] as const)('the outcome of following an account that is %s follows the table', (_name, to, relationship, outcome) => {
  expect(followOutcome(party, to && { ...party, ...to }, { ...apart, ...relationship })).toBe(outcome)
})

test('a follow by a limited account is a request', () => {
  expect(followOutcome({ ...party, silenced: true }, party, apart)).toBe('request')
})

test('an account with many followers has a higher limit of follows', () => {
  expect([0, 6_000, 10_000].map(maxFollows)).toEqual([7_500, 7_500, 11_000])
})
