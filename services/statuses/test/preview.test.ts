/** Preview cards: fetched once, sanitised, cached, credited only with consent, and never from private addresses. */
import { sql } from '@murmuration/db'
import { holding } from '@murmuration/testkit'
import { type Received, type StubResponse, serve } from '@murmuration/testkit/outside/web-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Context as StatusesContext } from '../src/context.js'
import { NotResponding } from '../src/core/web.client.js'
import { sweepPreviews } from '../src/preview-card/store.js'
import { previewDue } from '../src/preview-card/ticks.js'
import type { FakeAccount } from './fakes/data.js'
import { type Harness, startHarness, statuses } from './harness.js'
import { remoteStatus } from './remote-status.js'

let harness: Harness
let ann: FakeAccount
let bob: FakeAccount
let site: Awaited<ReturnType<typeof serve>>
const asked: string[] = []
/** The received requests with all headers. */
const requests: Received[] = []
const pages = new Map<string, (request: Received) => StubResponse | Promise<StubResponse>>()
const html = (body: string): StubResponse => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body,
})
const story = (more = '', title = 'A story') =>
  html(`<html lang="en"><head><title>${title}</title><meta property="og:type" content="article">
    <meta property="og:description" content="Long ago"><meta property="og:site_name" content="News">
    <meta property="og:image" content="/pic.png">${more}</head></html>`)

beforeAll(async () => {
  harness = await startHarness({ OUTBOUND_ALLOW_ADDRESSES: '127.0.0.0/8' })
  ann = harness.fakes.fakeAccount('ann')
  bob = harness.fakes.fakeAccount('bob')
  site = await serve((request) => {
    asked.push(request.path)
    requests.push(request)
    return pages.get(new URL(request.path, 'http://x').pathname)?.(request) ?? { status: 404 }
  })
})
afterAll(async () => {
  await harness.stop()
  await site.close()
})
beforeEach(() => {
  asked.length = 0
})

const call = ((...given) => harness.cluster.call(...given)) as Harness['cluster']['call']
let n = 0
/** Publishes a page and returns its address. */
const publish = (answer: (request: Received) => StubResponse | Promise<StubResponse> = () => story()): string => {
  const path = `/page-${++n}`
  pages.set(path, answer)
  return `${site.origin}${path}`
}
const cardOf = async (id: string, who: FakeAccount | null = null) => {
  await harness.cluster.waitForIdle()
  return (await call(statuses.showStatus, { id }, who ? harness.as(who) : {})).card
}
const preview = async (url: string, who: FakeAccount | null = null) =>
  cardOf((await harness.post(ann, `look: ${url}`)).id, who)

