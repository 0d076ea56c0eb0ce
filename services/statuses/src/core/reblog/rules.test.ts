/** Permission to boost, and visibility of boosts. */
import { expect, test } from 'vitest'
import { mayReblog, reblogVisibility } from './rules.js'

test.each([
  ['public', true, true],
  ['unlisted', true, true],
  ['private', true, false],
  ['direct', false, false],
] as const)('%s: own %s, of others %s', (visibility, own, others) => {
  expect(mayReblog('1', { authorId: '1', visibility })).toBe(own)
  expect(mayReblog('1', { authorId: '2', visibility })).toBe(others)
})

test('a boost has the requested visibility, but is private if the original is private', () => {
  expect(reblogVisibility('public', null, 'unlisted', false)).toBe('unlisted')
  expect(reblogVisibility('public', 'private', 'public', false)).toBe('private')
  expect(reblogVisibility('private', 'public', 'public', false)).toBe('private')
  expect(reblogVisibility('public', null, 'direct', false)).toBe('private')
  expect(reblogVisibility('public', 'public', 'public', true)).toBe('unlisted')
  expect(() => reblogVisibility('public', 'direct', 'public', false)).toThrow('Visibility is not included in the list')
  expect(() => reblogVisibility('public', 'limited', 'public', false)).toThrow('Visibility is not included in the list')
})
