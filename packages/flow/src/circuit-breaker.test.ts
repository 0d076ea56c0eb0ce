/** Tests of circuit breakers. */
import { expect, test } from 'vitest'
import { createCircuitBreaker } from './circuit-breaker.js'

const setUp = (options: { resetMs?: number } = {}) => {
  let now = 0
  const breaker = createCircuitBreaker({ failures: 2, openMs: 1_000, max: 2, now: () => now, ...options })
  return {
    breaker,
    pass: (ms: number) => {
      now += ms
    },
  }
}

test('consecutive failures open a breaker for a while, and the one that opened it is known', () => {
  const { breaker, pass } = setUp()
  expect([1, 2, 3].map(() => breaker.failed('a'))).toEqual([false, true, false])
  expect([breaker.isOpen('a'), breaker.isOpen('b')]).toEqual([true, false])
  pass(1_001)
  expect([breaker.isOpen('a'), breaker.failed('a'), breaker.isOpen('a')]).toEqual([false, false, false])
})

test('a success closes the breaker', () => {
  const { breaker } = setUp()
  breaker.failed('a')
  breaker.failed('a')
  breaker.succeeded('a')
  expect([breaker.isOpen('a'), breaker.failed('a'), breaker.isOpen('a')]).toEqual([false, false, false])
})

test('failures that are not forgotten open it again after one more', () => {
  const { breaker, pass } = setUp({ resetMs: 0 })
  breaker.failed()
  breaker.failed()
  pass(1_001)
  expect(breaker.isOpen()).toBe(false)
  breaker.failed()
  expect(breaker.isOpen()).toBe(true)
})

test('the number of keys is bounded', () => {
  const { breaker } = setUp()
  for (const key of ['a', 'b', 'c']) for (let n = 0; n < 2; n++) breaker.failed(key)
  expect(['a', 'b', 'c'].map((key) => breaker.isOpen(key))).toEqual([false, true, true])
})
