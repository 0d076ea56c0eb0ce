/** Feeds after Redis returned to an earlier state or was emptied, with changes of feeds before the next check. */
import { openRedis } from '@murmuration/cache'
import { createClient } from 'redis'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Context } from '../src/context.js'
import { checkFeeds } from '../src/feed/earlier-state.js'
import { dropFeeds } from '../src/feed/store.js'
import { type Harness, startHarness, statuses } from './harness.js'

const WRITERS = 'statuses:feed-writers'

let harness: Harness
let redis: ReturnType<typeof createClient>
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

/** Context of the service. */
const context = (): Context => {
  const running = harness.cluster.host.running.find((one) => one.service === 'statuses')
  return running?.ctx as unknown as Context
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

type Writers = Awaited<ReturnType<typeof redis.zRangeWithScores>>

/** Returns the set of writers to an earlier state. */
const returnTo = async (writers: Writers): Promise<void> => {
  await redis.multi().del(WRITERS).zAdd(WRITERS, writers).exec()
}

/** Posts a status, and returns Redis to the state before it. */
const loseOne = async ({ key, post }: Awaited<ReturnType<typeof readerAndAuthor>>): Promise<string> => {
  const writers = await redis.zRangeWithScores(WRITERS, 0, -1)
  const lost = await post('lost')
  expect(await redis.zRem(key, lost.padStart(19, '0'))).toBe(1)
  await returnTo(writers)
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

/** Context of another process of the service, which has a connection and a member of its own. */
const otherContext = async (): Promise<Context> => {
  const other = await openRedis({ url: harness.cluster.env.REDIS_URL ?? '', name: 'other' })
  onTestFinished(() => other.close())
  return { ...context(), redis: other }
}

/** Context whose drops of all feeds are counted and have no effect. */
const counting = (ctx: Context) => {
  const queue = vi.fn(async () => {})
  return { queue, ctx: { ...ctx, queue: queue as Context['queue'] } }
}

test('a loss that several processes detect is handled once, and their next changes are recorded', async () => {
  const first = counting(await otherContext())
  const second = counting(await otherContext())
  const third = counting(await otherContext())
  const all = [first, second, third]
  const change = () => Promise.all(all.map(({ ctx }) => dropFeeds(ctx.redis, ['statuses:feed:home:none'])))
  await change()
  const writers = await redis.zRangeWithScores(WRITERS, 0, -1)
  await change()
  await returnTo(writers)
  await checkFeeds(first.ctx)
  await checkFeeds(second.ctx)
  const dropped = await redis.zRangeWithScores(WRITERS, 0, -1)
  await change()
  await checkFeeds(third.ctx)
  const counts = () => all.map(({ queue }) => queue.mock.calls.length)
  expect(counts()).toEqual([1, 0, 0])
  await returnTo(dropped)
  await checkFeeds(third.ctx)
  expect(counts()).toEqual([1, 0, 1])
})

test('a second loss is handled at the next check, also if it returns to the state of the first loss', async () => {
  const { ctx, queue } = counting(await otherContext())
  const change = () => dropFeeds(ctx.redis, ['statuses:feed:home:none'])
  await change()
  const writers = await redis.zRangeWithScores(WRITERS, 0, -1)
  await change()
  for (const times of [1, 2]) {
    await returnTo(writers)
    await checkFeeds(ctx)
    await checkFeeds(ctx)
    expect(queue).toHaveBeenCalledTimes(times)
  }
  const dropped = await redis.zRangeWithScores(WRITERS, 0, -1)
  await change()
  await returnTo(dropped)
  await checkFeeds(ctx)
  expect(queue).toHaveBeenCalledTimes(3)
})

test('a loss directly after a wipe is detected, although no check ran between them', async () => {
  const given = await readerAndAuthor('wiped')
  await harness.wipeRedis()
  await given.read()
  const second = await given.post('after the wipe')
  const lost = await loseOne(given)
  expect(await given.read()).toEqual([second, given.first])
  await checkFeeds(context())
  await harness.cluster.waitForIdle()
  expect(await given.read()).toEqual([lost, second, given.first])
})
