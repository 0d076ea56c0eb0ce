/** Tests of locks by key. */
import { expect, test } from 'vitest'
import { createKeyedLimiter } from './keyed-limit.js'
import type { Release } from './limit.js'

test('callers with one key wait for each other, and those with other keys do not', async () => {
  const lock = createKeyedLimiter({ concurrency: 1 })
  const first = lock.enter('a') as Release
  const second = lock.enter('a')
  expect(second).toBeInstanceOf(Promise)
  ;(lock.enter('b') as Release)()
  first()
  const release = await second
  expect([lock.isBusy('a'), lock.isBusy('b')]).toEqual([true, false])
  release()
  expect(lock.isBusy('a')).toBe(false)
})

test('a caller that gives up or is refused does not keep its key', async () => {
  const lock = createKeyedLimiter({ concurrency: 1, queue: 1 })
  const first = lock.enter('a') as Release
  const caller = new AbortController()
  const second = lock.enter('a', caller.signal)
  expect(() => lock.enter('a')).toThrow()
  caller.abort(new Error('it is over'))
  await expect(second).rejects.toThrow('it is over')
  first()
  expect(lock.isBusy('a')).toBe(false)
})
