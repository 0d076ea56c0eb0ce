/** Timelines: their content for each viewer, and exact page links. */

import type { AnyOperation } from '@murmuration/contracts/kit'
import { openDatabase, sql } from '@murmuration/db'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { FakeAccount } from './fakes/data.js'
import { accounts, type Harness, startHarness, statuses } from './harness.js'

let harness: Harness
let ann: FakeAccount
let bob: FakeAccount
let cat: FakeAccount
let dan: FakeAccount
beforeAll(async () => {
  harness = await startHarness()
  ann = harness.fakes.fakeAccount('ann')
  bob = harness.fakes.fakeAccount('bob')
  cat = harness.fakes.fakeAccount('cat')
  dan = harness.fakes.fakeAccount('dan')
})
afterAll(() => harness.stop())

const call = ((...given) => harness.cluster.call(...given)) as Harness['cluster']['call']
const ids = (list: { id: string }[]) => list.map((one) => one.id)
const page = async (operation: AnyOperation, input: Record<string, unknown>, who: FakeAccount | null) => {
  const answer = await harness.cluster.request(operation, input as never, who && harness.as(who))
  const body = JSON.parse(new TextDecoder().decode(answer.bytes))
  return {
    status: answer.meta.status,
    ids: Array.isArray(body) ? ids(body) : body,
    next: answer.meta.next,
    prev: answer.meta.prev,
  }
}
/** Data of an event between two accounts. */
const between = (from: FakeAccount, to: FakeAccount) => ({
  id: '1',
  from: from.id,
  to: to.id,
  fromLocal: from.domain === null,
  toLocal: to.domain === null,
  uri: null,
})

