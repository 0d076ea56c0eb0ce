/** Recipients of a status per visibility: never more than may see it. */
import { expect, test } from 'vitest'
import { reachOf } from './reach.rules.js'

const facts = {
  author: 'ada',
  mentions: ['rita', 'ada'],
  inReplyToAuthor: 'bob',
  reblogOfAuthor: 'carol',
  quotedAuthor: 'quentin',
}

test.each(['public', 'unlisted'] as const)(
  '%s: followers, those named, answered, boosted and quoted, and followers of the answered',
  (visibility) => {
    expect(reachOf({ ...facts, visibility })).toEqual({
      followersOf: ['ada', 'bob'],
      people: ['rita', 'bob', 'carol', 'quentin'],
    })
  },
)

test('private: followers and those named, not who is answered', () => {
  expect(reachOf({ ...facts, visibility: 'private' })).toEqual({ followersOf: ['ada'], people: ['rita', 'carol'] })
})

test('direct: those named alone', () => {
  expect(reachOf({ ...facts, visibility: 'direct' })).toEqual({ followersOf: [], people: ['rita'] })
})

test('an answer to oneself adds nobody', () => {
  const it = {
    ...facts,
    visibility: 'public' as const,
    inReplyToAuthor: 'ada',
    reblogOfAuthor: null,
    quotedAuthor: null,
    mentions: [],
  }
  expect(reachOf(it)).toEqual({ followersOf: ['ada'], people: [] })
})
