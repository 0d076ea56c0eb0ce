/** Numbered Redis databases, so that simultaneous test files do not share keys. */

/**
 * Number of Redis databases for one group of tests. `bin/test.mjs` runs three groups concurrently, and gives each group
 * its own first database.
 */
const COUNT = 5

/** URL of a Redis database that no other running test file uses. `index` replaces the number of the test worker. */
export const testRedisUrl = (index = Number(process.env.VITEST_POOL_ID ?? 0)): string => {
  const url = new URL(process.env.REDIS_URL ?? 'redis://127.0.0.1:6379')
  url.pathname = `/${Number(process.env.TEST_REDIS_FIRST ?? 1) + (index % COUNT)}`
  return url.toString()
}
