/** Problems of imports and IO that the check finds, and code that it accepts. */
import { expect, test } from 'vitest'
import { importProblems } from './imports.js'

const problemsOf = (path: string, text: string) => importProblems([{ path: `services/${path}`, text }])
const SQL = 'const rows = await db.query(sql`select 1`)'
const FALLBACK = 'const value = await ctx.redis.withFallback<string | null>((client) => client.get(key), null)'
const RUN = 'await redis.run((client) => client.del(key))'

test.each([
  ['SQL', 'admin/src/tag/operations.ts', SQL, /contains SQL/],
  ['SQL outside of modules', 'admin/src/context.ts', SQL, /contains SQL/],
  ['Redis commands with a fallback', 'federation/src/resolver/limits.ts', FALLBACK, /commands to Redis/],
  ['Redis commands without a fallback', 'statuses/src/feed/page.ts', RUN, /commands to Redis/],
  ['Redis commands in the edge', 'gateway/src/edge/limits.ts', 'redisCache.client.get(key)', /commands to Redis/],
  ['a Redis client', 'gateway/src/edge/limits.ts', 'const load = (client: RedisClient) => 1', /commands to Redis/],
])('the check refuses %s outside of store files', (_, path, text, words) => {
  expect(problemsOf(path, text).join('\n')).toMatch(words)
})

test('the check accepts SQL and Redis commands in store files and in tests', () => {
  for (const path of ['feed/store.ts', 'edge/admission/limits.store.ts', 'feed/page.test.ts'])
    expect(problemsOf(`gateway/src/${path}`, [SQL, FALLBACK, RUN].join('\n'))).toEqual([])
})

test('the check accepts a connection to Redis that is passed on', () => {
  const text =
    'const counts = createCounts({ redis })\nconst flight = createSingleFlight(redis, key)\nawait flight.run(name)'
  expect(problemsOf('gateway/src/edge/call/idempotency.ts', text)).toEqual([])
})
