/** Trends: counted, scored, reviewed, and listed with the viewer's languages first. */

import type { InstanceSettings } from '@murmuration/contracts/admin'
import { permissionsOf } from '@murmuration/contracts/permissions'
import { sql } from '@murmuration/db'
import type { BaseContext } from '@murmuration/kernel'
import { viewer } from '@murmuration/testkit'
import { type Received, type StubResponse, serve, type WebServer } from '@murmuration/testkit/outside/web-server'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Config, readServiceConfig } from '../src/config.js'
import { requestTrendReview, scoreAllTrends } from '../src/trend/ticks.js'
import type { FakeAccount } from './fakes/data.js'
import { type Harness, startHarness, statuses } from './harness.js'

let harness: Harness
let site: WebServer
let ctx: Pick<BaseContext, 'policy' | 'ids'> & { config: Config }
let sharers: FakeAccount[]
let ann: FakeAccount
const pages = new Map<string, StubResponse>()
beforeAll(async () => {
  harness = await startHarness({ OUTBOUND_ALLOW_ADDRESSES: '127.0.0.0/8' })
  site = await serve((request: Received) => pages.get(new URL(request.path, 'http://x').pathname) ?? { status: 404 })
  const { ctx: base } = harness.cluster.host.running.find((one) => one.service === 'statuses') ?? {}
  if (!base) throw new Error('statuses does not run')
  ctx = { ...base, config: readServiceConfig(base.common, base.env) }
  sharers = Array.from({ length: 15 }, (_, i) => harness.fakes.fakeAccount(`one${i}`))
  ann = harness.fakes.fakeAccount('ann')
})
afterAll(async () => {
  await harness.stop()
  await site.close()
})

const call = ((...given) => harness.cluster.call(...given)) as Harness['cluster']['call']
const given = (settings: Partial<InstanceSettings>) => {
  const real = ctx.policy.settings()
  return vi.spyOn(ctx.policy, 'settings').mockReturnValue({ ...real, ...settings })
}
const score = async () => {
  await harness.cluster.waitForIdle()
  await scoreAllTrends.run(ctx)
}
const staff = () => ({
  ...harness.as(ann),
  viewer: viewer(ann.id, { permissions: permissionsOf('manage_taxonomies') }),
})
const APPROVE = { tag: statuses.approveTrendTag, link: statuses.approveTrendLink, status: statuses.approveTrendStatus }
const LIST = {
  tag: statuses.listTrendTagsForReview,
  link: statuses.listTrendLinksForReview,
  status: statuses.listTrendStatusesForReview,
}
// biome-ignore lint/suspicious/noExplicitAny: tests look at members of all three kinds.
const approve = (kind: keyof typeof APPROVE, id: string): Promise<any> => call(APPROVE[kind], { id }, staff())
// biome-ignore lint/suspicious/noExplicitAny: tests look at members of all three kinds.
const listed = (kind: keyof typeof LIST): Promise<any[]> => call(LIST[kind], { limit: 20 } as never, staff())
const fakeAccounts = (count: number) => sharers.slice(0, count)
const like = async (id: string, count: number) => {
  for (const one of fakeAccounts(count)) await call(statuses.addFavourite, { id }, harness.as(one))
}
const tagNames = async (page: Record<string, unknown> = {}, who: FakeAccount | null = null, locale = 'en') =>
  (await call(statuses.trendTags, page as never, who ? harness.as(who) : {}, { locale })).map((tag) => tag.name)

