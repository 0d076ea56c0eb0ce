/** Failed attempts: which are repeated, and which are logged. */
import { expect, test } from 'vitest'
import { fail, invalidField, isRetryable, isTrouble, notYet } from './errors.js'

test('another server that does not answer is tried again, and is no trouble of ours', () => {
  const worth = (thrown: unknown) => [isRetryable(thrown), isTrouble(thrown)]
  expect(worth(notYet('The page cannot be read yet'))).toEqual([true, false])
  expect(worth(fail('unavailable', 'Try again in a moment'))).toEqual([true, true])
  expect(worth(new Error('a fault'))).toEqual([true, true])
  expect(worth(fail('conflict', 'Changed meanwhile'))).toEqual([true, true])
  expect(worth(invalidField("Title can't be blank"))).toEqual([false, false])
  expect(notYet('Later', { retryAfter: 30 })).toMatchObject({ code: 'unavailable', extras: { retryAfter: 30 } })
})
