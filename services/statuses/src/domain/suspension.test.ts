/** When the statuses of suspended people of other servers are erased. */
import { expect, test } from 'vitest'
import { nextLook } from './suspension.js'

const day = (n: number) => new Date(n * 86_400_000)

test('moderation 1 of a blocked server after a day, of one person after thirty', () => {
  expect(nextLook(day(0), true, day(0.5))).toEqual(day(1))
  expect(nextLook(day(0), true, day(1))).toBe('erase')
  expect(nextLook(day(0), false, day(1))).toEqual(day(2))
  expect(nextLook(day(0), false, day(29.5))).toEqual(day(30))
  expect(nextLook(day(0), false, day(30))).toBe('erase')
})
