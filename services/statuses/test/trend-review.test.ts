/** Trends and hashtags for staff: permissions, JSON, decisions, and their effect on public lists. */
import { permissionsOf } from '@murmuration/contracts/permissions'
import { sql } from '@murmuration/db'
import type { BaseContext } from '@murmuration/kernel'
import { viewer } from '@murmuration/testkit'
import { type Received, type StubResponse, serve, type WebServer } from '@murmuration/testkit/outside/web-server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Config, readServiceConfig } from '../src/config.js'
import { listUnusable } from '../src/taxonomy/ticks.js'
import { requestTrendReview, scoreAllTrends } from '../src/trend/ticks.js'
import type { FakeAccount } from './fakes/data.js'
import { expectGolden } from './golden.js'
import { type Harness, startHarness, statuses } from './harness.js'

let harness: Harness
let site: WebServer
let ctx: BaseContext & { config: Config }
let fakeAccounts: FakeAccount[]
let ann: FakeAccount
const pages = new Map<string, StubResponse>()
beforeAll(async () => {
  harness = await startHarness({ OUTBOUND_ALLOW_ADDRESSES: '127.0.0.0/8', TREND_LINK_ACCOUNTS: '2' })
  site = await serve((request: Received) => pages.get(new URL(request.path, 'http://x').pathname) ?? { status: 404 })
  const { ctx: base } = harness.cluster.host.running.find((one) => one.service === 'statuses') ?? {}
  if (!base) throw new Error('statuses does not run')
  ctx = { ...base, config: readServiceConfig(base.common, base.env) }
  fakeAccounts = Array.from({ length: 6 }, (_, i) => harness.fakes.fakeAccount(`one${i}`))
  ann = harness.fakes.fakeAccount('ann')
})
afterAll(async () => {
  await harness.stop()
  await site.close()
})

const call = ((...given) => harness.cluster.call(...given)) as Harness['cluster']['call']
const staff = () => ({
  ...harness.as(ann),
  viewer: viewer(ann.id, { permissions: permissionsOf('manage_taxonomies') }),
})
const score = async () => {
  await harness.cluster.waitForIdle()
  await scoreAllTrends.run(ctx)
}
/** A history with its days replaced by their position, because they change with the date. */
const withoutDays = <T>(item: T | undefined): unknown => ({
  ...item,
  history: (item as { history: object[] }).history.map((day, at) => ({ ...day, day: `<today - ${at}>` })),
})
const publicTags = async () => (await call(statuses.trendTags, {} as never)).map((tag) => tag.name)
const candidates = () => call(statuses.listTrendTagsForReview, {} as never, staff())
const idOf = async (name: string) =>
  (await harness.cluster.db('statuses').row<{ id: string }>(sql`select id from tags where name = ${name}`))?.id ?? ''

test('S-061 S-154 S-175 only staff with manage_taxonomies sees candidates, with review state', async () => {
  for (const one of fakeAccounts) await harness.post(one, { status: 'so #Bloom', language: 'en' })
  for (const one of fakeAccounts.slice(0, 5)) await harness.post(one, { status: 'so #Rain', language: 'en' })
  await score()
  const [bloom, rain] = await candidates()
  expect(bloom).toMatchObject({ name: 'Bloom', trendable: false, requires_review: true })
  expect(rain).toMatchObject({ name: 'Rain', trendable: false, requires_review: true })
  await expectGolden('admin-tag', withoutDays(bloom), harness.cluster.origin, { bloom: await idOf('bloom') })
  expect(await call(statuses.listTrendTagsForReview, {} as never, harness.as(ann))).toEqual([])
  await call(statuses.approveTrendTag, { id: bloom?.id ?? '' }, staff())
  const forOthers = await call(statuses.listTrendTagsForReview, {} as never, harness.as(ann))
  expect(forOthers.map((tag) => tag.name)).toEqual(['Bloom'])
  expect(forOthers[0]).not.toHaveProperty('requires_review')
  expect(forOthers).toEqual(await call(statuses.trendTags, {} as never, harness.as(ann)))
  expect(await call(statuses.listTrendTagsForReview, {} as never)).toHaveLength(1)
  const off = { ...ctx.policy.settings(), trends: false }
  const settings = vi.spyOn(ctx.policy, 'settings').mockReturnValue(off)
  expect((await candidates()).map((tag) => tag.name)).toEqual(['Bloom', 'Rain'])
  expect(await call(statuses.listTrendTagsForReview, {} as never, harness.as(ann))).toEqual([])
  settings.mockRestore()
})

