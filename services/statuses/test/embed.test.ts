/** oEmbed documents of statuses, and timelines of links. */

import type { RemoteStatus } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { type Received, type StubResponse, serve, type WebServer } from '@murmuration/testkit/outside/web-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FakeAccount } from './fakes/data.js'
import { type Harness, startHarness, statuses } from './harness.js'
import { remoteStatus } from './remote-status.js'

let harness: Harness
let ann: FakeAccount
let far: FakeAccount
let site: WebServer
const pages = new Map<string, StubResponse>()
beforeAll(async () => {
  harness = await startHarness({ OUTBOUND_ALLOW_ADDRESSES: '127.0.0.0/8' })
  const { origin } = harness.cluster
  ann = harness.fakes.fakeAccount('ann', { url: `${origin}/@ann`, uri: `${origin}/ap/users/1` })
  site = await serve((request: Received) => pages.get(new URL(request.path, 'http://x').pathname) ?? { status: 404 })
  far = harness.fakes.fakeAccount('dan', { domain: 'far.example' })
})
afterAll(async () => {
  await harness.stop()
  await site.close()
})
const call = ((...given) => harness.cluster.call(...given)) as Harness['cluster']['call']
const html = (body: string): StubResponse => ({ status: 200, headers: { 'content-type': 'text/html' }, body })
const remote = async (more: Partial<RemoteStatus> = {}) =>
  (await call(statuses.putRemoteStatus, { status: remoteStatus(far, { url: null, html: '<p>far</p>', ...more }) })).id

describe('oEmbed', () => {
  const sendRequest = (url: string, room: Record<string, unknown> = {}) => call(statuses.showOEmbed, { url, ...room })
  test('the document of a public local status respects the maximum size', async () => {
    const { url } = await harness.post(ann, 'hello')
    const page = url ?? ''
    expect(await sendRequest(page)).toEqual({
      type: 'rich',
      version: '1.0',
      title: 'New status by ann',
      author_name: 'ann',
      author_url: ann.url,
      provider_name: expect.any(String),
      provider_url: `${harness.cluster.origin}/`,
      cache_age: 86_400,
      html: expect.stringContaining(`<iframe src="${page}/embed"`),
      width: 400,
      height: null,
    })
    expect(await sendRequest(page, { maxwidth: '300', maxheight: '200' })).toMatchObject({ width: 300, height: 200 })
    const wide = await sendRequest(page, { maxwidth: '700' })
    expect([wide.width, wide.html]).toEqual([700, expect.stringContaining('width="700"')])
    expect(await sendRequest(page, { maxwidth: '99999999' })).toMatchObject({ width: 10_000 })
    expect(await sendRequest(page, { maxwidth: 'wide' })).toMatchObject({ width: 400 })
  })
  test('A064 A045 other statuses cause the same 404', async () => {
    const refusals = await Promise.all(
      ['private', 'direct'].map(
        async (visibility) => (await harness.post(ann, { status: 'psst', visibility })).url ?? '',
      ),
    )
    const { id } = await harness.post(ann, 'boosted')
    const boost = await call(statuses.addReblog, { id }, harness.as(ann))
    for (const url of [...refusals, `${ann.url}/${boost.id}`, `${ann.url}/1`, 'https://else.example/@x/1', '', 'x'])
      await expect(sendRequest(url)).rejects.toMatchObject({ status: 404, message: 'Not Found' })
  })
})

describe('embeds', () => {
  test('a local status has an embed of this server, a remote one that of its own server', async () => {
    const own = await harness.post(ann, 'hello')
    expect(await call(statuses.showEmbed, { id: own.id })).toMatchObject({
      html: expect.stringContaining(`${own.url}/embed`),
    })
    pages.set('/note', html(`<link rel="alternate" type="application/json+oembed" href="/describe">`))
    pages.set('/describe', {
      status: 200,
      body: JSON.stringify({
        type: 'rich',
        html: '<script>x</script><iframe src="https://127.0.0.1/note/embed" width="500"></iframe>',
      }),
    })
    const id = await remote({ url: `${site.origin}/note` })
    const shown = await call(statuses.showEmbed, { id }, harness.as(ann))
    expect(shown).toMatchObject({ width: 500, provider_url: `${site.origin}/` })
    expect(shown.html).toMatch(
      /^<iframe src="https:\/\/127\.0\.0\.1\/note\/embed" width="500"[^>]* sandbox="[^"]+"><\/iframe>$/,
    )
  })
  test('hidden statuses, and remote ones without an embed, are refused', async () => {
    const secret = await harness.post(ann, { status: 'psst', visibility: 'private' })
    await expect(call(statuses.showEmbed, { id: secret.id }, harness.as(ann))).rejects.toMatchObject({ status: 404 })
    const id = await remote({ url: `${site.origin}/nothing` })
    await expect(call(statuses.showEmbed, { id })).rejects.toMatchObject({ status: 404, message: 'Not Found' })
  })
})

describe('timelines of links', () => {
  const link = (url: string, who: FakeAccount | null = null, more: Record<string, unknown> = {}) =>
    call(statuses.linkTimeline, { url, ...more } as never, who ? harness.as(who) : {})
  /** Stores a score for the page, with the decision of staff or none. */
  const trend = (url: string, allowed: boolean | null) =>
    harness.cluster.db('statuses').run(sql`insert into trends (kind, id, score, top_score, top_at, allowed)
      select 1, id, 9, 9, now(), ${allowed}::boolean from previews where url = ${url}
      on conflict (kind, id) do update set allowed = excluded.allowed`)
  test('S-070 the timeline of a link shows public statuses of discoverable authors, once staff approved the link', async () => {
    const story = (type: string) =>
      html(`<title>Story</title><meta property="og:type" content="${type}"><meta property="og:image" content="/i.png">
        <meta property="og:description" content="About"><meta property="og:site_name" content="News">`)
    pages.set('/story', story('article'))
    pages.set('/shop', story('product'))
    const url = `${site.origin}/story`
    const shy = harness.fakes.fakeAccount('shy', { discoverable: false })
    const bob = harness.fakes.fakeAccount('bob')
    const first = await harness.post(ann, url)
    const reply = await harness.post(bob, { status: `yes ${url}#there`, in_reply_to_id: first.id })
    await harness.post(shy, url)
    await harness.post(bob, { status: url, visibility: 'unlisted' })
    await harness.cluster.waitForIdle()
    await expect(link(url)).rejects.toMatchObject({ status: 404, message: 'Record not found' })
    await trend(url, null)
    await expect(link(url)).rejects.toMatchObject({ status: 404 })
    await trend(url, true)
    expect((await link(url)).map((one) => one.id)).toEqual([reply.id, first.id])
    expect((await link(`${url}#x`, bob, { limit: 1 })).map((one) => one.id)).toEqual([reply.id])
    harness.fakes.mute(bob, ann)
    expect((await link(url, bob)).map((one) => one.id)).toEqual([reply.id])
    expect(await link(url, null, { remote: true })).toEqual([])
    const shop = `${site.origin}/shop`
    await harness.post(ann, shop)
    await harness.cluster.waitForIdle()
    await trend(shop, true)
    await expect(link(shop)).rejects.toMatchObject({ status: 404 })
    await expect(link('nonsense')).rejects.toMatchObject({ status: 404 })
  })
})
