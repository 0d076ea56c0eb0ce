/** Tests of deadlines that attempts share. */
import { afterEach, expect, test, vi } from 'vitest'
import { createDeadline } from './deadline.js'

afterEach(() => vi.restoreAllMocks())

test('an attempt gets the time that earlier attempts left, and is not begun with too little', () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000)
  const deadline = createDeadline(5_000)
  expect([deadline.left(), deadline.allowsAttempt()]).toEqual([5_000, true])
  clock.mockReturnValue(5_500)
  expect([deadline.left(), deadline.allowsAttempt()]).toEqual([500, true])
  clock.mockReturnValue(5_501)
  expect([deadline.left(), deadline.allowsAttempt()]).toEqual([499, false])
  clock.mockReturnValue(9_000)
  expect([deadline.left(), deadline.allowsAttempt()]).toEqual([0, false])
})
