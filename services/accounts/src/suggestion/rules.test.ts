/** Tests of merging suggestions of several sources. */
import { expect, test } from 'vitest'
import { handlesIn, suggestionsFrom } from './rules.js'

test('an account of several sources is suggested once, at its first position, with all reasons', () => {
  expect(
    suggestionsFrom([
      ['featured', ['2']],
      ['friends_of_friends', ['1', '2']],
      ['most_followed', ['3', '1']],
    ]),
  ).toEqual([
    { id: '2', source: 'staff', sources: ['featured', 'friends_of_friends'] },
    { id: '1', source: 'past_interactions', sources: ['friends_of_friends', 'most_followed'] },
    { id: '3', source: 'global', sources: ['most_followed'] },
  ])
})

test('handles are separated by commas, spaces or lines', () => {
  expect(handlesIn(' alice, @bob@example.org\n carol ')).toEqual(['alice', 'bob@example.org', 'carol'])
  expect(handlesIn('')).toEqual([])
})