describe('home', () => {
  test('the home feed contains own statuses at once, before any fan-out', async () => {
    await harness.home(ann)
    const { id } = await harness.post(ann, 'mine')
    expect(ids(await call(statuses.homeTimeline, {}, harness.as(ann)))).toContain(id)
  })

  test('the home feed after fan-out equals the one after a rebuild from rows (F030, F033)', async () => {
    const { fakes } = harness
    const [me, one, two, far] = [
      fakes.fakeAccount('me'),
      fakes.fakeAccount('one'),
      fakes.fakeAccount('two'),
      fakes.fakeAccount('three'),
    ]
    for (const followed of [one, two]) fakes.follow(me, followed)
    await harness.home(me)
    const plain = await harness.post(one, 'plain')
    const secret = await harness.post(one, { status: 'followers', visibility: 'private' })
    await harness.post(far, 'not followed')
    const farOriginal = await harness.post(far, 'boosted')
    const boost = await call(statuses.addReblog, { id: farOriginal.id }, harness.as(two))
    await call(statuses.addReblog, { id: farOriginal.id }, harness.as(one))
    await call(statuses.addReblog, { id: plain.id }, harness.as(two))
    await harness.post(one, { status: 'reply to another account', in_reply_to_id: farOriginal.id })
    const between = await harness.post(two, { status: 'reply to a friend', in_reply_to_id: plain.id })
    const direct = await harness.post(one, { status: '@me psst', visibility: 'direct' })
    await harness.post(one, { status: '@two psst', visibility: 'direct' })
    await harness.post(far, { status: '@me from another account', visibility: 'direct' })
    const mine = await harness.post(me, 'mine')
    const expected = [mine, direct, between, boost, secret, plain].map((status) => status.id)
    expect(ids(await harness.home(me))).toEqual(expected)
    await harness.wipeRedis()
    expect(ids(await harness.home(me))).toEqual(expected)
    expect(ids(await harness.home(me))).toEqual(expected)
  })

  test('the home feed is paged exactly in both directions, with and without Redis', async () => {
    const me = harness.fakes.fakeAccount('pager')
    await harness.home(me)
    const all: string[] = []
    for (let i = 0; i < 7; i++) all.unshift((await harness.post(me, `${i}`)).id)
    for (const wiped of [false, true]) {
      if (wiped) await harness.wipeRedis()
      const first = await page(statuses.homeTimeline, { limit: 3 }, me)
      expect(first).toMatchObject({ ids: all.slice(0, 3), next: { max_id: all[2] }, prev: { min_id: all[0] } })
      if (wiped) await harness.wipeRedis()
      expect((await page(statuses.homeTimeline, { limit: 3, max_id: all[2] }, me)).ids).toEqual(all.slice(3, 6))
      if (wiped) await harness.wipeRedis()
      expect((await page(statuses.homeTimeline, { limit: 3, min_id: all[6] }, me)).ids).toEqual(all.slice(3, 6))
      if (wiped) await harness.wipeRedis()
      expect((await page(statuses.homeTimeline, { limit: 3, since_id: all[6] }, me)).ids).toEqual(all.slice(0, 3))
      const last = await page(statuses.homeTimeline, { limit: 3, max_id: all[5] }, me)
      expect(last).toMatchObject({ ids: [all[6]], next: { max_id: all[6] }, prev: { min_id: all[6] } })
      expect(await page(statuses.homeTimeline, { limit: 3, max_id: all[6] }, me)).toMatchObject({
        ids: [],
        next: null,
        prev: null,
      })
      expect(await page(statuses.homeTimeline, { limit: 0 }, me)).toMatchObject({ ids: [], next: null, prev: null })
    }
  })

  test('follows and unfollows change the home feed', async () => {
    const me = harness.fakes.fakeAccount('follower')
    const { id } = await harness.post(cat, 'from before')
    expect(ids(await harness.home(me))).toEqual([])
    harness.fakes.follow(me, cat)
    await harness.happen(accounts.followCreated, { ...between(me, cat), accepted: false })
    expect(ids(await harness.home(me))).toContain(id)
    harness.fakes.unfollow(me, cat)
    await harness.happen(accounts.followRemoved, { ...between(me, cat), byTarget: false })
    expect(ids(await harness.home(me))).toEqual([])
  })

  test('the end of a follow or the begin of a mute that arrives late changes nothing', async () => {
    const [me, dog] = [harness.fakes.fakeAccount('late_follower'), harness.fakes.fakeAccount('late_dog')]
    harness.fakes.follow(me, dog)
    await harness.home(me)
    const { id } = await harness.post(dog, 'stays')
    await harness.happen(accounts.followRemoved, { ...between(me, dog), byTarget: false })
    await harness.happen(accounts.muteCreated, { ...between(me, dog), notifications: true })
    expect(ids(await harness.home(me))).toEqual([id])
  })

  test('F060 A069 blocks and mutes apply to the next request, for authors, boosted authors and mentions', async () => {
    const { fakes } = harness
    const [me, friend, foe] = [fakes.fakeAccount('blocker'), fakes.fakeAccount('friend'), fakes.fakeAccount('foe2')]
    fakes.follow(me, friend)
    fakes.follow(me, foe)
    await harness.home(me)
    const own = await harness.post(foe, 'by the foe')
    const kept = await harness.post(friend, 'kept')
    await call(statuses.addReblog, { id: own.id }, harness.as(friend))
    await harness.post(friend, 'about @foe2')
    expect((await harness.home(me)).length).toBe(3)
    fakes.mute(me, foe)
    expect(ids(await call(statuses.homeTimeline, {}, harness.as(me)))).toEqual([kept.id])
    await harness.happen(accounts.muteCreated, { ...between(me, foe), notifications: true })
    fakes.mutes.clear()
    expect(ids(await harness.home(me))).toEqual([kept.id])
    await harness.happen(accounts.muteRemoved, between(me, foe))
    expect(ids(await harness.home(me))).toContain(own.id)
    fakes.block(me, foe)
    expect(ids(await call(statuses.homeTimeline, {}, harness.as(me)))).toEqual([kept.id])
    await harness.happen(accounts.blockCreated, between(me, foe))
    expect(ids(await harness.home(me))).toEqual([kept.id])
  })

  test('a hidden boost is shown when the shown one is undone', async () => {
    const { fakes } = harness
    const [me, one, two, far] = [
      fakes.fakeAccount('watcher'),
      fakes.fakeAccount('b1'),
      fakes.fakeAccount('b2'),
      fakes.fakeAccount('b3'),
    ]
    for (const friend of [one, two]) fakes.follow(me, friend)
    await harness.home(me)
    const original = await harness.post(far, 'boosted twice')
    const first = await call(statuses.addReblog, { id: original.id }, harness.as(one))
    await harness.cluster.waitForIdle()
    const second = await call(statuses.addReblog, { id: original.id }, harness.as(two))
    expect(ids(await harness.home(me))).toEqual([first.id])
    await call(statuses.removeReblog, { id: original.id }, harness.as(one))
    expect(ids(await harness.home(me))).toEqual([second.id])
    await call(statuses.deleteStatus, { id: original.id }, harness.as(far))
    expect(ids(await harness.home(me))).toEqual([])
  })

  test('deleted statuses leave the home feed, and the page is filled up with older ones', async () => {
    const me = harness.fakes.fakeAccount('reader')
    harness.fakes.follow(me, dan)
    await harness.home(me)
    const all: string[] = []
    for (let i = 0; i < 6; i++) all.unshift((await harness.post(dan, `${i}`)).id)
    await harness.cluster.waitForIdle()
    await harness.cluster
      .db('statuses')
      .run(sql`update statuses set deleted_at = now() where id = any(${all.slice(0, 3)}::bigint[])`)
    expect(ids(await call(statuses.homeTimeline, { limit: 3 }, harness.as(me)))).toEqual(all.slice(3))
    await call(statuses.deleteStatus, { id: all[4] ?? '' }, harness.as(dan))
    expect(ids(await harness.home(me))).toEqual([all[3], all[5]])
  })
})