describe('hashtags', () => {
  beforeAll(async () => {
    for (const one of fakeAccounts(8)) await harness.post(one, { status: 'so #Bloom', language: 'de' })
    for (const one of fakeAccounts(6)) await harness.post(one, { status: 'so #Rain', language: 'en' })
    for (const one of fakeAccounts(5)) await harness.post(one, { status: 'so #Wind', language: 'en' })
    for (const one of fakeAccounts(4)) await harness.post(one, { status: 'so #Quiet', language: 'en' })
    await score()
  })
  test('S-075 hashtags wait for a review, and S-060 staff sees them with its decisions', async () => {
    expect(await tagNames()).toEqual([])
    const waiting = await listed('tag')
    expect(waiting.map((tag) => tag.name)).toEqual(['Bloom', 'Rain', 'Wind'])
    expect(waiting[0]).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name: 'Bloom',
      url: `${harness.cluster.origin}/tags/bloom`,
      history: expect.any(Array),
      following: false,
      featuring: false,
      trendable: false,
      usable: true,
      listable: true,
      requires_review: true,
    })
    expect(await approve('tag', waiting[0].id)).toMatchObject({ trendable: true, requires_review: false })
    expect(await tagNames()).toEqual(['Bloom'])
    const rejected = await call(statuses.rejectTrendTag, { id: waiting[1].id }, staff())
    expect(rejected).toMatchObject({ trendable: false, requires_review: false })
    expect(await tagNames()).toEqual(['Bloom'])
    await score()
    expect(await tagNames()).toEqual(['Bloom'])
    await expect(approve('tag', '7')).rejects.toMatchObject({ status: 404, message: 'Record not found' })
  })
  test('S-021 a trending hashtag has a history of a week, and no review is requested if everything may trend', async () => {
    const [tag] = await call(statuses.trendTags, {} as never)
    expect(tag?.history).toHaveLength(7)
    expect(tag?.history[0]).toMatchObject({ uses: '8', accounts: '8' })
    const settings = given({ trendable_by_default: true })
    expect(await tagNames({}, null, 'fr')).toEqual(['Bloom', 'Wind'])
    settings.mockRestore()
  })
  test('S-163 trending hashtags are paged by offset, those in the languages of the viewer first', async () => {
    const settings = given({ trendable_by_default: true })
    await approve('tag', (await listed('tag'))[1].id)
    expect(await tagNames({}, null, 'fr')).toEqual(['Bloom', 'Rain', 'Wind'])
    expect(await tagNames({}, null, 'en-GB')).toEqual(['Rain', 'Wind', 'Bloom'])
    expect(await tagNames({ limit: 1, offset: 1 }, null, 'en')).toEqual(['Wind'])
    const chooser = harness.fakes.fakeAccount('chooser')
    chooser.defaults.chosen_languages = ['de']
    expect(await tagNames({}, chooser, 'en')).toEqual(['Bloom', 'Rain', 'Wind'])
    const { meta } = await harness.cluster.request(statuses.trendTags, { limit: 1, offset: 2 } as never)
    expect(meta).toMatchObject({
      next: { offset: '3' },
      prev: { offset: '1' },
      headers: { Vary: 'Authorization, Origin, Accept-Language' },
    })
    settings.mockRestore()
  })
  test('no hashtags trend when the setting is off', async () => {
    const settings = given({ trends: false })
    expect(await tagNames()).toEqual([])
    expect(await call(statuses.trendStatuses, {} as never)).toEqual([])
    settings.mockRestore()
  })
  test('the score of a hashtag does not rise again without new uses', async () => {
    await harness.cluster.db('statuses').run(sql`update trends set top_at = now() - interval '40 hours' where kind = 0`)
    await score()
    expect(await listed('tag')).toEqual([])
    await harness.cluster.db('statuses').run(sql`update trends set top_at = now() - interval '2 days' where kind = 0`)
    await score()
    expect(await listed('tag')).toHaveLength(3)
  })
})

describe('S-203 S-185 staff is asked to review every two hours', () => {
  const asked = async () => {
    await requestTrendReview.run(ctx)
    const rows = await harness.cluster
      .db('statuses')
      .rows<{ data: string }>(
        sql`select data from outbox where subject = 'evt.statuses.trend.review-wanted' order by id`,
      )
    return rows.map((row) => JSON.parse(row.data))
  }
  test('about trends without a decision, once for each', async () => {
    const settings = given({ trendable_by_default: true })
    expect(await asked()).toEqual([])
    settings.mockRestore()
    expect(await asked()).toEqual([expect.objectContaining({ tags: 1, links: 0, statuses: 0 })])
    await score()
    expect(await asked()).toHaveLength(1)
  })
  test('but not about trends below three approved ones', async () => {
    const db = harness.cluster.db('statuses')
    await db.run(sql`insert into trends (kind, id, score, top_score, top_at, language, allowed)
      select 1, n, n, n, now(), case when n = 1 then 'ja' else 'en' end, case when n > 4 then true end
      from generate_series(1, 7) as n`)
    await db.run(sql`update trends set asked_at = now() - interval '119 minutes' where asked_at is not null`)
    expect(await asked()).toHaveLength(1)
    await db.run(sql`update trends set asked_at = now() - interval '121 minutes' where asked_at is not null`)
    expect((await asked()).at(-1)).toMatchObject({ tags: 0, links: 1, statuses: 0 })
    await db.run(sql`delete from trends where kind = 1`)
  })
})

describe('links', () => {
  const article = (type: string): StubResponse => ({
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: `<html lang="en"><title>Story</title><meta property="og:type" content="${type}"><meta property="og:image"
      content="/i.png"><meta property="og:description" content="About"><meta property="og:site_name" content="News">`,
  })
  test('S-202 S-070 a link trends when fifteen accounts share an article on one day', async () => {
    pages.set('/story', article('article'))
    pages.set('/shop', article('product'))
    const url = `${site.origin}/story`
    for (const one of fakeAccounts(13)) await harness.post(one, url)
    for (const one of fakeAccounts(15)) await harness.post(one, `${site.origin}/shop`)
    const again = await harness.post(sharers[0] as FakeAccount, `once more ${url}`)
    await harness.cluster.waitForIdle()
    await call(statuses.addReblog, { id: again.id }, harness.as(sharers[13] as FakeAccount))
    await score()
    expect(await listed('link')).toEqual([])
    await harness.post(sharers[14] as FakeAccount, { status: url, spoiler_text: 'careful' })
    await harness.post(sharers[14] as FakeAccount, { status: url, visibility: 'unlisted' })
    await score()
    expect(await listed('link')).toEqual([])
    await harness.post(sharers[14] as FakeAccount, url)
    await score()
    const waiting = await listed('link')
    expect(waiting).toEqual([expect.objectContaining({ url, title: 'Story', type: 'link', requires_review: true })])
    expect(await call(statuses.trendLinks, {} as never)).toEqual([])
    await approve('link', waiting[0].id)
    const [shown] = await call(statuses.trendLinks, {} as never)
    expect(shown).toMatchObject({ url, title: 'Story', provider_name: 'News' })
    expect(shown).not.toHaveProperty('id')
    expect(shown?.history).toHaveLength(7)
    expect(shown?.history[0]).toMatchObject({ uses: '16', accounts: '15' })
  })
})

