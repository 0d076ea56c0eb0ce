/** Failures: which are retryable, and which count as disturbances. */
import { expect, test } from 'vitest'
import { asFailure, defectIn, fail, invalidField, isRetryable, isTrouble, notYet } from './errors.js'

test('a failure of another server to respond is retryable, and no disturbance of this server', () => {
  const worth = (thrown: unknown) => [isRetryable(thrown), isTrouble(thrown)]
  expect(worth(notYet('The page cannot be read yet'))).toEqual([true, false])
  expect(worth(fail('unavailable', 'Try again in a moment'))).toEqual([true, true])
  expect(worth(new Error('a fault'))).toEqual([true, true])
  expect(worth(fail('conflict', 'Changed meanwhile'))).toEqual([true, true])
  expect(worth(invalidField("Title can't be blank"))).toEqual([false, false])
  expect(notYet('Later', { retryAfter: 30 })).toMatchObject({ code: 'unavailable', extras: { retryAfter: 30 } })
})

test('a defect of another service is one of this server, and a job that fails with it may be tried again', () => {
  const [own, reported] = [new TypeError('a defect'), asFailure(new TypeError('a defect'))]
  expect(defectIn(own)).toBe(own)
  expect(defectIn(reported)).toMatchObject({ name: 'Error', cause: reported })
  expect([isRetryable(reported), isRetryable(defectIn(reported))]).toEqual([false, true])
  expect([defectIn(fail('unavailable', 'Try again in a moment')), defectIn(fail('gone', 'Record not found'))]).toEqual([
    null,
    null,
  ])
})