describe('lists', () => {
  test('lists contain statuses of members, by their rule for replies; members of exclusive lists are not in home', async () => {
    const { fakes } = harness
    const [me, one, two] = [fakes.fakeAccount('lister'), fakes.fakeAccount('l1'), fakes.fakeAccount('l2')]
    for (const followed of [one, two]) fakes.follow(me, followed)
    const list = fakes.list(me, [one], { exclusive: true, replies: 'none' })
    const read = () => call(statuses.listTimeline, { id: list.id }, harness.as(me))
    expect(await read()).toEqual([])
    await harness.home(me)
    const inList = await harness.post(one, 'in the list')
    const other = await harness.post(two, 'not in the list')
    await harness.post(one, { status: 'reply', in_reply_to_id: other.id })
    await harness.cluster.waitForIdle()
    expect(ids(await read())).toEqual([inList.id])
    expect(ids(await harness.home(me))).toEqual([other.id])
    await harness.wipeRedis()
    expect(ids(await read())).toEqual([inList.id])
    expect(ids(await harness.home(me))).toEqual([other.id])
    list.replies = 'followed'
    await harness.happen(accounts.listChanged, { id: list.id, owner: me.id })
    expect((await read()).length).toBe(2)
  })
  test('a rebuilt list shows the statuses that fan-out skipped during a mute', async () => {
    const { fakes } = harness
    const [me, one, two] = [fakes.fakeAccount('muting_lister'), fakes.fakeAccount('l3'), fakes.fakeAccount('l4')]
    for (const followed of [one, two]) fakes.follow(me, followed)
    const list = fakes.list(me, [one, two])
    const read = async () => ids(await call(statuses.listTimeline, { id: list.id }, harness.as(me)))
    await read()
    fakes.mute(me, one)
    const muted = await harness.post(one, 'by a muted member')
    const naming = await harness.post(two, 'about @l3')
    await harness.cluster.waitForIdle()
    expect(await read()).toEqual([])
    fakes.mutes.clear()
    await harness.happen(accounts.muteRemoved, between(me, one))
    await harness.happen(accounts.listChanged, { id: list.id, owner: me.id })
    expect(await read()).toEqual([naming.id, muted.id])
  })
  test('A043 lists of other accounts are not found', async () => {
    const list = harness.fakes.list(ann, [])
    await expect(call(statuses.listTimeline, { id: list.id }, harness.as(bob))).rejects.toMatchObject({ status: 404 })
  })
})

