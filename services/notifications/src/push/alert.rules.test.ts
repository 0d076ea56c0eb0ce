/** Notifications that a subscription gets. */
import { expect, test } from 'vitest'
import { isPushed, type PushInput } from './alert.rules.js'

const base: PushInput = {
  policy: 'all',
  alert: true,
  filtered: false,
  ageSeconds: 0,
  following: false,
  followedBy: false,
}

test.each<[string, Partial<PushInput>, boolean]>([
  ['all: everybody', {}, true],
  ['followed: people the recipient follows', { policy: 'followed', following: true }, true],
  ['followed: not followers', { policy: 'followed', followedBy: true }, false],
  ['follower: people who follow the recipient', { policy: 'follower', followedBy: true }, true],
  ['follower: not people followed', { policy: 'follower', following: true }, false],
  ['none: nobody', { policy: 'none', following: true, followedBy: true }, false],
  ['a policy of a newer release', { policy: 'mutuals' as 'all', following: true, followedBy: true }, false],
  ['an alert that is off', { alert: false }, false],
  ['filtered', { filtered: true }, false],
  ['48 hours old', { ageSeconds: 172_800 }, true],
  ['older', { ageSeconds: 172_801 }, false],
])('S-056 S-183 %s', (_what, input, pushed) => {
  expect(isPushed({ ...base, ...input })).toBe(pushed)
})