describe('a link', () => {
  test('S-069 a link gets a preview card from its page, with a local copy of the picture', async () => {
    const posted = Promise.withResolvers<void>()
    const url = publish(async () => {
      await posted.promise
      return story(
        '<meta name="author" content="Ada"><meta property="article:published_time" content="2026-02-03T04:05:06Z">',
      )
    })
    // The status is posted before the page responds.
    const { id, card } = await harness.post(ann, `look: ${url}#part`)
    expect(card).toBeNull()
    posted.resolve()
    expect(await cardOf(id)).toMatchObject({
      url: `${url}#part`,
      type: 'link',
      title: 'A story',
      description: 'Long ago',
      language: 'en',
      provider_name: 'News',
      author_name: 'Ada',
      authors: [{ name: 'Ada', url: '', account: null }],
      published_at: '2026-02-03T04:05:06.000Z',
      html: '',
      image: expect.stringContaining('http'),
    })
  })
  test('hostile 111 a linked page is requested only by GET, without cookies, signatures or the sharing account', async () => {
    requests.length = 0
    const url = publish(() => ({ ...story(), headers: { 'content-type': 'text/html', 'set-cookie': 'a=b; Path=/' } }))
    await preview(url)
    await preview(publish())
    expect(requests.length).toBeGreaterThan(1)
    for (const { method, headers } of requests) {
      expect(method).toBe('GET')
      for (const name of ['cookie', 'authorization', 'signature', 'signature-input', 'referer', 'from'])
        expect(headers[name]).toBe(undefined)
    }
  })
  test('hostile 112 A138 a linked page is fetched once for any number of concurrent statuses, and not again later', async () => {
    const url = publish()
    const all = await Promise.all(Array.from({ length: 12 }, (_, i) => harness.post(i % 2 ? ann : bob, `${i} ${url}`)))
    for (const { id } of all) expect(await cardOf(id)).toMatchObject({ title: 'A story' })
    expect(asked.filter((path) => url.endsWith(path))).toHaveLength(1)
    expect(await preview(url)).toMatchObject({ title: 'A story' })
    expect(asked.filter((path) => url.endsWith(path))).toHaveLength(1)
  })
  test('is fetched again after fourteen days, when it is shared again', async () => {
    let title = 'old'
    const url = publish(() => story('', title))
    expect(await preview(url)).toMatchObject({ title: 'old' })
    title = 'new'
    await harness.cluster
      .db('statuses')
      .run(sql`update links set next_at = now() - interval '1 second' where url = ${url}`)
    const { id } = await harness.post(bob, url)
    await harness.cluster.waitForIdle()
    const row = await harness.cluster
      .db('statuses')
      .row<{ title: string }>(
        sql`select title from previews where id = (select preview_id from statuses where id = ${id})`,
      )
    expect(row).toEqual({ title: 'new' })
  })
  test('keeps its picture when the page is read again while the picture is being deleted', async () => {
    const db = harness.cluster.db('statuses')
    const url = publish()
    await preview(url)
    const shown = () =>
      db.row<{ id: string; image: string }>(sql`select id, image_id as image from previews where url = ${url}`)
    const before = await shown()
    const [id, image] = [before?.id ?? '', before?.image ?? '']
    await db.run(sql`update links set next_at = now() - interval '1 second' where url = ${url}`)
    await db.run(sql`update previews set image_id = null where id = ${id}`)
    // The second read waits for the row of the page, after media returned the picture's id.
    const row = await holding(db, sql`select 1 from previews where id = ${id} for update`)
    await harness.post(bob, url)
    await row.queued(1)
    const ctx = harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as StatusesContext
    await ctx.queues.push(statuses.releaseFiles, { id: `release ${id}`, data: { holders: [id], files: [image] } })
    await new Promise((resolve) => setTimeout(resolve, 700))
    await row.letGo()
    await harness.cluster.waitForIdle()
    expect(await shown()).toEqual({ id, image })
    expect(harness.fakes.files.get(image)?.status).toBe(id)
    expect(await db.rows(sql`select 1 from preview_picture_leases`)).toEqual([])
  })
  test('that cannot be read has no preview card, and is not tried again for a while', async () => {
    const url = publish(() => ({ status: 500 }))
    expect(await preview(url)).toBeNull()
    expect(await preview(url)).toBeNull()
    expect(asked.filter((path) => url.endsWith(path))).toHaveLength(1)
    expect(
      await preview(publish(() => ({ status: 200, headers: { 'content-type': 'image/png' }, body: 'x' }))),
    ).toBeNull()
    expect(await preview(publish(() => html('<html><body>no title</body></html>')))).toBeNull()
  })
  test('is read later if its host does not respond to other requests', async () => {
    const ctx = harness.cluster.host.running.find((one) => one.service === 'statuses')
      ?.ctx as unknown as StatusesContext
    const read = vi.spyOn(ctx.web, 'read').mockRejectedValueOnce(new NotResponding())
    expect(await preview(publish())).toMatchObject({ title: 'A story' })
    expect(read).toHaveBeenCalledTimes(2)
    read.mockRestore()
  })
  test('in a mention, a hashtag or of this server, or of a status with media or a quote, is not fetched', async () => {
    const url = publish()
    const file = harness.fakes.file(ann)
    const withMedia = await harness.post(ann, { status: url, media_ids: [file.id] })
    const quoted = await harness.post(bob, 'words')
    const quoting = await harness.post(ann, { status: url, quoted_status_id: quoted.id })
    const own = await harness.post(ann, `${harness.cluster.origin}/about @bob #tag`)
    for (const { id } of [withMedia, quoting, own]) expect(await cardOf(id)).toBeNull()
    expect(asked).toEqual([])
  })
  test('S-012 the preview card changes with an edit, and is removed with one', async () => {
    const [one, two] = [publish(() => story('', 'one')), publish(() => story('', 'two'))]
    const { id } = await harness.post(ann, one)
    expect(await cardOf(id)).toMatchObject({ title: 'one' })
    await call(statuses.editStatus, { id, status: two } as never, harness.as(ann))
    expect(await cardOf(id)).toMatchObject({ title: 'two', url: two })
    await call(statuses.editStatus, { id, status: 'none' } as never, harness.as(ann))
    expect(await cardOf(id)).toBeNull()
  })
  test('hostile 112 the link of a remote status is fetched after a random delay, so that not all servers request it at once', async () => {
    const url = publish()
    const far = harness.fakes.fakeAccount('dan', { domain: 'far.example' })
    const html = `<p><a href="${url}">x</a></p>`
    const { id } = await call(statuses.putRemoteStatus, { status: remoteStatus(far, { html }) })
    const db = harness.cluster.db('statuses')
    expect(await db.row(sql`select 1 as waits from preview_waits where status_id = ${id}`)).toEqual({ waits: 1 })
    await db.run(sql`update preview_waits set due_at = now()`)
    await expect.poll(() => cardOf(id)).toMatchObject({ title: 'A story' })
  })
})

