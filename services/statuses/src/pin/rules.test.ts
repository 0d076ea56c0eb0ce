/** Rules of pins. */
import { expect, test } from 'vitest'
import { pinProblem } from './rules.js'

test('S-011 an own status can be pinned unless it is direct or a boost', () => {
  const own = { authorId: '1', isReblog: false, visibility: 'private' } as const
  expect(pinProblem('1', own)).toBeNull()
  expect(String(pinProblem('1', { ...own, visibility: 'direct' }))).toMatch(/only visible to mentioned/)
  expect(String(pinProblem('1', { ...own, isReblog: true }))).toBe('A boost cannot be pinned')
  expect(String(pinProblem('2', { ...own, visibility: 'public' }))).toBe("Someone else's post cannot be pinned")
})
