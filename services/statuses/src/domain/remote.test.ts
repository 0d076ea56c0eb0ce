/** Remote times are believed within reason. */
import { expect, test } from 'vitest'
import { isEditNewer, publishedAt } from './remote.js'

const now = Date.UTC(2026, 4, 1)

test.each([
  ['what it says', '2026-04-30T10:00:00Z', '2026-04-30T10:00:00.000Z'],
  ['never in the future', '2031-01-01T00:00:00Z', '2026-05-01T00:00:00.000Z'],
  ['never absurdly long ago', '0001-01-01T00:00:00Z', '2026-05-01T00:00:00.000Z'],
  ['arrival when it says nothing', 'yesterday', '2026-05-01T00:00:00.000Z'],
])('%s', (_name, published, expected) => {
  expect(publishedAt(published, now).toISOString()).toBe(expected)
})

test('only a newer edit counts', () => {
  const stored = new Date('2026-04-01T00:00:00Z')
  expect(isEditNewer('2026-04-02T00:00:00Z', stored)).toBe(true)
  expect(isEditNewer('2026-04-01T00:00:00Z', stored)).toBe(false)
  expect(isEditNewer('2026-03-01T00:00:00Z', null)).toBe(true)
  expect(isEditNewer('nonsense', null)).toBe(false)
})