test('S-021 S-075 an approved trend is in the public list at once, before the next scoring', async () => {
  for (const one of fakeAccounts) await harness.post(one, { status: 'so #Fresh', language: 'en' })
  await harness.cluster.waitForIdle()
  expect(await publicTags()).not.toContain('Fresh')
  const approved = await call(statuses.approveTrendTag, { id: await idOf('fresh') }, staff())
  expect(approved).toMatchObject({ name: 'Fresh', trendable: true, requires_review: false })
  expect(await publicTags()).toContain('Fresh')
  await call(statuses.rejectTrendTag, { id: await idOf('fresh') }, staff())
  expect(await publicTags()).not.toContain('Fresh')
})

test('the list for review is paged by offset', async () => {
  const { meta } = await harness.cluster.request(
    statuses.listTrendTagsForReview,
    { limit: 1, offset: 2 } as never,
    staff(),
  )
  expect(meta).toMatchObject({ next: { offset: '3' }, prev: { offset: '1' } })
})

test('S-166 hashtags are listed for staff newest first, with links to other pages', async () => {
  const all = await call(statuses.listAdminTags, {} as never, staff())
  expect(all.map((tag) => tag.name)).toEqual(['Fresh', 'Rain', 'Bloom'])
  const first = await harness.cluster.request(statuses.listAdminTags, { limit: 2 } as never, staff())
  expect(first.meta).toMatchObject({ next: { max_id: all[1]?.id }, prev: { min_id: all[0]?.id } })
  expect(await call(statuses.showAdminTag, { id: all[1]?.id ?? '' }, staff())).toEqual(all[1])
  await expect(call(statuses.showAdminTag, { id: '7' }, staff())).rejects.toMatchObject({ status: 404 })
})

test('S-060 an update stores decisions about a hashtag, which then needs no review', async () => {
  const id = await idOf('rain')
  const renamed = await call(statuses.updateAdminTag, { id, display_name: 'RAIN', listable: false }, staff())
  expect(renamed).toMatchObject({
    name: 'RAIN',
    listable: false,
    usable: true,
    trendable: false,
    requires_review: false,
  })
  await expect(call(statuses.updateAdminTag, { id, display_name: 'Snow' }, staff())).rejects.toMatchObject({
    status: 422,
    message: 'Validation failed: Display name does not match the previous name',
  })
  expect(await call(statuses.updateAdminTag, { id, trendable: true }, staff())).toMatchObject({ trendable: true })
  expect(await publicTags()).toContain('RAIN')
  await expect(call(statuses.updateAdminTag, { id: '7' }, staff())).rejects.toMatchObject({ status: 404 })
})

test('a hashtag that is not usable leaves the trends and is refused in new statuses', async () => {
  const id = await idOf('rain')
  expect(await call(statuses.updateAdminTag, { id, usable: false }, staff())).toMatchObject({ usable: false })
  expect(await publicTags()).not.toContain('RAIN')
  await expect(harness.post(ann, 'more #rain')).rejects.toMatchObject({
    status: 422,
    message: 'Validation failed: Text contained a disallowed hashtag: rain',
  })
  await call(statuses.updateAdminTag, { id, usable: true }, staff())
  await harness.post(ann, 'more #rain')
})

/** Announced lists of unusable hashtags, oldest first. */
const listed = async (): Promise<{ names: string[]; listedAt: string }[]> =>
  (
    await harness.cluster
      .db('statuses')
      .rows<{ data: string }>(
        sql`select data from outbox where subject = 'evt.statuses.unusable-tag.listed' order by id`,
      )
  ).map((row) => JSON.parse(row.data))

