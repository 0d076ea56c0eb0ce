/** Clearing of caches by staff: new generations and an event for the audit log. A dry run changes nothing. */
import { sql } from '@murmuration/db'
import { createClient } from 'redis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness, statuses } from './harness.js'

let harness: Harness
let redis: ReturnType<typeof createClient>
beforeAll(async () => {
  harness = await startHarness()
  redis = createClient({ url: harness.cluster.env.REDIS_URL ?? '' })
  await redis.connect()
})
afterAll(async () => {
  redis.destroy()
  await harness.stop()
})

const clear = (input: object) => harness.cluster.call(statuses.clearCache, input)
const events = async () =>
  (
    await harness.cluster
      .db('statuses')
      .rows<{ data: string }>(
        sql`select data from outbox where subject = ${statuses.cachesManaged.subject} order by id`,
      )
  ).map((row) => JSON.parse(row.data))

test('clearing caches starts a generation of each kind and is announced; a dry run changes nothing', async () => {
  expect(await clear({ dry_run: true })).toEqual({ kinds: ['statuses', 'translations'], within: 15 })
  expect([await redis.keys('statuses:cache-generation:*'), await events()]).toEqual([[], []])
  expect(await clear({ kinds: ['translations'] })).toMatchObject({ kinds: ['translations'] })
  const first = await redis.get('statuses:cache-generation:translations')
  await clear({})
  expect(await redis.get('statuses:cache-generation:translations')).not.toBe(first)
  expect((await redis.keys('statuses:cache-generation:*')).length).toBe(2)
  expect(await events()).toMatchObject([
    { by: null, action: 'clear_caches', target: 'translations' },
    { action: 'clear_caches', target: 'statuses, translations' },
  ])
})
