/** Comparison of versions. */
import { expect, test } from 'vitest'
import { isAtLeast } from './machine.mjs'

test('versions are compared number by number, not as text', () => {
  expect(isAtLeast('20.19.0', '20.19.0')).toBe(true)
  expect(isAtLeast('20.9.0', '20.19.0')).toBe(false)
  expect(isAtLeast('24.0.0', '20.19.0')).toBe(true)
  expect(isAtLeast('7.0', '6.2.0')).toBe(true)
  expect(isAtLeast('2.9.10-rc1', '2.9.0')).toBe(true)
  expect(isAtLeast('0', '2.9.0')).toBe(false)
})