describe('public and tag timelines', () => {
  test('public timelines contain originals, and hashtag timelines also replies', async () => {
    const tag = `t${Date.now()}`
    const plain = await harness.post(ann, `#${tag} plain`)
    const reply = await harness.post(bob, { status: `#${tag} reply`, in_reply_to_id: plain.id })
    const self = await harness.post(ann, { status: `#${tag} self`, in_reply_to_id: plain.id })
    const unlisted = await harness.post(ann, { status: `#${tag} unlisted`, visibility: 'unlisted' })
    const boost = await call(statuses.addReblog, { id: plain.id }, harness.as(cat))
    const media = await harness.post(cat, { status: `#${tag} picture`, media_ids: [harness.fakes.file(cat).id] })
    const quiet = harness.fakes.fakeAccount('quiet', { silenced: true })
    const silenced = await harness.post(quiet, `#${tag} quiet`)
    const live = ids(await call(statuses.publicTimeline, {}))
    for (const id of [plain.id, self.id, media.id]) expect(live).toContain(id)
    for (const id of [reply.id, unlisted.id, boost.id, silenced.id]) expect(live).not.toContain(id)
    expect(ids(await call(statuses.tagTimeline, { hashtag: tag.toUpperCase() }))).toEqual(
      [media, self, reply, plain].map((one) => one.id),
    )
    expect(ids(await call(statuses.tagTimeline, { hashtag: tag, only_media: true }))).toEqual([media.id])
    expect(ids(await call(statuses.publicTimeline, { only_media: true, limit: 1 }))).toEqual([media.id])
    expect(ids(await call(statuses.tagTimeline, { hashtag: tag, remote: true }))).toEqual([])
    expect(ids(await call(statuses.publicTimeline, { remote: true }))).not.toContain(plain.id)
    await call(statuses.deleteStatus, { id: media.id }, harness.as(cat))
    expect(ids(await call(statuses.tagTimeline, { hashtag: tag, only_media: true }))).toEqual([])
  })

  test('any, all and none combine hashtags', async () => {
    const t = `m${Date.now()}`
    const a = await harness.post(ann, `#${t}a`)
    const ab = await harness.post(ann, `#${t}a #${t}b`)
    const c = await harness.post(ann, `#${t}c`)
    const read = async (more: Record<string, unknown>) =>
      ids(await call(statuses.tagTimeline, { hashtag: `${t}a`, ...more } as never))
    expect(await read({})).toEqual([ab.id, a.id])
    expect(await read({ any: [`${t}c`] })).toEqual([c.id, ab.id, a.id])
    expect(await read({ all: [`${t}b`] })).toEqual([ab.id])
    expect(await read({ none: [`${t}b`] })).toEqual([a.id])
    expect(await read({ all: ['neverusedanywhere'] })).toEqual([])
    expect(await read({ any: [`${t}c`], limit: 1 })).toEqual([c.id])
    expect(await read({ any: [`${t}c`], limit: 1, min_id: a.id })).toEqual([ab.id])
    expect(ids(await call(statuses.tagTimeline, { hashtag: 'neverusedanywhere' }))).toEqual([])
  })

  test('statuses of blocked, blocking and muted authors and of blocked domains are omitted', async () => {
    const me = harness.fakes.fakeAccount('picky')
    const [b, m, x] = [
      harness.fakes.fakeAccount('pb'),
      harness.fakes.fakeAccount('pm'),
      harness.fakes.fakeAccount('px'),
    ]
    const tag = `p${Date.now()}`
    for (const who of [b, m, x]) await harness.post(who, `#${tag}`)
    expect((await call(statuses.tagTimeline, { hashtag: tag }, harness.as(me))).length).toBe(3)
    harness.fakes.block(me, b)
    harness.fakes.mute(me, m)
    harness.fakes.block(x, me)
    expect(await call(statuses.tagTimeline, { hashtag: tag }, harness.as(me))).toEqual([])
    expect((await call(statuses.tagTimeline, { hashtag: tag })).length).toBe(3)
  })

  test('S-096 S-197 a hashtag timeline is refused to anonymous viewers with 422 if a requested half is not public', async () => {
    const tag = `p${Date.now()}`
    const { id } = await harness.post(ann, `#${tag}`)
    const policy = harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx.policy
    if (!policy) throw new Error('statuses does not run')
    const usual = policy.settings()
    const settings = vi.spyOn(policy, 'settings')
    const read = async (input: object, who: FakeAccount | null = null) =>
      (await page(statuses.tagTimeline, { hashtag: tag, ...input }, who)).ids
    const refusal = expect.objectContaining({ error: 'This method requires an authenticated user' })
    const statusOf = async (input: object) =>
      (await page(statuses.tagTimeline, { hashtag: tag, ...input }, null)).status
    expect(await read({})).toEqual([id])
    for (const closed of ['authenticated', 'disabled'] as const) {
      settings.mockReturnValue({ ...usual, local_topic_feed_access: closed, remote_topic_feed_access: closed })
      for (const input of [{}, { local: true }, { remote: true }]) {
        expect(await statusOf(input)).toBe(422)
        expect(await read(input)).toEqual(refusal)
      }
      settings.mockReturnValue({ ...usual, remote_topic_feed_access: closed })
      expect([await statusOf({}), await statusOf({ remote: true })]).toEqual([422, 422])
      expect(await read({ local: true })).toEqual([id])
      settings.mockReturnValue({ ...usual, local_topic_feed_access: closed })
      expect([await statusOf({}), await statusOf({ local: true })]).toEqual([422, 422])
      expect(await read({ remote: true })).toEqual([])
    }
    settings.mockReturnValue({ ...usual, local_topic_feed_access: 'authenticated' })
    expect(await read({}, bob)).toEqual([id])
    // Live feeds have their own settings.
    settings.mockReturnValue({ ...usual, local_live_feed_access: 'disabled', remote_live_feed_access: 'disabled' })
    expect(await read({})).toEqual([id])
    settings.mockRestore()
  })

  test('are unavailable until the settings of staff are loaded, and then trends and streams of public statuses, too', async () => {
    const { id } = await harness.post(ann, '#unloaded')
    const policy = harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx.policy
    if (!policy) throw new Error('statuses does not run')
    const loaded = vi.spyOn(policy, 'loaded').mockReturnValue(false)
    const statusOf = async (operation: AnyOperation, input = {}) => (await page(operation, input, bob)).status
    const { publicTimeline, tagTimeline, linkTimeline, trendTags, trendLinks, trendStatuses } = statuses
    expect(await statusOf(tagTimeline, { hashtag: 'unloaded' })).toBe(503)
    expect(await statusOf(linkTimeline, { url: 'https://example.com' })).toBe(503)
    const others = [publicTimeline, trendTags, trendLinks, trendStatuses]
    expect(await Promise.all(others.map((one) => statusOf(one)))).toEqual([503, 503, 503, 503])
    const long = { status: 'x'.repeat(501) }
    expect((await page(statuses.createStatus, long, ann)).status).toBe(503)
    const padded = { status: `${'x'.repeat(495)}${' '.repeat(10)}` }
    expect((await page(statuses.createStatus, padded, ann)).status).toBe(200)
    expect((await page(statuses.editStatus, { id, ...padded }, ann)).status).toBe(200)
    const stream = { id, listeners: [bob.id], grants: [harness.cluster.grant(bob.id)], surface: 'public' as const }
    expect((await call(statuses.renderForListeners, stream)).tailOf).toEqual([-1])
    loaded.mockRestore()
    expect(await Promise.all(others.map((one) => statusOf(one)))).toEqual([200, 200, 200, 200])
    expect((await call(statuses.renderForListeners, stream)).tailOf).toEqual([0])
  })

  test('S-097 chosen languages filter the public timeline, not hashtags', async () => {
    const me = harness.fakes.fakeAccount('reads-german')
    me.defaults.chosen_languages = ['de']
    const tag = `l${Date.now()}`
    const english = await harness.post(ann, { status: `#${tag} hi`, language: 'en' })
    const german = await harness.post(ann, { status: `#${tag} hallo`, language: 'de' })
    const live = ids(await call(statuses.publicTimeline, {}, harness.as(me)))
    expect(live).toContain(german.id)
    expect(live).not.toContain(english.id)
    expect(ids(await call(statuses.tagTimeline, { hashtag: tag }, harness.as(me)))).toEqual([german.id, english.id])
  })

  test('S-084 short pages have cursors, and empty ones have none', async () => {
    const tag = `c${Date.now()}`
    const all: string[] = []
    for (let i = 0; i < 3; i++) all.unshift((await harness.post(ann, `#${tag} ${i}`)).id)
    expect(await page(statuses.tagTimeline, { hashtag: tag, limit: 2 }, null)).toMatchObject({
      ids: all.slice(0, 2),
      next: { max_id: all[1] },
      prev: { min_id: all[0] },
    })
    expect(await page(statuses.tagTimeline, { hashtag: tag, limit: 2, max_id: all[1] }, null)).toMatchObject({
      ids: [all[2]],
      next: { max_id: all[2] },
    })
    expect(await page(statuses.tagTimeline, { hashtag: tag, max_id: all[2] }, null)).toMatchObject({
      ids: [],
      next: null,
      prev: null,
    })
  })
})

