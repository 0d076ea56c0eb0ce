/** Hashtags: by name with their history, followed into the home feed, and featured on profiles. */
import { sql } from '@murmuration/db'
import { partId } from '@murmuration/kernel'
import { liveListener } from '@murmuration/testkit'
import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fanOut } from '../src/feed/fan-out.job.js'
import { deleteTagDays } from '../src/tag/ticks.js'
import type { FakeAccount } from './fakes/data.js'
import { accounts, type Harness, startHarness, statuses } from './harness.js'
import { remoteStatus } from './remote-status.js'

const heard: { subject: string; e: string; id: string }[] = []
/** Records the messages that streaming nodes receive. */
const listener = liveListener<{ e: string; id: string }>('live.user.*', (message, subject) => {
  heard.push({ subject, ...message })
})

let harness: Harness
let ann: FakeAccount
let bob: FakeAccount
beforeAll(async () => {
  harness = await startHarness({}, [listener])
  ann = harness.fakes.fakeAccount('ann')
  bob = harness.fakes.fakeAccount('bob')
})
afterAll(() => harness.stop())

const call = ((...given) => harness.cluster.call(...given)) as Harness['cluster']['call']
const ids = (list: { id: string }[]) => list.map((one) => one.id)
const follow = (who: FakeAccount, name: string) => call(statuses.followTag, { name }, harness.as(who))
const unfollow = (who: FakeAccount, name: string) => call(statuses.unfollowTag, { name }, harness.as(who))
const feature = (who: FakeAccount, name: string) => call(statuses.addFeaturedTag, { name }, harness.as(who))
const featured = (who: FakeAccount) => call(statuses.listFeaturedTags, {}, harness.as(who))

describe('a hashtag by name', () => {
  test('S-119 any valid hashtag is found, in any case and script', async () => {
    const fresh = await call(statuses.showTag, { name: 'NeverUsed' })
    expect(fresh).toMatchObject({ id: '', name: 'NeverUsed', url: `${harness.cluster.origin}/tags/neverused` })
    expect(fresh.history).toHaveLength(7)
    expect(fresh).not.toHaveProperty('following')
    await harness.post(bob, 'about #日本')
    expect(await call(statuses.showTag, { name: '日本' }, harness.as(ann))).toMatchObject({
      name: '日本',
      url: `${harness.cluster.origin}/tags/${encodeURIComponent('日本')}`,
      following: false,
      featuring: false,
    })
    for (const name of ['123', 'a b', 'a-b', '', '%'])
      await expect(call(statuses.showTag, { name })).rejects.toMatchObject({ status: 404, message: 'Not Found' })
  })

  test('history counts uses and accounts by day, of public statuses and without limited accounts', async () => {
    const quiet = harness.fakes.fakeAccount('quiet', { silenced: true })
    await harness.post(bob, 'one #Counted')
    await harness.post(bob, 'two #counted #counted')
    await harness.post(ann, 'three #counted')
    await harness.post(ann, { status: 'four #counted', visibility: 'unlisted' })
    await harness.post(quiet, 'five #counted')
    const { id } = await harness.post(ann, 'no tag')
    await call(statuses.addReblog, { id }, harness.as(bob))
    await harness.cluster.waitForIdle()
    const tag = await call(statuses.showTag, { name: 'COUNTED' })
    expect(tag.name).toBe('Counted')
    expect(tag.history[0]).toMatchObject({ uses: '3', accounts: '2' })
    expect(tag.history.slice(1).every((day) => day.uses === '0')).toBe(true)
    const { hashtags } = await call(statuses.search, { q: '#counted', type: 'hashtags' }, harness.as(ann))
    expect(hashtags[0]).toMatchObject({ name: 'Counted', following: false, history: tag.history })
  })

  test('uses older than two weeks are deleted', async () => {
    const db = harness.cluster.db('statuses')
    await db.run(sql`insert into tag_days (day, tag_id, uses, accounts) values ('2020-01-01', 1, 5, 5)`)
    await db.run(sql`insert into tag_users (day, tag_id, account_id) values ('2020-01-01', 1, 5)`)
    const { ctx } = harness.cluster.host.running.find((one) => one.service === 'statuses') ?? {}
    await deleteTagDays.run(ctx)
    const left = await db.row<{ n: number }>(sql`select
      ((select count(*) from tag_days where day < '2021-01-01') + (select count(*) from tag_users where day < '2021-01-01'))::int as n`)
    expect(left?.n).toBe(0)
    expect((await call(statuses.showTag, { name: 'counted' })).history[0]?.uses).toBe('3')
  })
})

