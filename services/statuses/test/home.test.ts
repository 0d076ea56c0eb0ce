/** The home feed: responses while it is being built, repeated boosts, and notifications of edits. */

import { sql } from '@murmuration/db'
import { liveListener } from '@murmuration/testkit'
import { createClient } from 'redis'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Context } from '../src/context.js'
import { checkFeeds } from '../src/feed/earlier-state.js'
import type { FakeAccount } from './fakes/data.js'
import { accounts, type Harness, startHarness, statuses } from './harness.js'
import { remoteStatus } from './remote-status.js'

const heard: string[] = []
const listener = liveListener<{ e: string; id?: string; to?: string }>('live.>', ({ e, id, to }, subject) => {
  if (e === 'status.update') heard.push([subject.replace('live.', ''), id, ...(to ? [to] : [])].join(' '))
})

let harness: Harness
let redis: ReturnType<typeof createClient>
beforeAll(async () => {
  harness = await startHarness({}, [listener])
  redis = createClient({ url: harness.cluster.env.REDIS_URL ?? '' })
  redis.on('error', () => {})
  await redis.connect()
})
afterAll(async () => {
  redis.destroy()
  await harness.stop()
})
beforeEach(() => {
  heard.length = 0
})

const call = ((...given) => harness.cluster.call(...given)) as Harness['cluster']['call']
const fakeAccount = (name: string): FakeAccount =>
  harness.fakes.fakeAccount(`${name}${Math.random().toString(36).slice(2, 7)}`)
const home = async (who: FakeAccount, input: Record<string, unknown> = {}) => {
  const answer = await harness.cluster.request(statuses.homeTimeline, input as never, harness.as(who))
  const body = JSON.parse(new TextDecoder().decode(answer.bytes)) as { id: string }[]
  return {
    status: answer.meta.status,
    refresh: answer.meta.headers['Mastodon-Async-Refresh'] ?? null,
    ids: body.map((one) => one.id),
  }
}
const refresh = async (header: string | null, who: FakeAccount) =>
  call(statuses.showAsyncRefresh, { id: /id="([^"]+)", retry=5/.exec(header ?? '')?.[1] ?? '' }, harness.as(who))

describe('while the feed is being built', () => {
  test('the page is read from rows with 206, and only its owner can read the progress', async () => {
    const [me, author] = [fakeAccount('me'), fakeAccount('author')]
    harness.fakes.follow(me, author)
    const { id } = await harness.post(author, 'hello')
    await harness.cluster.waitForIdle()
    const key = `statuses:feed:home:${me.id}`
    // Another reader is building the feed.
    await redis.zAdd(key, { score: 0, value: '"' })
    const first = await home(me)
    expect(first).toEqual({ status: 206, refresh: expect.stringMatching(/^id="[\w-]+", retry=5$/), ids: [id] })
    expect(await refresh(first.refresh, me)).toMatchObject({ async_refresh: { status: 'running', result_count: null } })
    await expect(refresh(first.refresh, author)).rejects.toMatchObject({ status: 404, message: 'Not Found' })
    for (const unknown of ['', 'nonsense', Buffer.from('home:x').toString('base64url')])
      await expect(call(statuses.showAsyncRefresh, { id: unknown }, harness.as(me))).rejects.toMatchObject({
        status: 404,
      })
    await redis.del(key)
    expect(await home(me)).toEqual({ status: 200, refresh: null, ids: [id] })
    expect(await refresh(first.refresh, me)).toMatchObject({ async_refresh: { status: 'finished' } })
  })

  test('an empty feed is 200, and the first follow does not delay it', async () => {
    const [me, author] = [fakeAccount('me'), fakeAccount('author')]
    expect(await home(me)).toEqual({ status: 200, refresh: null, ids: [] })
    expect(await home(me)).toEqual({ status: 200, refresh: null, ids: [] })
    const { id } = await harness.post(author, 'from before')
    harness.fakes.follow(me, author)
    expect(await home(me)).toMatchObject({ status: 206, ids: [id] })
    await harness.happen(accounts.followCreated, {
      ...{ id: '1', from: me.id, to: author.id, fromLocal: true, toLocal: true, uri: null },
      accepted: false,
    })
    expect(await home(me)).toMatchObject({ status: 200, ids: [id] })
  })
})

