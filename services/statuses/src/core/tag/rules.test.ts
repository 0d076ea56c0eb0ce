/** Valid hashtags, and their history by day. */
import { expect, test } from 'vitest'
import { dayOfUse, historyOf, lastDays, namedTag } from './rules.js'

const now = Date.parse('2026-03-02T10:00:00Z')

test.each([
  ['Cats', { name: 'cats', display: 'Cats' }],
  ['#Café', { name: 'cafe', display: 'Café' }],
  [' ＃日本 ', { name: '日本', display: '日本' }],
  ['a·b', { name: 'a·b', display: 'a·b' }],
])('S-119 %s is a hashtag', (given, tag) => {
  expect(namedTag(given)).toEqual(tag)
})

test.each(['', '#', '123', 'two words', 'a-b', '##a', 'a/b', 'x'.repeat(501)])('S-119 %j is not a hashtag', (given) => {
  expect(namedTag(given)).toBeNull()
})

test('days are counted back across the end of a month', () => {
  expect(lastDays(now, 3)).toEqual(['2026-03-02', '2026-03-01', '2026-02-28'])
})

test('a use counts for its day, and is dropped after two weeks', () => {
  expect(dayOfUse(now, now)).toBe('2026-03-02')
  expect(dayOfUse(now - 13 * 86_400_000, now)).toBe('2026-02-17')
  expect(dayOfUse(now - 14 * 86_400_000, now)).toBeNull()
  expect(dayOfUse(now + 86_400_000, now)).toBe('2026-03-02')
})

test('a history has seven days, with all values as text', () => {
  const history = historyOf([{ day: '2026-03-01', uses: 3, accounts: 2 }], now)
  expect(history).toHaveLength(7)
  expect(history[0]).toEqual({ day: '1772409600', uses: '0', accounts: '0' })
  expect(history[1]).toEqual({ day: '1772323200', uses: '3', accounts: '2' })
})
