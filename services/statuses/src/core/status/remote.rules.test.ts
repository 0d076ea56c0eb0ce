/** Times and origins of remote statuses. */
import { expect, test } from 'vitest'
import { isEditNewer, isOfOrigin, isRecent, publishedAt, timeOrNull } from './remote.rules.js'

const now = Date.UTC(2026, 4, 1)

test.each([
  ['what it says', '2026-04-30T10:00:00Z', '2026-04-30T10:00:00.000Z'],
  ['never in the future', '2031-01-01T00:00:00Z', '2026-05-01T00:00:00.000Z'],
  ['never absurdly long ago', '0001-01-01T00:00:00Z', '2026-05-01T00:00:00.000Z'],
  ['arrival when it says nothing', 'yesterday', '2026-05-01T00:00:00.000Z'],
])('%s', (_name, published, expected) => {
  expect(publishedAt(published, now).toISOString()).toBe(expected)
})

test('only a newer edit is applied', () => {
  const stored = new Date('2026-04-01T00:00:00Z')
  expect(isEditNewer('2026-04-02T00:00:00Z', stored)).toBe(true)
  expect(isEditNewer('2026-04-01T00:00:00Z', stored)).toBe(false)
  expect(isEditNewer('2026-03-01T00:00:00Z', null)).toBe(true)
  expect(isEditNewer('nonsense', null)).toBe(false)
})

test('only recent statuses enter feeds', () => {
  expect(isRecent(new Date(now - 5 * 3_600_000), now)).toBe(true)
  expect(isRecent(new Date(now - 7 * 3_600_000), now)).toBe(false)
  expect(timeOrNull('nonsense')).toBeNull()
})

test.each([
  ['https://far.example/notes/1', 'https://far.example/users/dan', true],
  ['https://far.example/notes/1', 'https://FAR.example:443/users/dan', true],
  ['https://far.example/notes/1', 'http://far.example/users/dan', false],
  ['https://far.example:8443/notes/1', 'https://far.example/users/dan', false],
  ['https://evil.example/notes/1', 'https://far.example/users/dan', false],
  ['data:text/plain,x', 'data:text/plain,y', false],
  ['nonsense', 'nonsense', false],
])('A001 %s belongs to the server of %s: %s', (address, other, expected) => {
  expect(isOfOrigin(address, other)).toBe(expected)
})
