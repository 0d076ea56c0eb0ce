/** Feeds after Redis returned to an earlier state or was emptied, with changes of feeds before the next check. */
import { createClient } from 'redis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../src/context.js'
import { checkFeeds } from '../src/feed/earlier-state.js'
import { type Harness, startHarness, statuses } from './harness.js'

const WRITERS = 'statuses:feed-writers'

let harness: Harness
let redis: ReturnType<typeof createClient>
let minutes = 0
beforeAll(async () => {
  harness = await startHarness()
  redis = createClient({ url: harness.cluster.env.REDIS_URL ?? '' })
  redis.on('error', () => {})
  await redis.connect()
})
afterAll(async () => {
  redis.destroy()
  await harness.stop()
})

/** Context of the service. Each has a later minute, because losses within one minute count as one. */
const context = (): Context => {
  const running = harness.cluster.host.running.find((one) => one.service === 'statuses')
  const ctx = running?.ctx as unknown as Context
  minutes += 2
  const now = Date.now() + minutes * 60_000
  return { ...ctx, clock: { ...ctx.clock, now: () => now } }
}

/** A reader whose feed contains one status of an author. */
const readerAndAuthor = async (name: string) => {
  const [reader, author] = [harness.fakes.fakeAccount(`${name}reader`), harness.fakes.fakeAccount(`${name}author`)]
  harness.fakes.follow(reader, author)
  const read = async () =>
    (await harness.cluster.call(statuses.homeTimeline, {}, harness.as(reader))).map((one) => one.id)
  const post = async (text: string): Promise<string> => {
    const { id } = await harness.post(author, text)
    await harness.cluster.waitForIdle()
    return id
  }
  await read()
  return { key: `statuses:feed:home:${reader.id}`, read, post, first: await post('kept') }
}

/** Posts a status, and returns Redis to the state before it. */
const loseOne = async ({ key, post }: Awaited<ReturnType<typeof readerAndAuthor>>): Promise<string> => {
  const writers = await redis.zRangeWithScores(WRITERS, 0, -1)
  const lost = await post('lost')
  expect(await redis.zRem(key, lost.padStart(19, '0'))).toBe(1)
  await redis.zAdd(WRITERS, writers)
  return lost
}

test('a loss is detected although the process changed feeds after it', async () => {
  const given = await readerAndAuthor('later')
  const lost = await loseOne(given)
  const [third, fourth] = [await given.post('after the loss'), await given.post('also after the loss')]
  expect(await given.read()).toEqual([fourth, third, given.first])
  await checkFeeds(context())
  await harness.cluster.waitForIdle()
  expect(await given.read()).toEqual([fourth, third, lost, given.first])
})

test('feeds are dropped at the next check if the job could not be queued', async () => {
  const given = await readerAndAuthor('again')
  const lost = await loseOne(given)
  const ctx = context()
  const tx = () => Promise.reject(new Error('PostgreSQL is unavailable'))
  await expect(checkFeeds({ ...ctx, db: { ...ctx.db, tx } })).rejects.toThrow('PostgreSQL is unavailable')
  expect(await given.read()).toEqual([given.first])
  await checkFeeds(ctx)
  await harness.cluster.waitForIdle()
  expect(await given.read()).toEqual([lost, given.first])
})

test('feeds of an emptied Redis are not dropped, although another process wrote first', async () => {
  const given = await readerAndAuthor('empty')
  await harness.wipeRedis()
  const score = Date.now() + 1
  await redis.zAdd(WRITERS, [
    { score, value: 'created' },
    { score, value: 'another process' },
  ])
  await given.read()
  const second = await given.post('after the wipe')
  await checkFeeds(context())
  await harness.cluster.waitForIdle()
  expect(await redis.zScore(given.key, '!')).toBe(0)
  const third = await given.post('after the check')
  expect(await given.read()).toEqual([third, second, given.first])
  const lost = await loseOne(given)
  await checkFeeds(context())
  await harness.cluster.waitForIdle()
  expect(await given.read()).toEqual([lost, third, second, given.first])
})
