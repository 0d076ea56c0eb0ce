/** Invariants when processes die between two steps, and when Redis is down, full, slow or loses data. */
import { fanOut, putRemoteStatuses } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FakeAccount } from './fakes/data.js'
import { type Harness, startHarness, statuses } from './harness.js'
import { type OwnRedis, startOwnRedis } from './own-redis.js'
import { remoteStatus } from './remote-status.js'

const rowsWith = async (harness: Harness, text: string): Promise<number> =>
  (
    await harness.cluster
      .db('statuses')
      .row<{ n: number }>(sql`select count(*)::int as n from statuses where text = ${text}`)
  )?.n ?? 0
const unplan = (harness: Harness) => Object.assign(harness.cluster.env, { FAULT_POINTS: '' })

describe('F004 the response is lost after the commit', () => {
  let harness: Harness
  beforeAll(async () => {
    harness = await startHarness({ FAULT_POINTS: 'statuses.beforeReply=drop-reply@1' })
  })
  afterAll(() => harness.stop())
  test('a repeated request returns the stored status', async () => {
    const ann = harness.fakes.fakeAccount('ann')
    const write = () =>
      harness.cluster.call(statuses.createStatus, { status: 'kept' }, harness.as(ann), { idempotencyKey: 'again' })
    const first = write()
    await expect.poll(() => rowsWith(harness, 'kept')).toBe(1)
    // The repeated request may be processed first, so either response may be the lost one.
    const answers = await Promise.allSettled([first, write()])
    expect(answers.map((one) => one.status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const found = await write()
    expect(found).toMatchObject({ content: '<p>kept</p>' })
    expect(answers).toContainEqual({ status: 'fulfilled', value: found })
    expect(await rowsWith(harness, 'kept')).toBe(1)
    expect((await harness.home(ann)).map((one) => one.id)).toEqual([found.id])
  })
})

describe('F005 the process dies before the commit', () => {
  let harness: Harness
  beforeAll(async () => {
    harness = await startHarness({ FAULT_POINTS: 'statuses.beforeCommit=throw' })
  })
  afterAll(() => harness.stop())
  test('nothing is stored, and the same request works afterwards', async () => {
    const ann = harness.fakes.fakeAccount('ann')
    const file = harness.fakes.file(ann)
    const write = () =>
      harness.cluster.call(statuses.createStatus, { status: 'maybe', media_ids: [file.id] }, harness.as(ann), {
        idempotencyKey: 'again',
      })
    await expect(write()).rejects.toMatchObject({ status: 500 })
    expect(await rowsWith(harness, 'maybe')).toBe(0)
    expect(await harness.cluster.db('statuses').rows(sql`select 1 from outbox where subject like 'evt.%'`)).toEqual([])
    expect(file.status).toBeNull()
    await harness.cluster.host.stop()
    unplan(harness)
    await harness.cluster.restart()
    expect((await write()).media_attachments).toHaveLength(1)
    expect(await rowsWith(harness, 'maybe')).toBe(1)
  })
})

describe('the fault point fanout.batch fails after the feeds were filled', () => {
  let harness: Harness
  beforeAll(async () => {
    harness = await startHarness({ FAULT_POINTS: 'fanout.batch=throw@1' })
  })
  afterAll(() => harness.stop())
  test('I2 every feed has the status once', async () => {
    const ann = harness.fakes.fakeAccount('ann')
    const fans = Array.from({ length: 5 }, (_, i) => harness.fakes.fakeAccount(`fan${i}`))
    for (const fan of fans) {
      harness.fakes.follow(fan, ann)
      await harness.cluster.call(statuses.homeTimeline, {}, harness.as(fan))
    }
    const { id } = await harness.post(ann, 'to everybody')
    for (const fan of fans) expect((await harness.home(fan)).map((one) => one.id)).toEqual([id])
  })
})

describe('the fault point fanout.batch fails for one of several statuses received together', () => {
  let harness: Harness
  beforeAll(async () => {
    harness = await startHarness({ FAULT_POINTS: 'fanout.batch=throw@3' })
  })
  afterAll(() => harness.stop())
  test('the others are fanned out, the failed one is repeated alone, and every feed has each once', async () => {
    const far = harness.fakes.fakeAccount('dan', { domain: 'far.example' })
    const fan = harness.fakes.fakeAccount('fan')
    harness.fakes.follow(fan, far)
    await harness.cluster.call(statuses.homeTimeline, {}, harness.as(fan))
    const { stored } = await harness.cluster.call(putRemoteStatuses, {
      statuses: Array.from({ length: 5 }, () => remoteStatus(far)),
    })
    await harness.cluster.waitForIdle()
    const jobs = await harness.cluster
      .db('statuses')
      .rows<{ status: string; more: number | null }>(sql`select data::jsonb->>'status' as status,
        jsonb_array_length(data::jsonb->'more') as more from outbox where subject = ${fanOut.subject} order by id`)
    expect(jobs.map(({ more }) => more)).toEqual([4, null])
    expect((await harness.home(fan)).map((one) => one.id).toSorted()).toEqual(
      stored.map((one) => one?.id ?? '').toSorted(),
    )
  })
})

describe('Redis', () => {
  let redis: OwnRedis
  let harness: Harness
  let ann: FakeAccount
  let fan: FakeAccount
  const all: string[] = []
  const home = async (limit = 40): Promise<string[]> =>
    (await harness.cluster.call(statuses.homeTimeline, { limit }, harness.as(fan))).map((one) => one.id)
  const post = async (text: string): Promise<void> => {
    all.unshift((await harness.post(ann, text)).id)
  }
  beforeAll(async () => {
    redis = await startOwnRedis()
    harness = await startHarness({ REDIS_URL: redis.url })
    ann = harness.fakes.fakeAccount('ann')
    fan = harness.fakes.fakeAccount('fan')
    harness.fakes.follow(fan, ann)
    await home()
    for (let i = 0; i < 5; i++) await post(`before ${i}`)
    await harness.cluster.waitForIdle()
  })
  afterAll(async () => {
    await harness.stop()
    await redis.stop()
  })

  test('F032 Redis is slow: pages are read from rows in time, and posting works', async () => {
    redis.slow(5_000)
    for (let i = 0; i < 6; i++) await home(5)
    const started = performance.now()
    expect(await home(5)).toEqual(all.slice(0, 5))
    // Waiting for a single response of Redis would have taken longer.
    expect(performance.now() - started).toBeLessThan(5_000)
    await post('while slow')
    redis.slow(0)
    await expect.poll(() => home()).toEqual(all)
  })

  test('F031 Redis is full: posting works, and pages are correct', async () => {
    await redis.set({ maxmemory: '1mb' })
    await post('while full')
    expect(await home()).toEqual(all)
    await redis.set({ maxmemory: '0' })
    await harness.cluster.waitForIdle()
    expect(await home()).toEqual(all)
  })

  test('F033 Redis lost data: a feed that lost entries is never shown as complete', async () => {
    await redis.set({ maxmemory: '2500kb', 'maxmemory-policy': 'allkeys-random' })
    const readers = Array.from({ length: 30 }, (_, i) => harness.fakes.fakeAccount(`c${i}`))
    for (const one of readers) harness.fakes.follow(one, ann)
    for (let round = 0; round < 3; round++) {
      await post(`eviction ${round}`)
      for (const one of readers) await harness.cluster.call(statuses.homeTimeline, {}, harness.as(one))
      expect(await home()).toEqual(all)
    }
    await redis.set({ maxmemory: '0', 'maxmemory-policy': 'noeviction' })
    expect(await home()).toEqual(all)
  })

  test('F030 Redis is down, then up and empty: pages are read from rows, posting works, nothing is missing', async () => {
    await redis.kill()
    expect(await home()).toEqual(all)
    await post('while away')
    expect(await home()).toEqual(all)
    await redis.start()
    await expect.poll(() => home()).toEqual(all)
    await harness.cluster.waitForIdle()
    await post('afterwards')
    await harness.cluster.waitForIdle()
    expect(await home()).toEqual(all)
  })
})