test('each boost is shown to accounts that want it, by fan-out and after a rebuild', async () => {
  const [me, other, one, two, far] = [
    fakeAccount('me'),
    fakeAccount('other'),
    fakeAccount('one'),
    fakeAccount('two'),
    fakeAccount('far'),
  ]
  me.defaults.aggregate_reblogs = false
  for (const follower of [me, other]) for (const followed of [one, two]) harness.fakes.follow(follower, followed)
  const list = harness.fakes.list(me, [one, two])
  const listed = () => call(statuses.listTimeline, { id: list.id }, harness.as(me))
  for (const reader of [me, other]) await home(reader)
  await listed()
  const original = await harness.post(far, 'boosted')
  const first = await call(statuses.addReblog, { id: original.id }, harness.as(one))
  await harness.cluster.waitForIdle()
  const second = await call(statuses.addReblog, { id: original.id }, harness.as(two))
  await harness.cluster.waitForIdle()
  for (const wiped of [false, true]) {
    if (wiped) await harness.wipeRedis()
    expect((await home(me)).ids).toEqual([second.id, first.id])
    expect((await listed()).map((status) => status.id)).toEqual([second.id, first.id])
    expect((await home(other)).ids).toEqual([first.id])
  }
})

test('statuses that Redis lost by a return to an earlier state are in the feed after the next check', async () => {
  const [reader, author] = [fakeAccount('reader'), fakeAccount('author')]
  harness.fakes.follow(reader, author)
  const list = harness.fakes.list(reader, [author])
  const ctx = harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as Context
  const read = async () => [
    (await home(reader)).ids,
    (await call(statuses.listTimeline, { id: list.id }, harness.as(reader))).map((status) => status.id),
  ]
  await read()
  const { id: first } = await harness.post(author, 'kept')
  await harness.cluster.waitForIdle()
  const keys = [`statuses:feed:home:${reader.id}`, `statuses:feed:list:${reader.id}:${list.id}`]
  const writers = await redis.zRangeWithScores('statuses:feed-writers', 0, -1)
  const { id: second } = await harness.post(author, 'lost')
  await harness.cluster.waitForIdle()
  await checkFeeds(ctx)
  await harness.cluster.waitForIdle()
  expect(await Promise.all(keys.map((key) => redis.zScore(key, '!')))).toEqual([0, 0])
  for (const key of keys) expect(await redis.zRem(key, second.padStart(19, '0'))).toBe(1)
  await redis.zAdd('statuses:feed-writers', writers)
  expect(await read()).toEqual([[first], [first]])
  await checkFeeds(ctx)
  await harness.cluster.waitForIdle()
  expect(await read()).toEqual([
    [second, first],
    [second, first],
  ])
})

describe('edits', () => {
  test('an edit is sent to accounts with the status in their feed, and to mentioned accounts for their notifications', async () => {
    const [author, fan, away, named, friend] = ['author', 'fan', 'away', 'named', 'friend'].map(fakeAccount) as [
      FakeAccount,
      FakeAccount,
      FakeAccount,
      FakeAccount,
      FakeAccount,
    ]
    for (const one of [fan, friend]) harness.fakes.follow(one, author)
    for (const one of [author, fan, away, named, friend]) await harness.present(one)
    for (const one of [author, fan, away, named, friend]) await home(one)
    const text = `@${named.username} @${friend.username} hello`
    const status = await harness.post(author, { status: text, visibility: 'unlisted' })
    await harness.cluster.waitForIdle()
    harness.fakes.follow(away, author)
    await call(statuses.editStatus, { id: status.id, status: `${text} again` }, harness.as(author))
    await harness.cluster.waitForIdle()
    expect(heard.sort()).toEqual(
      [
        `user.${author.id} ${status.id}`,
        `user.${fan.id} ${status.id}`,
        `user.${friend.id} ${status.id}`,
        // The status is in this home feed anyway.
        `user.${friend.id} ${status.id} notification`,
        `user.${named.id} ${status.id} both`,
      ].sort(),
    )
  })
})

describe('S-174 access to hashtag timelines', () => {
  test('anonymous viewers can read hashtag timelines while the preview is enabled, also with one half', async () => {
    const tag = `open${Date.now()}`
    const { id } = await harness.post(fakeAccount('author'), `#${tag}`)
    for (const more of [{}, { local: true }, { remote: false }])
      expect((await call(statuses.tagTimeline, { hashtag: tag, ...more })).map((one) => one.id)).toEqual([id])
  })
  test('S-174 S-197 without the preview, anonymous viewers are refused with 422, and accounts are not', async () => {
    const tag = `shut${Date.now()}`
    const author = fakeAccount('author')
    const { id } = await harness.post(author, `#${tag}`)
    const policy = harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx.policy
    if (!policy) throw new Error('statuses does not run')
    const off = { local_topic_feed_access: 'authenticated', remote_topic_feed_access: 'authenticated' } as const
    const settings = vi.spyOn(policy, 'settings').mockReturnValue({ ...policy.settings(), ...off })
    for (const more of [{}, { local: true }, { remote: true }])
      await expect(call(statuses.tagTimeline, { hashtag: tag, ...more })).rejects.toMatchObject({
        status: 422,
        message: 'This method requires an authenticated user',
      })
    const shown = await call(statuses.tagTimeline, { hashtag: tag }, harness.as(author))
    expect(shown.map((one: { id: string }) => one.id)).toEqual([id])
    settings.mockRestore()
  })
})