describe('languages and pages', () => {
  const article = (language: string): StubResponse => ({
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: `<html lang="${language}"><title>${language}</title><meta property="og:type" content="article">`,
  })
  test('S-163 links and statuses are paged by offset, those in the languages of the viewer first', async () => {
    const db = harness.cluster.db('statuses')
    const languages = ['de', 'en', 'fr']
    const ids = new Map<string, string>()
    for (const language of languages) {
      pages.set(`/in-${language}`, article(language))
      const posted = await harness.post(ann, { status: `${site.origin}/in-${language}`, language })
      ids.set(posted.id, language)
    }
    await harness.cluster.waitForIdle()
    await db.run(sql`delete from trends where kind in (1, 2)`)
    await db.run(sql`insert into trends (kind, id, score, top_score, top_at, language, allowed)
      select 1, id, 9 - ascii(language) / 100.0, 9, now(), language, true from previews where url like '%/in-%'`)
    await db.run(sql`insert into trends (kind, id, score, top_score, top_at, language, author_id, allowed)
      select 2, id, 9 - ascii(language) / 100.0, 9, now(), language, author_id, true from statuses
      where id = any(${[...ids.keys()]}::bigint[])`)
    const chooser = harness.fakes.fakeAccount('chooser2')
    chooser.defaults.chosen_languages = ['fr']
    const shown = async (page: Record<string, unknown>, locale: string, who: FakeAccount | null = null) => {
      const as = who ? harness.as(who) : {}
      const links = await call(statuses.trendLinks, page as never, as, { locale })
      const found = await call(statuses.trendStatuses, page as never, as, { locale })
      return [links.map((link) => link.title), found.map((status) => ids.get(status.id))]
    }
    const twice = (...order: string[]) => [order, order]
    expect(await shown({}, 'en-GB')).toEqual(twice('en', 'de', 'fr'))
    expect(await shown({}, 'fr')).toEqual(twice('fr', 'de', 'en'))
    expect(await shown({}, 'en', chooser)).toEqual(twice('fr', 'de', 'en'))
    expect(await shown({ limit: 1, offset: 1 }, 'en')).toEqual(twice('de'))
    for (const operation of [statuses.trendLinks, statuses.trendStatuses]) {
      const { meta } = await harness.cluster.request(operation, { limit: 1, offset: 2 } as never)
      expect(meta).toMatchObject({ next: { offset: '3' }, prev: { offset: '1' } })
    }
    await db.run(sql`delete from trends where kind in (1, 2)`)
  })
})

describe('statuses', () => {
  const trending = async (who: FakeAccount | null = null, page: Record<string, unknown> = {}) =>
    (await call(statuses.trendStatuses, page as never, who ? harness.as(who) : {})).map((status) => status.id)
  test('S-021 S-075 statuses trend that have many favourites, are not sensitive, and were approved by staff', async () => {
    const [big, small] = [await harness.post(ann, 'big'), await harness.post(sharers[0] as FakeAccount, 'small')]
    const warned = await harness.post(ann, { status: 'x', spoiler_text: 'careful' })
    const quiet = await harness.post(ann, { status: 'x', visibility: 'unlisted' })
    const answer = await harness.post(ann, { status: 'x', in_reply_to_id: big.id })
    const shy = await harness.post(harness.fakes.fakeAccount('shy', { discoverable: false }), 'x')
    for (const one of [warned, quiet, answer, shy, small]) await like(one.id, 5)
    await like(big.id, 8)
    const few = await harness.post(ann, 'few')
    await like(few.id, 4)
    await score()
    const waiting = await listed('status')
    expect(waiting.map((one) => [one.id, one.requires_review])).toEqual([
      [big.id, true],
      [small.id, true],
    ])
    expect(await trending()).toEqual([])
    await approve('status', big.id)
    await approve('status', small.id)
    expect(await trending()).toEqual([big.id, small.id])
    expect(await trending(null, { offset: 1 })).toEqual([small.id])
    const [muting, blocking] = [harness.fakes.fakeAccount('muting'), harness.fakes.fakeAccount('blocking')]
    harness.fakes.mute(muting, ann)
    harness.fakes.block(sharers[0] as FakeAccount, blocking)
    expect(await trending(muting, { limit: 1 })).toEqual([small.id])
    expect(await trending(blocking)).toEqual([big.id])
    await call(statuses.deleteStatus, { id: big.id } as never, harness.as(ann))
    await score()
    expect(await trending()).toEqual([small.id])
  })
})