describe('untrusted pages', () => {
  test('hostile 84 A146 a player becomes a rebuilt frame, only from the site itself', async () => {
    const oembed = (frame: string) => {
      const described = publish(() => ({
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          type: 'video',
          title: 'Film',
          html: frame,
          width: 640,
          height: 360,
          provider_name: 'Films',
        }),
      }))
      return publish(() => story(`<link rel="alternate" type="application/json+oembed" href="${described}">`))
    }
    const host = new URL(site.origin).hostname
    const good = await preview(
      oembed(
        `<script>evil()</script><iframe src="https://${host}/e" onload="evil()" srcdoc="x" width="640" height="360"></iframe>`,
      ),
    )
    expect(good).toMatchObject({ type: 'video', title: 'Film', width: 640, height: 360 })
    expect(good?.html).toMatch(
      /^<iframe src="https:\/\/[\d.]+\/e" width="640" height="360" allowfullscreen="allowfullscreen" sandbox="[^"]+"><\/iframe>$/,
    )
    for (const frame of [
      '<iframe src="https://evil.example/e"></iframe>',
      '<iframe src="javascript:evil()"></iframe>',
      '<b>hi</b>',
    ])
      expect(await preview(oembed(frame))).toMatchObject({ type: 'link', html: '' })
  })
  test('a photo becomes a preview card of type photo', async () => {
    const described = publish(() => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        type: 'photo',
        title: 'Cat',
        url: '/cat.png',
        width: 800,
        height: 600,
        author_name: 'Ada',
      }),
    }))
    const card = await preview(
      publish(() => story(`<link rel="alternate" type="application/json+oembed" href="${described}">`)),
    )
    expect(card).toMatchObject({
      type: 'photo',
      title: 'Cat',
      width: 800,
      height: 600,
      embed_url: `${site.origin}/cat.png`,
    })
  })
  test('a page cannot claim an address on another site', async () => {
    const card = await preview(publish(() => story('<link rel="canonical" href="https://bank.example/">', 'evil')))
    expect(card).toMatchObject({ title: 'evil' })
    const { rows } = {
      rows: await harness.cluster.db('statuses').rows(sql`select 1 from previews where url like 'https://bank%'`),
    }
    expect(rows).toEqual([])
  })
  test('A102 A113 private addresses are never requested', async () => {
    await using inside = await stageInside()
    for (const url of [
      `http://[::1]:${inside.port}/`,
      `http://0.0.0.0:${inside.port}/`,
      `http://localhost.localdomain:${inside.port}/`,
    ])
      expect(await preview(url)).toBeNull()
    const leads = publish(() => ({ status: 302, headers: { location: `http://[::1]:${inside.port}/` } }))
    expect(await preview(leads)).toBeNull()
    expect(inside.hits()).toBe(0)
  })
  test('moderation 1 hostile 74 pages of a suspended server are not requested, also not by a redirect or as oEmbed document', async () => {
    const suspended = await serve((request) => {
      asked.push(`suspended ${request.path}`)
      return story('', 'suspended')
    })
    const { ctx } = harness.cluster.host.running.find((one) => one.service === 'statuses') ?? {}
    if (!ctx) throw new Error('statuses does not run')
    const rule = {
      domain: 'localhost',
      severity: 'suspend',
      reject_media: false,
      reject_reports: false,
      stamp: '',
    } as const
    const ruled = vi.spyOn(ctx.policy, 'domainRule').mockImplementation((host) => (host === 'localhost' ? rule : null))
    const there = `http://localhost:${suspended.port}`
    expect(await preview(`${there}/story`)).toBeNull()
    expect(await preview(publish(() => ({ status: 302, headers: { location: `${there}/next` } })))).toBeNull()
    const described = `<link rel="alternate" type="application/json+oembed" href="${there}/oembed">`
    expect(await preview(publish(() => story(described, 'fine')))).toMatchObject({ title: 'fine' })
    expect(asked.filter((path) => path.startsWith('suspended'))).toEqual([])
    ruled.mockRestore()
    expect(await preview(`${there}/again`)).toMatchObject({ title: 'suspended' })
    await suspended.close()
  })
  test('a page is requested only once domain blocks are loaded', async () => {
    const { ctx } = harness.cluster.host.running.find((one) => one.service === 'statuses') ?? {}
    if (!ctx) throw new Error('statuses does not run')
    const loaded = vi.spyOn(ctx.policy, 'loaded').mockReturnValue(false)
    const begun = ctx.clock.date()
    const { id } = await harness.post(ann, `look: ${publish(() => story('', 'later'))}`)
    const db = harness.cluster.db('statuses')
    // The job is over, so that a long wait does not use up its tries.
    await expect.poll(() => db.exists(sql`select 1 from preview_waits where status_id = ${id}`)).toBe(true)
    await harness.cluster.waitForIdle()
    await previewDue.run(ctx as unknown as StatusesContext)
    expect(await db.exists(sql`select 1 from preview_waits where status_id = ${id}`)).toBe(true)
    expect(asked).toEqual([])
    loaded.mockRestore()
    // The tick may run in another process, which has the domain blocks.
    await previewDue.run(ctx as unknown as StatusesContext)
    const inSeconds = sql`select 1 from preview_waits where status_id = ${id}
      and due_at between ${begun}::timestamptz + interval '30 seconds' and now() + interval '60 seconds'`
    expect(await db.exists(inSeconds)).toBe(true)
    await db.run(sql`update preview_waits set due_at = now() where status_id = ${id}`)
    await expect.poll(() => cardOf(id)).toMatchObject({ title: 'later' })
  })
  test('reading of endless and slow pages ends', async () => {
    const long = publish(() => story('', 'long') as StubResponse)
    pages.set(new URL(long).pathname, () => html(`<title>long</title>${'<link '.repeat(400_000)}`))
    expect(await preview(long)).toMatchObject({ title: 'long' })
  })
})

