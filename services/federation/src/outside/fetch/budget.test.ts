/** How many new names are met, near enough for a limit. */
import type { Redis } from '@murmuration/cache'
import { expect, test } from 'vitest'
import { createMemory } from '../../memory.js'
import { createBudgets } from './budget.js'

test('hostile 107 of many new names below one domain ten are met within a minute, of others as many as there are', async () => {
  let now = 0
  const redis = { soft: async (_work: unknown, otherwise: unknown) => otherwise } as unknown as Redis
  const local = createMemory<number>({ most: 1_000, ttlMs: 60_000, now: () => now })
  const { mayMeet } = createBudgets({ redis, prefix: 'test', now: () => now, local })
  const meet = async (names: string[]) => (await Promise.all(names.map(mayMeet))).filter(Boolean).length
  const farm = Array.from({ length: 30 }, (_, i) => `a${i}.farm.example`)
  expect(await meet(farm)).toBe(10)
  expect(await meet(Array.from({ length: 30 }, (_, i) => `one${i}.example`))).toBe(30)
  now += 60_000
  expect(await meet(farm)).toBe(10)
})

test('of one keeper sixty things are heard within an hour, and ten times all who are in a collection are looked up', async () => {
  let now = 0
  const redis = { soft: async (_work: unknown, otherwise: unknown) => otherwise } as unknown as Redis
  const local = createMemory<number>({ most: 1_000, ttlMs: 7_200_000, now: () => now })
  const { mayTell, mayLook } = createBudgets({ redis, prefix: 'test', now: () => now, local })
  const allowed = async (may: (keeper: string) => Promise<boolean>, keeper: string) =>
    (await Promise.all(Array.from({ length: 100 }, () => may(keeper)))).filter(Boolean).length
  expect([await allowed(mayTell, 'a'), await allowed(mayTell, 'b')]).toEqual([60, 60])
  expect(await allowed(mayLook, 'a')).toBe(10)
  now += 3_600_000
  expect([await allowed(mayTell, 'a'), await allowed(mayLook, 'a')]).toEqual([60, 10])
})