test('each decision whether hashtags are usable announces all unusable hashtags, at the time of the database', async () => {
  const db = harness.cluster.db('statuses')
  await harness.post(ann, 'more #fog #haze')
  await db.run(sql`update tags set usable = false where name = 'haze'`)
  const id = await idOf('fog')
  const before = (await listed()).length
  await call(statuses.updateAdminTag, { id, listable: true }, staff())
  expect(await listed()).toHaveLength(before)
  await call(statuses.updateAdminTag, { id, usable: false }, staff())
  const offset = ctx.clock.offset()
  ctx.clock.moveTo(offset - 60_000)
  await call(statuses.updateAdminTag, { id, usable: true }, staff()).finally(() => ctx.clock.moveTo(offset))
  const [first, second, ...more] = (await listed()).slice(before)
  expect([first?.names.toSorted(), second?.names, more]).toEqual([['fog', 'haze'], ['haze'], []])
  expect(Date.parse(second?.listedAt ?? '')).toBeGreaterThan(Date.parse(first?.listedAt ?? ''))
})

test('the list of unusable hashtags is announced again by a tick, also if it is empty', async () => {
  const db = harness.cluster.db('statuses')
  await db.run(sql`update tags set usable = name <> 'fog'`)
  await listUnusable.run(ctx)
  expect((await listed()).at(-1)?.names).toEqual(['fog'])
  const before = (await listed()).length
  await db.run(sql`update tags set usable = true`)
  await listUnusable.run(ctx)
  expect((await listed()).slice(before)).toMatchObject([{ names: [] }])
})

test('a list of 2,000 unusable hashtags with long names fits in a message, and further and longer names are omitted', async () => {
  const db = harness.cluster.db('statuses')
  await db.run(sql`insert into tags (id, name, display, usable)
    select 5000 + n, name, name, false from generate_series(1, 2002) n
      cross join lateral (select repeat('𐐨', case n when 2002 then 101 else 96 end) || lpad(n::text, 4, '0') as name) named`)
  await listUnusable.run(ctx)
  const list = (await listed()).at(-1)
  expect(list?.names).toHaveLength(2_000)
  expect(list?.names.every((name) => [...name].length === 100)).toBe(true)
  await harness.cluster.waitForIdle()
  const waiting = await db.rows(sql`select 1 from outbox where sent_at is null`)
  await db.run(sql`delete from tags where id between 5001 and 7002 and not usable`)
  expect(waiting).toEqual([])
})

const article = (title: string): StubResponse => ({
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: `<html lang="en"><title>${title}</title><meta property="og:type" content="article"><meta property="og:image"
    content="/i.png"><meta property="og:description" content="About"><meta property="og:site_name" content="News">`,
})
const publicLinks = async () => (await call(statuses.trendLinks, {} as never)).map((link) => link.title)

test('S-075 a decision about a publisher applies to its links, except those with their own decision', async () => {
  for (const title of ['One', 'Two']) {
    pages.set(`/${title}`, article(title))
    for (const fakeAccount of fakeAccounts.slice(0, 3)) await harness.post(fakeAccount, `${site.origin}/${title}`)
  }
  await score()
  const links = await call(statuses.listTrendLinksForReview, {} as never, staff())
  expect(links).toHaveLength(2)
  const [one, two] = ['One', 'Two'].map(
    (title) => links.find((link) => link.title === title) as (typeof links)[0] & { id: string },
  )
  await expectGolden('admin-trends-link', withoutDays(one), harness.cluster.origin, {
    site: site.origin,
    link: one?.id ?? '',
  })
  const [publisher] = await call(statuses.listTrendPublishers, {} as never, staff())
  expect(publisher).toMatchObject({ domain: new URL(site.origin).hostname, trendable: null, requires_review: true })
  await expectGolden('admin-trends-publisher', publisher, harness.cluster.origin, { publisher: publisher?.id ?? '' })
  expect(await publicLinks()).toEqual([])
  await call(statuses.rejectTrendLink, { id: two?.id ?? '' }, staff())
  const id = publisher?.id ?? ''
  const approved = await call(statuses.approveTrendPublisher, { id }, staff())
  expect(approved).toMatchObject({ trendable: true, requires_review: false, reviewed_at: expect.any(String) })
  expect(await publicLinks()).toEqual(['One'])
  await score()
  expect(await publicLinks()).toEqual(['One'])
  await call(statuses.rejectTrendPublisher, { id }, staff())
  expect(await publicLinks()).toEqual([])
  expect(await call(statuses.approveTrendLink, { id: one?.id ?? '' }, staff())).toMatchObject({
    requires_review: false,
  })
  expect(await publicLinks()).toEqual(['One'])
  await expect(call(statuses.approveTrendPublisher, { id: '7' }, staff())).rejects.toMatchObject({ status: 404 })
})