describe('A021 authors of pages', () => {
  test('an author is shown only if the account named the site', async () => {
    const ada = harness.fakes.fakeAccount('ada', { domain: 'far.example' })
    const creator = '<meta name="fediverse:creator" content="@ada@far.example">'
    harness.fakes.credits.clear()
    expect(await preview(publish(() => story(creator)))).toMatchObject({ authors: [] })
    harness.fakes.credits.add(`${ada.id} ${new URL(site.origin).hostname}`)
    const url = publish(() => story(creator))
    expect(await preview(url, ada)).toMatchObject({
      authors: [{ account: { id: ada.id, username: 'ada' } }],
      missing_attribution: false,
    })
    harness.fakes.credits.clear()
    expect(
      await preview(
        publish(() => story(creator)),
        ada,
      ),
    ).toMatchObject({ authors: [], missing_attribution: true })
  })
})

describe('old pages', () => {
  const db = () => harness.cluster.db('statuses')
  const ids = async () =>
    (await db().rows<{ id: string }>(sql`select id from previews where id < 1000 order by id`)).map((it) => it.id)
  const sweep = async (max: number) => (await db().tx((tx) => sweepPreviews(tx, new Date('2001-01-01'), max))).seen
  /** Adds pages 1 to 8. No status shows pages 3, 7 and 8, and page 8 was read recently. */
  const add = () =>
    db().tx(async (tx) => {
      await tx.run(sql`insert into previews (id, url, type, article, title, description, author_name, author_url,
          provider_name, provider_url, html, width, height, embed_url, image_description, fetched_at)
        select n, 'https://far.example/old/' || n, 0, true, 't', 'd', '', '', 'p', '', '', 0, 0, '', '',
          case when n = 8 then now() else '2000-01-01'::timestamptz + n / 3 * interval '1 microsecond' end
        from generate_series(1, 8) as n`)
      await tx.run(sql`insert into status_previews (preview_id, status_id)
        select n, n from unnest('{1,2,4,5,6}'::bigint[]) as n`)
    })

  test('unused pages are deleted, a limited number per call, and the next call continues', async () => {
    await add()
    expect([await sweep(2), await ids()]).toEqual([2, ['1', '2', '3', '4', '5', '6', '7', '8']])
    expect([await sweep(2), await ids()]).toEqual([2, ['1', '2', '4', '5', '6', '7', '8']])
    expect([await sweep(2), await ids()]).toEqual([2, ['1', '2', '4', '5', '6', '7', '8']])
    expect([await sweep(2), await ids()]).toEqual([1, ['1', '2', '4', '5', '6', '8']])
    await db().run(sql`delete from status_previews where preview_id = 1`)
    expect([await sweep(10), await ids()]).toEqual([5, ['2', '4', '5', '6', '8']])
  })
})

const stageInside = async () => {
  let hits = 0
  const { createServer } = await import('node:http')
  const server = createServer((_req, res) => {
    hits++
    res.end('<title>secret</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, '::1', resolve))
  const { port } = server.address() as { port: number }
  return {
    port,
    hits: () => hits,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
