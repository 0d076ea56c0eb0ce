/** Fan-out and removal for accounts with more followers than one job handles. */
import { fanOut, fanOutRemoval, fanOutTags } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { liveListener } from '@murmuration/testkit'
import { createClient } from 'redis'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Context } from '../src/context.js'
import { fanOut as fanOutWork } from '../src/feed/fan-out.job.js'
import { MAX_PAGES } from '../src/feed/pages.js'
import { removeFromFeeds } from '../src/feed/remove-from-feeds.job.js'
import { type Harness, startHarness, statuses } from './harness.js'

const published: string[] = []
const listener = liveListener<{ e: string; id: string }>('live.public.local', ({ e, id }) => {
  published.push(`${e} ${id}`)
})

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({}, [listener])
})
afterAll(() => harness.stop())

test('F017 jobs of later followers are rows of the outbox, and all followers receive a status and its deletion', async () => {
  const { fakes, cluster } = harness
  fakes.audiencePage = 1
  const author = fakes.fakeAccount('famous')
  const followers = Array.from({ length: MAX_PAGES + 2 }, (_, i) => fakes.fakeAccount(`fan${i}`))
  for (const follower of followers) fakes.follow(follower, author)
  const [first] = followers
  if (!first) throw new Error('no followers')
  const home = async (index: number) =>
    (await cluster.call(statuses.homeTimeline, {}, harness.as(followers[index] ?? first))).map((one) => one.id)
  for (const index of followers.keys()) await home(index)
  await cluster.call(statuses.followTag, { name: 'party' }, harness.as(first))
  const feedsWith = async (id: string): Promise<number> => {
    const pages = await Promise.all([...followers.keys()].map(home))
    return pages.filter((ids) => ids.includes(id)).length
  }
  const queued = async ({ subject }: { subject: string }, id: string): Promise<unknown[]> => {
    const rows = await cluster
      .db('statuses')
      .rows<{ data: string }>(sql`select data from outbox where subject = ${subject} order by id`)
    return rows.map((row) => JSON.parse(row.data)).filter((data) => data.status === id)
  }
  const { id } = await harness.post(author, 'to a #party')
  await cluster.waitForIdle()
  expect(await feedsWith(id)).toBe(followers.length)
  const after = followers[MAX_PAGES - 1]?.id
  expect(await queued(fanOut, id)).toEqual([{ status: id }, { status: id, after }])
  expect(await queued(fanOutTags, id)).toEqual([{ status: id }])
  await cluster.call(statuses.deleteStatus, { id }, harness.as(author))
  await cluster.waitForIdle()
  expect(await feedsWith(id)).toBe(0)
  const removal = { status: id, author: author.id, reblogOf: null }
  expect(await queued(fanOutRemoval, id)).toEqual([removal, { ...removal, after }])
  expect(await queued(fanOutTags, id)).toEqual([{ status: id }, { status: id, gone: true }])
})

/** An author with more followers than one job handles, on pages of one follower. */
const famous = async (name: string) => {
  const { fakes, cluster } = harness
  fakes.audiencePage = 1
  const author = fakes.fakeAccount(name)
  const followers = Array.from({ length: MAX_PAGES + 2 }, (_, i) => fakes.fakeAccount(`${name}${i}`))
  for (const follower of followers) fakes.follow(follower, author)
  const reads = (id: string) =>
    Promise.all(
      followers.map(async (one) => {
        const page = await cluster.call(statuses.homeTimeline, {}, harness.as(one))
        return page.some((status) => status.id === id)
      }),
    )
  await reads('')
  const jobs = async (id: string) => {
    const rows = await cluster
      .db('statuses')
      .rows<{ data: string }>(sql`select data from outbox where subject = ${fanOut.subject} order by id`)
    return rows.map((row) => JSON.parse(row.data)).filter((data) => data.status === id)
  }
  return { author, followers, reads, jobs }
}

test('a page that fails delays no later page and no public stream, and other pages are handled once', async () => {
  const { author, followers, reads, jobs } = await famous('popular')
  const key = `statuses:feed:home:${followers[2]?.id}`
  const redis = createClient({ url: harness.cluster.env.REDIS_URL ?? '' })
  await redis.connect()
  onTestFinished(() => redis.destroy())
  // Redis refuses to change a feed of another type.
  await redis.set(key, 'not a feed')
  const { id } = await harness.post(author, 'to many')
  await expect.poll(() => jobs(id), { timeout: 20_000 }).toHaveLength(3)
  expect(await jobs(id)).toEqual([
    { status: id },
    { status: id, after: followers[1]?.id, until: followers[2]?.id },
    { status: id, after: followers[MAX_PAGES - 1]?.id },
  ])
  await expect.poll(() => published).toContain(`update ${id}`)
  await redis.del(key)
  await harness.cluster.waitForIdle()
  expect(await reads(id)).toEqual(followers.map(() => true))
  expect(await jobs(id)).toHaveLength(3)
  expect(published.filter((one) => one.endsWith(id))).toEqual([`update ${id}`])
})

test('a fan-out that cannot queue its next job and is repeated publishes to the public streams once', async () => {
  const { author, followers, reads, jobs } = await famous('repeated')
  const running = harness.cluster.host.running.find((one) => one.service === 'statuses')
  const ctx = running?.ctx as unknown as Context
  const queue = ctx.queue
  let failures = 0
  const spy = vi.spyOn(ctx, 'queue').mockImplementation((tx, job, ...data) => {
    const isNext = (job as unknown) === fanOut && data.some((one) => 'after' in (one as object))
    if (!isNext || failures > 0) return queue(tx, job, ...data)
    failures += 1
    return Promise.reject(new Error('PostgreSQL is unavailable'))
  })
  onTestFinished(() => spy.mockRestore())
  const { id } = await harness.post(author, 'to many again')
  await harness.cluster.waitForIdle()
  expect(failures).toBe(1)
  expect(await reads(id)).toEqual(followers.map(() => true))
  expect(await jobs(id)).toHaveLength(2)
  expect(published.filter((one) => one.endsWith(id))).toEqual([`update ${id}`])
})

test('a fan-out and a removal that run again queue their next job once', async () => {
  const { author } = await famous('twice')
  const { cluster } = harness
  const { id } = await harness.post(author, 'to many, twice')
  const ctx = cluster.host.running.find((one) => one.service === 'statuses')?.ctx
  const rowsOf = ({ subject }: { subject: string }) =>
    cluster.db('statuses').rows<{ id: string }>(sql`select id from outbox
      where subject = ${subject} and data::jsonb->>'status' = ${id} order by id`)
  const firstOf = async (job: { subject: string }) => ({ id: (await rowsOf(job))[0]?.id ?? '', tries: 2 })
  await cluster.waitForIdle()
  await fanOutWork.run(ctx, { status: id }, await firstOf(fanOut))
  expect(await rowsOf(fanOut)).toHaveLength(2)
  await cluster.call(statuses.deleteStatus, { id }, harness.as(author))
  await cluster.waitForIdle()
  const removal = { status: id, author: author.id, reblogOf: null }
  await removeFromFeeds.run(ctx, removal, await firstOf(fanOutRemoval))
  expect(await rowsOf(fanOutRemoval)).toHaveLength(2)
})
