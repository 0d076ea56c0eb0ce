/** A memory that never grows beyond its bound and forgets in time. */
import { expect, test } from 'vitest'
import { createMemory } from './memory.js'

test('hostile 19 the least recently used leave first, so that strangers cannot fill it', () => {
  const memory = createMemory<number>({ most: 3, ttlMs: 1_000, now: () => 0 })
  for (let n = 0; n < 100_000; n++) {
    memory.set(`key ${n}`, n)
    memory.get('key 0')
  }
  expect(memory.size).toBe(3)
  expect(memory.get('key 0')).toBe(0)
  expect(memory.get('key 99999')).toBe(99_999)
  expect(memory.get('key 500')).toBe(undefined)
})

test('entries end after their time, which may differ', () => {
  let now = 0
  const memory = createMemory<string>({ most: 10, ttlMs: 1_000, now: () => now })
  memory.set('usual', 'a')
  memory.set('short', 'b', 10)
  now = 11
  expect([memory.get('usual'), memory.get('short')]).toEqual(['a', undefined])
  now = 1_001
  expect(memory.get('usual')).toBe(undefined)
})

test('some or all can be forgotten at once', () => {
  const memory = createMemory<number>({ most: 10, ttlMs: 1_000, now: () => 0 })
  for (const n of [1, 2, 3]) memory.set(String(n), n)
  memory.forget((n) => n > 1)
  expect([memory.get('1'), memory.get('2')]).toEqual([1, undefined])
  memory.forget()
  expect(memory.size).toBe(0)
})
