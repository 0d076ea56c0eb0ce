/** First ids of points in time. */
import { expect, test } from 'vitest'
import { idAt } from './id-time.rules.js'

test.each([
  [0, '0'],
  [-5, '0'],
  [1, '65536'],
  [Date.UTC(2026, 0, 1), (BigInt(Date.UTC(2026, 0, 1)) * 65_536n).toString()],
  [Number.POSITIVE_INFINITY, '9223372036854775807'],
])('the first id of %d is %s', (ms, id) => {
  expect(idAt(ms)).toBe(id)
})
