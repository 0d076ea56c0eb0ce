/** Texts that are an emoji, and names of custom emoji. */
import { expect, test } from 'vitest'
import { emojiIn, isEmojiName } from './rules.js'

test.each([
  ['❤', '❤️'],
  ['❤️', '❤️'],
  ['❤\ufe0e', '❤️'],
  ['👍\ufe0e', '👍'],
  ['👍', '👍'],
  ['👍🏽', '👍🏽'],
  ['☝🏽', '☝🏽'],
  ['☝', '☝️'],
  ['👩‍👩‍👧', '👩‍👩‍👧'],
  ['🤷‍♀', '🤷‍♀️'],
  ['🏳‍🌈', '🏳️‍🌈'],
  ['🇯🇵', '🇯🇵'],
  ['1⃣', '1️⃣'],
  ['©', '©️'],
])('%s is stored as %s', (given, stored) => {
  expect(emojiIn(given)).toBe(stored)
})

test.each(['', 'lol', '1', '#', '👍👍', '👍 ', ':blob:', '<b>', '🇯', 'x'.repeat(100)])(
  '%j is not an emoji',
  (given) => {
    expect(emojiIn(given)).toBeNull()
  },
)

test('names of custom emoji may be in any script', () => {
  expect(['blob', 'blob.cat', 'ねこ', 'a_b-c+1'].every(isEmojiName)).toBe(true)
  expect(['', 'a b', 'a/b', 'a@b', '<b>', 'x'.repeat(300)].some(isEmojiName)).toBe(false)
})