describe('a boost that is dated before its status', () => {
  const HOUR = 3_600_000
  const at = (ms: number) => new Date(Date.now() + ms).toISOString()
  const put = async (author: FakeAccount, published: string) => {
    const status = remoteStatus(author, {
      published,
      uri: `https://far.example/notes/dated${Math.random()}`,
      url: null,
    })
    return { uri: status.uri, id: (await call(statuses.putRemoteStatus, { status })).id ?? '' }
  }
  const boostBy = async (actor: FakeAccount, object: string, published: string) => {
    const uri = `https://far.example/boosts/${Math.random()}`
    await call(statuses.applyRemoteInteraction, { what: 'reblog', actor: actor.id, object, uri, published })
    await harness.cluster.waitForIdle()
    return (await call(statuses.statusRecords, { uris: [uri] })).records[0]
  }
  test.each([
    ['the status is dated in the future', HOUR, -1_000],
    ['both are dated in the future', HOUR, HOUR / 2],
    ['the clock of its server is slow', -60_000, -120_000],
    ['it is dated in whole seconds', -60_000, -60_900],
    ['both have one time', -60_000, -60_000],
  ])('is newer than the status in the home feed, a rebuilt one, and its profile: %s', async (_, published, boosted) => {
    const [me, author] = [
      fakeAccount('me'),
      harness.fakes.fakeAccount(`far${Math.random()}`, { domain: 'far.example' }),
    ]
    const booster = harness.fakes.fakeAccount(`fan${Math.random()}`, { domain: 'far.example' })
    harness.fakes.follow(me, author)
    harness.fakes.follow(me, booster)
    await home(me)
    await harness.cluster.waitForIdle()
    const status = await put(author, at(published))
    const own = await boostBy(author, status.uri, at(boosted))
    const boost = await boostBy(booster, status.uri, at(boosted))
    expect(BigInt(boost?.id ?? 0)).toBeGreaterThan(BigInt(status.id))
    const { created_at } = await call(statuses.showStatus, { id: status.id }, harness.as(me))
    expect(Date.parse(boost?.created_at ?? '')).toBeGreaterThan(Date.parse(created_at))
    // The boosts are hidden beside the status, as usual boosts are.
    expect((await home(me)).ids).toEqual([status.id])
    await redis.del(`statuses:feed:home:${me.id}`)
    expect((await home(me)).ids).toEqual([status.id])
    const profile = await call(statuses.accountTimeline, { id: author.id }, harness.as(me))
    expect(profile.map((one: { id: string }) => one.id)).toEqual([own?.id, status.id])
  })
  test('of a local account is newer than a status of a process whose clock is ahead', async () => {
    const [me, author] = [
      fakeAccount('me'),
      harness.fakes.fakeAccount(`far${Math.random()}`, { domain: 'far.example' }),
    ]
    const { uri, id } = await put(author, at(-1_000))
    const ahead = ((BigInt(Date.now() + 5_000) << 16n) | 7n).toString()
    const db = harness.cluster.db('statuses')
    await db.run(sql`update statuses set id = ${ahead} where id = ${id}`)
    await db.run(sql`update post_uris set status_id = ${ahead} where uri = ${uri}`)
    const boost = await call(statuses.addReblog, { id: ahead }, harness.as(me))
    expect(BigInt(boost.id)).toBeGreaterThan(BigInt(ahead))
  })
  test('is dated after a local status whose attachments took long, whoever boosts it', async () => {
    const [me, author] = [fakeAccount('me'), harness.fakes.fakeAccount(`slow${Math.random()}`)]
    const fan = harness.fakes.fakeAccount(`fan${Math.random()}`, { domain: 'far.example' })
    const { id, uri } = await harness.post(author, 'with a long film')
    // The id was planned before the attachments were reserved, and the clock of that process was ahead.
    const created = new Date(Date.now() + 5_000)
    await harness.cluster.db('statuses').run(sql`update statuses set created_at = ${created} where id = ${id}`)
    const boosts = [await call(statuses.addReblog, { id }, harness.as(me)), await boostBy(fan, uri, at(-1_000))]
    for (const boost of boosts) {
      expect(Date.parse(boost?.created_at ?? '')).toBeGreaterThan(created.getTime())
      expect(BigInt(boost?.id ?? 0) >> 16n).toBeGreaterThan(BigInt(created.getTime()))
    }
  })
})