describe('following', () => {
  test('S-019 S-129 S-157 following a hashtag is idempotent, several hashtags bring a status once, and only the first follow counts', async () => {
    const me = harness.fakes.fakeAccount('follower1')
    expect(await follow(me, 'Birds')).toMatchObject({ name: 'Birds', following: true })
    expect(await follow(me, '#birds')).toMatchObject({ name: 'Birds', following: true })
    await follow(me, 'cats')
    const again = await harness.cluster.request(statuses.followTag, { name: 'cats' }, harness.as(me))
    expect(again.meta.headers['X-Unchanged']).toBe('1')
    const rows = await harness.cluster.db('statuses').rows(sql`select 1 from tag_follows where account_id = ${me.id}`)
    expect(rows).toHaveLength(2)
    expect(await unfollow(me, 'CATS')).toMatchObject({ following: false })
    expect(await unfollow(me, 'cats')).toMatchObject({ following: false })
    expect(await unfollow(me, 'neverfollowed')).toMatchObject({ id: '', following: false })
  })

  test('S-130 followed hashtags are paged, latest first, with links by internal ids', async () => {
    const me = harness.fakes.fakeAccount('follower2')
    for (const name of ['a1', 'b1', 'c1', 'd1', 'e1']) await follow(me, name)
    const page = async (input: object) => {
      const answer = await harness.cluster.request(statuses.listFollowedTags, input, harness.as(me))
      const tags = JSON.parse(new TextDecoder().decode(answer.bytes)) as { name: string; following: boolean }[]
      return { names: tags.map((tag) => tag.name), tags, next: answer.meta.next, prev: answer.meta.prev }
    }
    const first = await page({ limit: 2 })
    expect(first.names).toEqual(['e1', 'd1'])
    const rows = await harness.cluster
      .db('statuses')
      .rows<{ id: string }>(sql`select id from tag_follows where account_id = ${me.id} order by id desc`)
    expect([first.next, first.prev]).toEqual([{ max_id: rows[1]?.id }, { min_id: rows[0]?.id }])
    expect(first.tags.every((tag) => tag.following)).toBe(true)
    const second = await page({ limit: 2, ...first.next })
    expect(second.names).toEqual(['c1', 'b1'])
    const last = await page({ limit: 2, ...second.next })
    expect(last).toMatchObject({ names: ['a1'], next: null })
    expect((await page({ limit: 2, ...last.prev })).names).toEqual(['c1', 'b1'])
    expect((await page({})).names).toHaveLength(5)
    expect(statuses.listFollowedTags.input.parse({}).limit).toBe(100)
    expect(statuses.listFollowedTags.input.parse({ limit: '999' }).limit).toBe(200)
  })

  test('S-157 public statuses of accounts that are not followed enter the home feed, also after a rebuild', async () => {
    const { fakes } = harness
    const me = fakes.fakeAccount('follower3')
    const far = fakes.fakeAccount('far3', { domain: 'far.example' })
    await harness.post(bob, 'before #rain')
    await follow(me, 'rain')
    await harness.home(me)
    const one = await harness.post(bob, 'one #rain')
    const reply = await harness.post(ann, { status: 'reply #Rain', in_reply_to_id: one.id })
    await harness.post(bob, { status: 'unlisted #rain', visibility: 'unlisted' })
    await harness.post(bob, { status: 'private #rain', visibility: 'private' })
    await call(statuses.addReblog, { id: one.id }, harness.as(ann))
    const mine = await harness.post(me, 'mine #rain')
    await harness.post(fakes.fakeAccount('limited3', { silenced: true }), 'limited #rain')
    const remote = await call(statuses.putRemoteStatus, {
      status: remoteStatus(far, {
        html: '<p>#rain</p>',
        tags: [{ name: 'rain', display: 'rain' }],
        published: new Date().toISOString(),
      }),
    })
    const expected = [remote.id, mine.id, reply.id, one.id]
    expect(new Set(ids(await harness.home(me)))).toEqual(new Set(expected))
    await harness.wipeRedis()
    expect(new Set(ids(await harness.home(me)))).toEqual(new Set(expected))
  })

  test('S-157 statuses by or about blocked and muted accounts do not enter the home feed', async () => {
    const { fakes } = harness
    const me = fakes.fakeAccount('follower4')
    const [blocked, muted, blocker] = [
      fakes.fakeAccount('blocked4'),
      fakes.fakeAccount('muted4'),
      fakes.fakeAccount('blocker4'),
    ]
    const shunned = fakes.fakeAccount('shunned4', { domain: 'bad4.example' })
    fakes.block(me, blocked)
    fakes.mute(me, muted)
    fakes.block(blocker, me)
    fakes.domainBlocks.add(`${me.id}>bad4.example`)
    await follow(me, 'snow')
    await harness.home(me)
    for (const author of [blocked, muted, blocker]) await harness.post(author, 'no #snow')
    await harness.post(bob, '@muted4 no #snow')
    const yes = await harness.post(bob, 'yes #snow')
    expect(shunned.domain).toBe('bad4.example')
    expect(ids(await harness.home(me))).toEqual([yes.id])
    await harness.wipeRedis()
    expect(ids(await harness.home(me))).toEqual([yes.id])
  })

  test('S-157 open connections of the home feed receive the status once, and its edits and deletion', async () => {
    const { fakes } = harness
    const [me, friend] = [fakes.fakeAccount('follower5'), fakes.fakeAccount('friend5')]
    fakes.follow(me, friend)
    await follow(me, 'wind')
    await harness.home(me)
    await harness.present(me)
    const { id } = await harness.post(ann, 'from another account #wind')
    const both = await harness.post(friend, 'from a friend #wind')
    await harness.cluster.waitForIdle()
    await call(statuses.editStatus, { id, status: 'again #wind' }, harness.as(ann))
    await harness.cluster.waitForIdle()
    await call(statuses.deleteStatus, { id }, harness.as(ann))
    await harness.cluster.waitForIdle()
    const published = (status: string) =>
      heard.filter((one) => one.subject === `live.user.${me.id}` && one.id === status).map((one) => one.e)
    expect(published(id)).toEqual(['update', 'status.update', 'delete'])
    expect(published(both.id)).toEqual(['update'])
    expect(ids(await harness.home(me))).toEqual([both.id])
  })

  test('unfollowing removes statuses that were in the feed only because of the hashtag', async () => {
    const { fakes } = harness
    const [me, friend] = [fakes.fakeAccount('follower6'), fakes.fakeAccount('friend6')]
    fakes.follow(me, friend)
    await follow(me, 'sun')
    await follow(me, 'moon')
    await harness.home(me)
    await harness.post(ann, 'only #sun')
    const both = await harness.post(ann, 'both #sun #moon')
    const followed = await harness.post(friend, 'friend #sun')
    const mine = await harness.post(me, 'mine #sun')
    expect(await harness.home(me)).toHaveLength(4)
    await unfollow(me, 'sun')
    expect(ids(await harness.home(me))).toEqual([mine.id, followed.id, both.id])
  })

  test('feeds of inactive accounts are not filled', async () => {
    const away = harness.fakes.fakeAccount('away7')
    await follow(away, 'fog')
    await harness.home(away)
    away.active = false
    const { id } = await harness.post(ann, 'in the #fog')
    await harness.cluster.waitForIdle()
    const redis = createClient({ url: harness.cluster.env.REDIS_URL ?? '' })
    await redis.connect()
    const members = await redis.zRange(`statuses:feed:home:${away.id}`, 0, -1)
    redis.destroy()
    expect(members.some((one) => one.includes(id))).toBe(false)
  })

  test('are reached once if a job runs again as a whole and in parts', async () => {
    const { fakes, cluster } = harness
    await follow(fakes.fakeAccount('follower8'), 'parts')
    const [one, two] = await Promise.all(['one #parts', 'two #parts'].map((text) => harness.post(ann, text)))
    await cluster.waitForIdle()
    const ctx = cluster.host.running.find((app) => app.service === 'statuses')?.ctx
    const job = { status: one?.id ?? '', more: [two?.id ?? ''] }
    // The handler fails if Redis responds late. A queue would repeat it.
    const run = (data: unknown, id: string) =>
      expect.poll(() => fanOut.runAll?.(ctx, [data], [{ id, tries: 1 }]).then(() => 'done', String)).toBe('done')
    const jobs = async () => {
      const rows = await cluster.db('statuses').rows<{ status: string }>(
        sql`select data::jsonb->>'status' as status from outbox
          where subject = ${statuses.fanOutTags.subject} and data::jsonb->>'status' = any(${[job.status, ...job.more]}::text[]) order by id`,
      )
      return rows.map((row) => row.status)
    }
    const before = await jobs()
    await run({ status: job.more[0] }, partId('4701', 1))
    await run(job, '4701')
    await run({ status: job.status }, partId('4701', 0))
    expect((await jobs()).slice(before.length)).toEqual([job.more[0], job.status])
  })

  test('two thousand and one followers are reached in pages', async () => {
    const { fakes, cluster } = harness
    const { id: tag } = await follow(ann, 'mass')
    const fans = Array.from({ length: 2_001 }, (_, i) => fakes.fakeAccount(`mass${i}`))
    await cluster.db('statuses').run(sql`insert into tag_follows (id, account_id, tag_id)
      select one, one, ${tag}::bigint from unnest(${fans.map((one) => one.id)}::bigint[]) as one`)
    const last = fans.at(-1) as FakeAccount
    for (const one of [fans[0] as FakeAccount, last]) await harness.home(one)
    await harness.home(ann)
    fakes.asked.length = 0
    const { id } = await harness.post(bob, 'hello #mass')
    expect(ids(await harness.home(last))).toEqual([id])
    expect(fakes.asked.filter((one) => one === 'accounts.graph.feed-standings').length).toBeLessThanOrEqual(4)
    expect(ids(await harness.home(ann))).toContain(id)
  })
})

