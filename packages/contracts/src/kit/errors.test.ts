/** Failures: which are retryable, and which count as disturbances. */
import { expect, test } from 'vitest'
import { fail, invalidField, isRetryable, isTrouble, notYet } from './errors.js'

test('a failure of another server to respond is retryable, and no disturbance of this server', () => {
  const worth = (thrown: unknown) => [isRetryable(thrown), isTrouble(thrown)]
  expect(worth(notYet('The page cannot be read yet'))).toEqual([true, false])
  expect(worth(fail('unavailable', 'Try again in a moment'))).toEqual([true, true])
  expect(worth(new Error('a fault'))).toEqual([true, true])
  expect(worth(fail('conflict', 'Changed meanwhile'))).toEqual([true, true])
  expect(worth(invalidField("Title can't be blank"))).toEqual([false, false])
  expect(notYet('Later', { retryAfter: 30 })).toMatchObject({ code: 'unavailable', extras: { retryAfter: 30 } })
})
