/** Consequences of actions in a preview. */
import { expect, test } from 'vitest'
import { consequenceOf } from './rules.js'

const planned = { isLocal: true, posts: 40, follows: { followers: 7, following: 3 }, statusIds: ['1', '2'] }
const NONE = { followers_lost: 0, follows_lost: 0, posts_hidden: 0, deleted_after_days: null }

test.each([
  ['none', { ...NONE, reversible: false }],
  ['silence', { ...NONE, reversible: true }],
  ['mark_statuses_as_sensitive', { ...NONE, reversible: true }],
  ['delete_statuses', { ...NONE, posts_hidden: 2, reversible: false }],
  ['suspend', { followers_lost: 7, follows_lost: 3, posts_hidden: 40, deleted_after_days: 30, reversible: true }],
] as const)('the consequence of %s', (type, consequence) => {
  expect(consequenceOf({ ...planned, type })).toEqual(consequence)
})

test('data of a remote account is not deleted after a suspension', () => {
  expect(consequenceOf({ ...planned, type: 'suspend', isLocal: false })).toMatchObject({
    posts_hidden: 40,
    deleted_after_days: null,
  })
})