describe('featuring', () => {
  test('S-019 hashtags are featured by name or as a list: repeating changes nothing, and invalid names are refused', async () => {
    const me = harness.fakes.fakeAccount('shower1')
    const one = await feature(me, '#Gardening')
    expect(one).toMatchObject({
      name: 'Gardening',
      url: `${harness.cluster.origin}/@shower1/tagged/gardening`,
      statuses_count: '0',
      last_status_at: null,
    })
    expect(await feature(me, 'gardening')).toEqual(one)
    expect(await call(statuses.tagFeature, { name: 'Moss' }, harness.as(me))).toMatchObject({
      name: 'Moss',
      featuring: true,
    })
    expect(ids(await featured(me))).toHaveLength(2)
    await expect(feature(me, 'two words')).rejects.toMatchObject({ message: 'Validation failed: Name is invalid' })
    await expect(feature(me, ' ')).rejects.toMatchObject({ message: "Validation failed: Name can't be blank" })
    expect(await call(statuses.tagUnfeature, { name: 'moss' }, harness.as(me))).toMatchObject({ featuring: false })
    expect(await call(statuses.tagUnfeature, { name: 'moss' }, harness.as(me))).toMatchObject({ featuring: false })
    await expect(call(statuses.removeFeaturedTag, { id: one.id }, harness.as(bob))).rejects.toMatchObject({
      status: 404,
    })
    expect(await call(statuses.removeFeaturedTag, { id: one.id }, harness.as(me))).toEqual({})
    await expect(call(statuses.removeFeaturedTag, { id: one.id }, harness.as(me))).rejects.toMatchObject({
      status: 404,
    })
    const published = await harness.cluster
      .db('statuses')
      .rows<{ subject: string }>(sql`select subject from outbox where subject like 'evt.statuses.tag.%' order by id`)
    const { tagFeatured, tagUnfeatured } = statuses
    expect(published.map((row) => row.subject)).toEqual(
      [tagFeatured, tagFeatured, tagUnfeatured, tagUnfeatured].map((one) => one.subject),
    )
  })

  test('S-205 an account features at most ten hashtags, also with concurrent requests', async () => {
    const me = harness.fakes.fakeAccount('shower2')
    const tries = await Promise.allSettled(Array.from({ length: 12 }, (_, i) => feature(me, `many${i}x`)))
    expect(tries.filter((one) => one.status === 'fulfilled')).toHaveLength(10)
    expect(await featured(me)).toHaveLength(10)
    await expect(call(statuses.tagFeature, { name: 'onemore' }, harness.as(me))).rejects.toMatchObject({
      status: 422,
      message: 'Validation failed: You have already featured the maximum number of hashtags',
    })
  })

  test('the count of a featured hashtag follows posts, edits and deletions', async () => {
    const me = harness.fakes.fakeAccount('shower3')
    const today = new Date().toISOString().slice(0, 10)
    const first = await harness.post(me, 'early #Tea')
    await harness.post(me, { status: 'secret #tea', visibility: 'private' })
    expect(await feature(me, 'tea')).toMatchObject({ statuses_count: '1', last_status_at: today })
    await feature(me, 'coffee')
    const second = await harness.post(me, { status: 'more #tea', visibility: 'unlisted' })
    await harness.post(bob, 'others #tea')
    const count = async () => (await featured(me)).map((one) => [one.name, one.statuses_count, one.last_status_at])
    expect(await count()).toEqual([
      ['tea', '2', today],
      ['coffee', '0', null],
    ])
    await call(statuses.editStatus, { id: second.id, status: 'now #coffee' }, harness.as(me))
    expect(await count()).toEqual([
      ['tea', '1', today],
      ['coffee', '1', today],
    ])
    await call(statuses.deleteStatus, { id: first.id }, harness.as(me))
    await call(statuses.deleteStatus, { id: second.id }, harness.as(me))
    expect(await count()).toEqual([
      ['tea', '0', null],
      ['coffee', '0', null],
    ])
  })

  test('others see featured hashtags; suspended accounts show none, and unknown ones are not found', async () => {
    const me = harness.fakes.fakeAccount('shower4')
    const { id } = await feature(me, 'bread')
    expect(ids(await call(statuses.listFeaturedTagsOf, { id: me.id }))).toEqual([id])
    me.suspended = true
    expect(await call(statuses.listFeaturedTagsOf, { id: me.id })).toEqual([])
    await expect(call(statuses.listFeaturedTagsOf, { id: '77' })).rejects.toMatchObject({ status: 404 })
    const hidden = harness.fakes.fakeAccount('shower5', { usable: false })
    await expect(call(statuses.listFeaturedTagsOf, { id: hidden.id })).rejects.toMatchObject({ status: 404 })
  })

  test('S-098 suggestions are recently used hashtags that are not featured, at most ten', async () => {
    const me = harness.fakes.fakeAccount('shower6')
    expect(await call(statuses.featuredTagSuggestions, {}, harness.as(me))).toEqual([])
    for (const text of ['#Often #rare', '#often', '#often #shown', '#rare']) await harness.post(me, text)
    await feature(me, 'shown')
    const found = await call(statuses.featuredTagSuggestions, {}, harness.as(me))
    expect(found.map((tag) => tag.name)).toEqual(['Often', 'rare'])
    expect(found[0]).toMatchObject({ featuring: false, following: false })
    await harness.post(me, Array.from({ length: 12 }, (_, i) => `#t${i}t`).join(' '))
    expect(await call(statuses.featuredTagSuggestions, {}, harness.as(me))).toHaveLength(10)
  })

  test('S-188 featured hashtags of a remote account are stored when the profile was read', async () => {
    const { fakes } = harness
    const far = fakes.fakeAccount('far7', { domain: 'far.example' })
    const url = 'https://far.example/users/far7/collections/tags'
    const read = () => harness.happen(accounts.remoteRead, { id: far.id, featuredTags: url })
    const names = async () => (await call(statuses.listFeaturedTagsOf, { id: far.id })).map((one) => one.name).sort()
    fakes.featured.set(url, ['#Cats', 'dogs', 'not a tag', ...Array.from({ length: 20 }, (_, i) => `x${i}x`)])
    await read()
    expect(await names()).toHaveLength(10)
    fakes.featured.set(url, ['Cats', 'birds'])
    await read()
    expect(await names()).toEqual(['Cats', 'birds'])
    expect((await call(statuses.listFeaturedTagsOf, { id: far.id }))[0]?.url).toBe(
      `${harness.cluster.origin}/@far7@far.example/tagged/birds`.replace('birds', 'cats'),
    )
    await call(statuses.putRemoteFeaturedTags, { account: far.id, add: 'Fish', remove: null })
    expect(await names()).toEqual(['Cats', 'Fish', 'birds'])
    expect(await call(statuses.putRemoteFeaturedTags, { account: far.id, add: null, remove: '#cats' })).toEqual({
      changed: true,
    })
    expect(await names()).toEqual(['Fish', 'birds'])
    // A list that no longer exists changes nothing.
    fakes.featured.delete(url)
    await read()
    expect(await names()).toEqual(['Fish', 'birds'])
  })
})