describe('statuses of an account', () => {
  test('contain those that the viewer may see', async () => {
    const { fakes } = harness
    const [author, fan, named] = [fakes.fakeAccount('author'), fakes.fakeAccount('fan'), fakes.fakeAccount('named')]
    fakes.follow(fan, author)
    const [pub, unlisted, secret, direct] = [
      await harness.post(author, 'public'),
      await harness.post(author, { status: 'unlisted', visibility: 'unlisted' }),
      await harness.post(author, { status: 'private', visibility: 'private' }),
      await harness.post(author, { status: '@named direct', visibility: 'direct' }),
    ].map((one) => one.id)
    const read = async (who: FakeAccount | null, more: Record<string, unknown> = {}) =>
      ids(await call(statuses.accountTimeline, { id: author.id, ...more } as never, who && harness.as(who)))
    expect(await read(null)).toEqual([unlisted, pub])
    expect(await read(fan)).toEqual([secret, unlisted, pub])
    expect(await read(named)).toEqual([direct, unlisted, pub])
    expect(await read(author)).toEqual([direct, secret, unlisted, pub])
    expect(await read(author, { exclude_direct: 'true' })).toEqual([secret, unlisted, pub])
    expect(await read(named, { exclude_direct: '1' })).toEqual([unlisted, pub])
    fakes.block(author, fan)
    expect(await read(fan)).toEqual([])
  })

  test('can be filtered by kind and by hashtag', async () => {
    const author = harness.fakes.fakeAccount('author2')
    const plain = await harness.post(author, '#Sorted plain')
    const reply = await harness.post(author, { status: 'reply', in_reply_to_id: (await harness.post(ann, 'x')).id })
    const self = await harness.post(author, { status: 'self', in_reply_to_id: plain.id })
    const boost = await call(statuses.addReblog, { id: (await harness.post(ann, 'y')).id }, harness.as(author))
    const media = await harness.post(author, { media_ids: [harness.fakes.file(author).id] })
    const read = async (more: Record<string, unknown>) =>
      ids(await call(statuses.accountTimeline, { id: author.id, ...more } as never))
    expect(await read({})).toEqual([media, boost, self, reply, plain].map((one) => one.id))
    expect(await read({ exclude_replies: 'true' })).toEqual([media, boost, self, plain].map((one) => one.id))
    expect(await read({ exclude_reblogs: '1' })).toEqual([media, self, reply, plain].map((one) => one.id))
    expect(await read({ only_media: true })).toEqual([media.id])
    expect(await read({ tagged: 'SORTED' })).toEqual([plain.id])
    expect(await read({ tagged: 'unused' })).toEqual([])
    expect(await page(statuses.accountTimeline, { id: author.id, limit: 5 }, null)).toMatchObject({
      next: { max_id: plain.id },
    })
    expect(await page(statuses.accountTimeline, { id: author.id, limit: 6 }, null)).toMatchObject({ next: null })
  })

  test('of removed, hidden or suspended accounts are not shown', async () => {
    await expect(call(statuses.accountTimeline, { id: '5' })).rejects.toMatchObject({
      status: 404,
      message: 'Record not found',
    })
    const pending = harness.fakes.fakeAccount('pending', { usable: false })
    await expect(call(statuses.accountTimeline, { id: pending.id })).rejects.toMatchObject({ status: 404 })
    const gone = harness.fakes.fakeAccount('gone')
    const { id } = await harness.post(gone, 'hi')
    gone.suspended = true
    const flags = {
      local: true,
      silenced: false,
      suspended: true,
      sensitized: false,
      discoverable: true,
      indexable: true,
      domain: null,
    }
    await harness.happen(accounts.accountChanged, { id: gone.id, flags, profile: false })
    expect(await call(statuses.accountTimeline, { id: gone.id })).toEqual([])
    await expect(call(statuses.showStatus, { id }, harness.as(ann))).rejects.toMatchObject({ status: 404 })
    expect(ids(await call(statuses.publicTimeline, {}))).not.toContain(id)
  })

  test('S-066 statuses are sensitive for everyone else if staff marked the media of the account as sensitive', async () => {
    const marked = harness.fakes.fakeAccount('marked')
    const { id } = await harness.post(marked, 'hi')
    const sensitive = async (who: FakeAccount | null) =>
      (await call(statuses.showStatus, { id }, who ? harness.as(who) : {})).sensitive
    expect([await sensitive(null), await sensitive(ann), await sensitive(marked)]).toEqual([false, false, false])
    marked.sensitized = true
    const flags = {
      local: true,
      silenced: false,
      suspended: false,
      sensitized: true,
      discoverable: true,
      indexable: true,
      domain: null,
    }
    await harness.happen(accounts.accountChanged, { id: marked.id, flags, profile: false })
    expect([await sensitive(null), await sensitive(ann), await sensitive(marked)]).toEqual([true, true, false])
    const listed = await call(statuses.accountTimeline, { id: marked.id }, harness.as(ann))
    expect(listed.map((one) => one.sensitive)).toEqual([true])
  })

  test('are deleted with the account', async () => {
    const leaver = harness.fakes.fakeAccount('leaver')
    const { id } = await harness.post(leaver, 'bye')
    const kept = await harness.post(ann, 'kept')
    await call(statuses.addFavourite, { id: kept.id }, harness.as(leaver))
    await call(statuses.addReblog, { id: kept.id }, harness.as(leaver))
    await harness.post(leaver, { status: 'reply', in_reply_to_id: kept.id })
    await harness.happen(accounts.accountRemoved, { id: leaver.id, local: true, uri: leaver.uri })
    await expect(call(statuses.showStatus, { id })).rejects.toMatchObject({ status: 404 })
    expect(await call(statuses.showStatus, { id: kept.id })).toMatchObject({
      favourites_count: 0,
      reblogs_count: 0,
      replies_count: 0,
    })
  })
})