test('S-070 only links to articles with title, description, picture and provider trend', async () => {
  const whole = {
    title: '<title>Whole</title>',
    type: '<meta property="og:type" content="article">',
    image: '<meta property="og:image" content="/i.png">',
    description: '<meta property="og:description" content="About">',
    provider: '<meta property="og:site_name" content="News">',
  }
  const frame = `https://${new URL(site.origin).host}/v`
  const player = `<meta name="twitter:player" content="${frame}"><meta name="twitter:player:width" content="640">`
  const variants: Record<string, string> = { whole: Object.values(whole).join('') }
  for (const name of Object.keys(whole) as (keyof typeof whole)[])
    variants[`no-${name}`] = Object.values({ ...whole, [name]: '' }).join('')
  variants.website = Object.values({ ...whole, type: '<meta property="og:type" content="website">' }).join('')
  variants.video = Object.values(whole).join('') + player
  for (const [name, head] of Object.entries(variants)) {
    const headers = { 'content-type': 'text/html' }
    pages.set(`/kind/${name}`, { status: 200, headers, body: `<html lang="en"><head>${head}</head></html>` })
    for (const fakeAccount of fakeAccounts.slice(0, 3)) await harness.post(fakeAccount, `${site.origin}/kind/${name}`)
  }
  await score()
  const links = await call(statuses.listTrendLinksForReview, { limit: 20 } as never, staff())
  expect(links.map((link) => link.url).filter((url) => url.includes('/kind/'))).toEqual([`${site.origin}/kind/whole`])
})

test('S-185 a publisher stores when staff was asked to review it', async () => {
  pages.set('/Three', article('Three'))
  await harness.cluster.db('statuses').run(sql`delete from publishers`)
  await harness.cluster.db('statuses').run(sql`update trends set asked_at = null, allowed = null`)
  await score()
  await harness.cluster.db('statuses').run(sql`update trends set allowed = null`)
  await requestTrendReview.run(ctx)
  const [publisher] = await call(statuses.listTrendPublishers, {} as never, staff())
  expect(publisher?.requested_review_at).toEqual(expect.any(String))
})

test('S-021 a status trends after its approval', async () => {
  const popular = await harness.post(ann, { status: 'popular', language: 'en' })
  for (const one of fakeAccounts) await call(statuses.addFavourite, { id: popular.id }, harness.as(one))
  await score()
  const [waiting] = await call(statuses.listTrendStatusesForReview, {} as never, staff())
  expect(waiting).toMatchObject({ id: popular.id, requires_review: true })
  await expectGolden('admin-trends-status', waiting, harness.cluster.origin, { status: popular.id, ann: ann.id })
  expect(await call(statuses.trendStatuses, {} as never)).toEqual([])
  await call(statuses.approveTrendStatus, { id: popular.id }, staff())
  expect((await call(statuses.trendStatuses, {} as never)).map((one) => one.id)).toEqual([popular.id])
  await call(statuses.rejectTrendStatus, { id: popular.id }, staff())
  expect(await call(statuses.trendStatuses, {} as never)).toEqual([])
})