describe('the profile for editing', () => {
  test('S-160 the profile for editing is shown and changed with its featured hashtags', async () => {
    const me = harness.fakes.fakeAccount('editor')
    const tag = await feature(me, 'books')
    expect(await call(statuses.showProfile, {}, harness.as(me))).toMatchObject({ id: me.id, featured_tags: [tag] })
    expect(await call(statuses.updateProfile, { display_name: 'Ed' }, harness.as(me))).toMatchObject({
      display_name: 'Ed',
      featured_tags: [tag],
    })
    const key = 'staging/00000000-0000-4000-8000-000000000001'
    await call(statuses.updateProfile, { avatar: { key, size: 1, type: 'image/png', name: 'a' } }, harness.as(me))
    expect(harness.fakes.asked).toContain(`avatar ${key}`)
    await expect(call(statuses.updateProfile, { note: 'x' }, harness.as(me))).rejects.toMatchObject({
      status: 422,
      extras: { body: { details: {} } },
    })
  })
})

test('removing an account deletes its followed and featured hashtags', async () => {
  const me = harness.fakes.fakeAccount('leaver')
  await follow(me, 'leaving')
  await feature(me, 'leaving')
  await harness.happen(accounts.accountRemoved, { id: me.id, local: true, uri: me.uri })
  const left = await harness.cluster.db('statuses').row<{ n: number }>(sql`select
    ((select count(*) from tag_follows where account_id = ${me.id})
      + (select count(*) from featured_tags where account_id = ${me.id}))::int as n`)
  expect(left?.n).toBe(0)
})