describe('threads', () => {
  test('S-093 S-208 threads show what the viewer may see, self-replies first', async () => {
    const { fakes } = harness
    const [root, other, unrelated] = [
      fakes.fakeAccount('root'),
      fakes.fakeAccount('other'),
      fakes.fakeAccount('unrelated'),
    ]
    const top = await harness.post(root, 'top')
    const answer = await harness.post(other, { status: 'answer', in_reply_to_id: top.id })
    const deeper = await harness.post(root, { status: 'deeper', in_reply_to_id: answer.id })
    const own = await harness.post(root, { status: 'own', in_reply_to_id: top.id })
    const direct = await harness.post(other, { status: '@root psst', visibility: 'direct', in_reply_to_id: top.id })
    const read = async (id: string, who: FakeAccount | null) => {
      const thread = await call(statuses.showThread, { id }, who && harness.as(who))
      return { above: ids(thread.ancestors), below: ids(thread.descendants) }
    }
    expect(await read(top.id, unrelated)).toEqual({ above: [], below: [own.id, answer.id, deeper.id] })
    expect(await read(top.id, null)).toEqual({ above: [], below: [own.id, answer.id, deeper.id] })
    expect(await read(top.id, root)).toEqual({ above: [], below: [own.id, answer.id, deeper.id, direct.id] })
    expect(await read(deeper.id, unrelated)).toEqual({ above: [top.id, answer.id], below: [] })
    fakes.mute(unrelated, other)
    expect(await read(top.id, unrelated)).toEqual({ above: [], below: [own.id, deeper.id] })
    await expect(read(direct.id, unrelated)).rejects.toMatchObject({ status: 404 })
    await call(statuses.deleteStatus, { id: answer.id }, harness.as(other))
    expect(await read(deeper.id, root)).toEqual({ above: [], below: [] })
  })

  test('S-093 S-208 anonymous viewers see less of a long thread', async () => {
    let last = await harness.post(ann, 'start')
    const first = last
    for (let i = 0; i < 45; i++) last = await harness.post(ann, { status: `${i}`, in_reply_to_id: last.id })
    expect((await call(statuses.showThread, { id: last.id })).ancestors.length).toBe(40)
    expect((await call(statuses.showThread, { id: last.id }, harness.as(bob))).ancestors.length).toBe(45)
    expect((await call(statuses.showThread, { id: first.id })).descendants.length).toBe(20)
    expect((await call(statuses.showThread, { id: first.id }, harness.as(bob))).descendants.length).toBe(45)
    const wide = await harness.post(ann, 'wide')
    await Promise.all(
      Array.from({ length: 62 }, (_, i) => harness.post(ann, { status: `${i}`, in_reply_to_id: wide.id })),
    )
    expect((await call(statuses.showThread, { id: wide.id })).descendants.length).toBe(60)
    expect((await call(statuses.showThread, { id: wide.id }, harness.as(bob))).descendants.length).toBe(62)
  })

  test('S-093 S-208 anonymous viewers see sixty replies, and accounts see all of them', async () => {
    const top = await harness.post(ann, 'many replies')
    const replies: string[] = []
    for (let i = 0; i < 61; i++) replies.push((await harness.post(bob, { status: `${i}`, in_reply_to_id: top.id })).id)
    expect(ids((await call(statuses.showThread, { id: top.id })).descendants)).toEqual(replies.slice(0, 60))
    expect(ids((await call(statuses.showThread, { id: top.id }, harness.as(bob))).descendants)).toEqual(replies)
  })

  test('S-093 a viewer sees the public replies among many hidden ones', async () => {
    const top = await harness.post(ann, 'few public replies')
    const hidden = await harness.post(cat, { status: 'psst', visibility: 'direct', in_reply_to_id: top.id })
    const db = harness.cluster.db('statuses')
    await db.run(sql`insert into statuses
      select (jsonb_populate_record(s, jsonb_build_object('id', s.id + n, 'uri', s.uri || '-' || n))).*
      from statuses s, generate_series(1, 400) n where s.id = ${hidden.id}`)
    await db.run(sql`insert into replies (parent_id, child_id)
      select ${top.id}::bigint, ${hidden.id}::bigint + n from generate_series(1, 400) n`)
    const { id } = await harness.post(bob, { status: 'public', in_reply_to_id: top.id })
    expect(ids((await call(statuses.showThread, { id: top.id })).descendants)).toEqual([id])
    expect(ids((await call(statuses.showThread, { id: top.id }, harness.as(bob))).descendants)).toEqual([id])
  })

  test('S-093 S-208 accounts see 4,096 statuses above and below, at any depth', async () => {
    const db = harness.cluster.db('statuses')
    const first = await harness.post(cat, 'a chain')
    const base = BigInt(first.id)
    await db.run(sql`insert into statuses
      select (jsonb_populate_record(s, jsonb_build_object('id', s.id + n, 'uri', s.uri || '-' || n,
        'in_reply_to_id', s.id + n - 1, 'in_reply_to_author_id', s.author_id, 'in_reply_to_account_id', s.author_id))).*
      from statuses s, generate_series(1, 4100) n where s.id = ${first.id}`)
    await db.run(sql`insert into replies (parent_id, child_id)
      select ${first.id}::bigint + n - 1, ${first.id}::bigint + n from generate_series(1, 4100) n`)
    // The planner needs the new sizes, and only the owner of the tables can measure them.
    const owner = openDatabase({ url: harness.cluster.env.DATABASE_URL ?? '', schema: 'statuses', connections: 1 })
    await owner.run(sql`analyze statuses, replies`)
    await owner.close()
    const chain = Array.from({ length: 4_101 }, (_, n) => String(base + BigInt(n)))
    const below = await call(statuses.showThread, { id: first.id }, harness.as(bob))
    expect(ids(below.descendants)).toEqual(chain.slice(1, 4_097))
    const above = await call(statuses.showThread, { id: chain.at(-1) ?? '' }, harness.as(bob))
    expect(ids(above.ancestors)).toEqual(chain.slice(4, 4_100))
    await db.run(sql`delete from statuses where id > ${first.id} and id <= ${chain.at(-1) ?? ''}`)
  })

  test('threads can be muted', async () => {
    const { id } = await harness.post(ann, 'noisy')
    const reply = await harness.post(bob, { status: 'x', in_reply_to_id: id })
    expect(await call(statuses.muteThread, { id }, harness.as(cat))).toMatchObject({ muted: true })
    expect(await call(statuses.showStatus, { id: reply.id }, harness.as(cat))).toMatchObject({ muted: true })
    expect(await call(statuses.unmuteThread, { id: reply.id }, harness.as(cat))).toMatchObject({ muted: false })
  })
})
