/** Texts that staff writes. */
import { expect, test } from 'vitest'
import { staffTextOf } from './staff-text.rules.js'

test('a text of staff is trimmed, and neither blank nor too long', () => {
  expect(staffTextOf(' spam ')).toBe('spam')
  expect(() => staffTextOf(' \n')).toThrow("Text can't be blank")
  expect(() => staffTextOf('x'.repeat(2_001))).toThrow('Text is too long (maximum is 2000 characters)')
})
