/** The home feed: responses while it is being built, repeated boosts, and notifications of edits. */

import { liveListener } from '@murmuration/testkit'
import { createClient } from 'redis'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { accounts, raise, type Stage, statuses } from './cast.js'
import type { Person } from './neighbours/world.js'

const heard: string[] = []
const listener = liveListener<{ e: string; id?: string; to?: string }>('live.>', ({ e, id, to }, subject) => {
  if (e === 'status.update') heard.push([subject.replace('live.', ''), id, ...(to ? [to] : [])].join(' '))
})

let stage: Stage
let redis: ReturnType<typeof createClient>
beforeAll(async () => {
  stage = await raise({}, [listener])
  redis = createClient({ url: stage.cluster.env.REDIS_URL ?? '' })
  redis.on('error', () => {})
  await redis.connect()
})
afterAll(async () => {
  redis.destroy()
  await stage.stop()
})
beforeEach(() => {
  heard.length = 0
})

const call = ((...given) => stage.cluster.call(...given)) as Stage['cluster']['call']
const person = (name: string): Person => stage.world.person(`${name}${Math.random().toString(36).slice(2, 7)}`)
const home = async (who: Person, input: Record<string, unknown> = {}) => {
  const answer = await stage.cluster.ask(statuses.homeTimeline, input as never, stage.as(who))
  const body = JSON.parse(new TextDecoder().decode(answer.bytes)) as { id: string }[]
  return {
    status: answer.meta.status,
    refresh: answer.meta.headers['Mastodon-Async-Refresh'] ?? null,
    ids: body.map((one) => one.id),
  }
}
const refresh = async (header: string | null, who: Person) =>
  call(statuses.showAsyncRefresh, { id: /id="([^"]+)", retry=5/.exec(header ?? '')?.[1] ?? '' }, stage.as(who))

describe('while the feed is being built', () => {
  test('the page is read from rows with 206, and only its owner can read the progress', async () => {
    const [me, author] = [person('me'), person('author')]
    stage.world.follow(me, author)
    const { id } = await stage.post(author, 'hello')
    await stage.cluster.settle()
    const key = `statuses:feed:home:${me.id}`
    // Another reader is building the feed.
    await redis.zAdd(key, { score: 0, value: '"' })
    const first = await home(me)
    expect(first).toEqual({ status: 206, refresh: expect.stringMatching(/^id="[\w-]+", retry=5$/), ids: [id] })
    expect(await refresh(first.refresh, me)).toMatchObject({ async_refresh: { status: 'running', result_count: null } })
    await expect(refresh(first.refresh, author)).rejects.toMatchObject({ status: 404, message: 'Not Found' })
    for (const unknown of ['', 'nonsense', Buffer.from('home:x').toString('base64url')])
      await expect(call(statuses.showAsyncRefresh, { id: unknown }, stage.as(me))).rejects.toMatchObject({
        status: 404,
      })
    await redis.del(key)
    expect(await home(me)).toEqual({ status: 200, refresh: null, ids: [id] })
    expect(await refresh(first.refresh, me)).toMatchObject({ async_refresh: { status: 'finished' } })
  })

  test('an empty feed is 200, and the first follow does not delay it', async () => {
    const [me, author] = [person('me'), person('author')]
    expect(await home(me)).toEqual({ status: 200, refresh: null, ids: [] })
    expect(await home(me)).toEqual({ status: 200, refresh: null, ids: [] })
    const { id } = await stage.post(author, 'from before')
    stage.world.follow(me, author)
    expect(await home(me)).toMatchObject({ status: 206, ids: [id] })
    await stage.happen(accounts.followCreated, {
      ...{ id: '1', from: me.id, to: author.id, fromLocal: true, toLocal: true, uri: null },
      accepted: false,
    })
    expect(await home(me)).toMatchObject({ status: 200, ids: [id] })
  })
})

test('each boost is shown to accounts that want it, by fan-out and after a rebuild', async () => {
  const [me, other, one, two, far] = [person('me'), person('other'), person('one'), person('two'), person('far')]
  me.defaults.aggregate_reblogs = false
  for (const follower of [me, other]) for (const followed of [one, two]) stage.world.follow(follower, followed)
  const list = stage.world.list(me, [one, two])
  const listed = () => call(statuses.listTimeline, { id: list.id }, stage.as(me))
  for (const reader of [me, other]) await home(reader)
  await listed()
  const original = await stage.post(far, 'boosted')
  const first = await call(statuses.addReblog, { id: original.id }, stage.as(one))
  await stage.cluster.settle()
  const second = await call(statuses.addReblog, { id: original.id }, stage.as(two))
  await stage.cluster.settle()
  for (const wiped of [false, true]) {
    if (wiped) await stage.wipeRedis()
    expect((await home(me)).ids).toEqual([second.id, first.id])
    expect((await listed()).map((status) => status.id)).toEqual([second.id, first.id])
    expect((await home(other)).ids).toEqual([first.id])
  }
})

describe('edits', () => {
  test('an edit is sent to accounts with the status in their feed, and to mentioned accounts for their notifications', async () => {
    const [author, fan, away, named, friend] = ['author', 'fan', 'away', 'named', 'friend'].map(person) as [
      Person,
      Person,
      Person,
      Person,
      Person,
    ]
    for (const one of [fan, friend]) stage.world.follow(one, author)
    for (const one of [author, fan, away, named, friend]) await stage.present(one)
    for (const one of [author, fan, away, named, friend]) await home(one)
    const text = `@${named.username} @${friend.username} hello`
    const status = await stage.post(author, { status: text, visibility: 'unlisted' })
    await stage.cluster.settle()
    stage.world.follow(away, author)
    await call(statuses.editStatus, { id: status.id, status: `${text} again` }, stage.as(author))
    await stage.cluster.settle()
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
    const { id } = await stage.post(person('author'), `#${tag}`)
    for (const more of [{}, { local: true }, { remote: false }])
      expect((await call(statuses.tagTimeline, { hashtag: tag, ...more })).map((one) => one.id)).toEqual([id])
  })
})