describe('hashtags that staff does not allow', () => {
  const disallow = async (name: string) => {
    await harness.post(ann, `first #${name}`)
    await harness.cluster.waitForIdle()
    await harness.cluster.db('statuses').run(sql`update tags set usable = false where name = ${name}`)
  }
  const refused = (text: string) => ({ status: 422, message: `Validation failed: Text contained ${text}` })

  test('disallowed hashtags are refused in new statuses, edits and scheduled statuses, in every spelling', async () => {
    await disallow('spamcafe')
    await disallow('spamtea')
    await expect(harness.post(ann, 'again #SpamCafé')).rejects.toMatchObject(refused('a disallowed hashtag: spamcafe'))
    await expect(harness.post(ann, '#spamtea (#fine) #spamcafe')).rejects.toMatchObject(
      refused('the disallowed hashtags: spamtea, spamcafe'),
    )
    const scheduled_at = new Date(Date.now() + 3_600_000).toISOString()
    await expect(harness.post(ann, { status: '#spamtea', scheduled_at })).rejects.toMatchObject({ status: 422 })
    const { id } = await harness.post(ann, 'an edit')
    await expect(call(statuses.editStatus, { id, status: 'an edit #spamtea' }, harness.as(ann))).rejects.toMatchObject(
      refused('a disallowed hashtag: spamtea'),
    )
    expect((await harness.post(ann, 'spamtea without a sign')).tags).toEqual([])
  })
})
