/** Recipients of a status per visibility. */
import { expect, test } from 'vitest'
import { reachOf } from './reach.rules.js'

const input = {
  author: 'ada',
  mentions: ['rita', 'ada'],
  inReplyToAuthor: 'bob',
  reblogOfAuthor: 'carol',
  quotedAuthor: 'quentin',
}

test.each(['public', 'unlisted'] as const)(
  '%s: followers, those named, answered, boosted and quoted, and followers of the answered',
  (visibility) => {
    expect(reachOf({ ...input, visibility })).toEqual({
      followersOf: ['ada', 'bob'],
      accounts: ['rita', 'bob', 'carol', 'quentin'],
    })
  },
)

test('private: followers and mentioned accounts, not the author of the parent', () => {
  expect(reachOf({ ...input, visibility: 'private' })).toEqual({ followersOf: ['ada'], accounts: ['rita', 'carol'] })
})

test('direct: only mentioned accounts', () => {
  expect(reachOf({ ...input, visibility: 'direct' })).toEqual({ followersOf: [], accounts: ['rita'] })
})

test('a reply to oneself adds no recipient', () => {
  const it = {
    ...input,
    visibility: 'public' as const,
    inReplyToAuthor: 'ada',
    reblogOfAuthor: null,
    quotedAuthor: null,
    mentions: [],
  }
  expect(reachOf(it)).toEqual({ followersOf: ['ada'], accounts: [] })
})
