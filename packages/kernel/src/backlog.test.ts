/** The bound on the age of a waiting message in a stream that the service may not read. */
import { expect, test } from 'vitest'
import { boundOf } from './backlog.js'

test.each([
  ['of the newest message that came here', { newest: 9_000, idle: 0, since: 5_000 }, 1_000],
  ['of a message that is older than the process', { newest: 2_000, idle: 0, since: 5_000 }, 8_000],
  ['of the last idle moment, when that is later', { newest: 2_000, idle: 9_500, since: 1_000 }, 500],
  ['of the process, when nothing is known', { newest: 0, idle: 0, since: 7_000 }, 3_000],
  ['zero, when the clock of the bus is ahead', { newest: 10_500, idle: 0, since: 0 }, 0],
])('the bound is the age %s', (_what, seen, age) => {
  expect(boundOf(seen, 10_000)).toBe(age)
})
