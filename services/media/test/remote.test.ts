/** Tests of remote files: copied once, by the worker or on first view, and only if permitted. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  attachmentCards,
  attachmentRecords,
  clearDomainJob,
  proxyUrls,
  putRemoteAttachments,
  showProxied,
} from '@murmuration/contracts/media'
import { sql } from '@murmuration/db'
import { createAuthority } from '@murmuration/testkit/outside/certificate-authority'
import { type Received, type StubResponse, serve, type WebServer } from '@murmuration/testkit/outside/web-server'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { removePictureCopies } from '../src/core/picture/store.js'
import { app } from '../src/main.js'
import { clearDomain } from '../src/remote-file/jobs.js'
import { type Harness, startHarness } from './harness.js'
import { movingGif, telephoneJpeg } from './pictures.js'

let dir: string
let harness: Harness
let remote: WebServer
let requests: Received[]
let answers: Record<string, StubResponse | (() => Promise<StubResponse>)>

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'remote-test-'))
  const authority = createAuthority()
  await writeFile(join(dir, 'ca.pem'), authority.certificate)
  remote = await serve(
    async (request) => {
      requests.push(request)
      const answer = answers[request.path]
      return (typeof answer === 'function' ? await answer() : answer) ?? { status: 404 }
    },
    { tls: authority.issue(['127.0.0.1']) },
  )
  harness = await startHarness({
    MEDIA_FFMPEG: 'off',
    OUTBOUND_ALLOW_ADDRESSES: '127.0.0.1/32',
    EXTRA_CA_FILE: join(dir, 'ca.pem'),
  })
})
afterAll(async () => {
  await harness.stop()
  await remote.close()
  await rm(dir, { recursive: true })
})
beforeEach(async () => {
  requests = []
  answers = {}
  await harness.rule()
  await harness.clearFound()
})
afterEach(() => harness.cluster.waitForIdle())

const picture = async (): Promise<StubResponse> => ({
  status: 200,
  headers: { 'content-type': 'image/jpeg' },
  body: await telephoneJpeg(300, 200),
})
let statuses = 0
const put = async (path: string, more: object = {}, domain?: string) => {
  const { ids } = await harness.cluster.call(putRemoteAttachments, {
    owner: '99',
    status: String(1_000 + ++statuses),
    ...(domain && { domain }),
    attachments: [
      {
        url: `${remote.origin}${path}`,
        media_type: 'image/jpeg',
        description: null,
        blurhash: null,
        width: null,
        height: null,
        focus: null,
        ...more,
      },
    ],
  })
  return ids[0] ?? ''
}
const card = async (id: string) =>
  JSON.parse((await harness.cluster.call(attachmentCards, { ids: [id] })).get(id) ?? '{}')
const view = (address: string, userAgent?: string) =>
  harness.request(
    showProxied,
    { token: address.slice(address.lastIndexOf('/') + 1) },
    null,
    userAgent ? { userAgent } : {},
  )

test('the worker copies a new attachment, with its size and without metadata', async () => {
  answers['/a.jpg'] = picture
  const id = await put('/a.jpg', { blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj' })
  await harness.cluster.waitForIdle()
  const shown = await card(id)
  expect(shown).toMatchObject({
    type: 'image',
    remote_url: `${remote.origin}/a.jpg`,
    meta: { original: { width: 200, height: 300 }, small: { width: 200, height: 300 } },
  })
  expect(shown.url).toMatch(/\/system\/cache\/a\d+-[0-9a-f]{40}$/)
  expect(shown.blurhash).toHaveLength(36)
  expect((await harness.read(shown.url)).includes('SECRET-PLACE')).toBe(false)
  expect((await sharp(await harness.read(shown.preview_url)).metadata()).format).toBe('jpeg')
})

test('a file without declared type has the type of its bytes', async () => {
  answers['/blob/1'] = async () => ({ ...(await picture()), headers: {} })
  answers['/blob/2'] = { status: 200, headers: {}, body: 'PK\u0003\u0004 an archive' }
  const undeclared = { media_type: 'application/octet-stream' }
  const [image, archive] = [await put('/blob/1', undeclared), await put('/blob/2', undeclared)]
  const declared = await put('/archive', { media_type: 'application/zip' })
  await harness.cluster.waitForIdle()
  expect(await card(image)).toMatchObject({
    type: 'image',
    url: expect.stringMatching(/\/system\/cache\/a/),
    meta: { original: { width: 200, height: 300 } },
  })
  const notShown = { type: 'unknown', url: null, preview_url: null }
  expect(await card(archive)).toMatchObject({ ...notShown, remote_url: `${remote.origin}/blob/2` })
  expect(await card(declared)).toMatchObject({ ...notShown, remote_url: `${remote.origin}/archive` })
  expect(requests.map(({ path }) => path).toSorted()).toEqual(['/blob/1', '/blob/2'])
})

test('A174 a request contains the name of this server and nothing of the viewer', async () => {
  answers['/a.jpg'] = picture
  await put('/a.jpg')
  await harness.cluster.waitForIdle()
  const { headers } = requests[0] as Received
  expect(headers['user-agent']).toBe(`Murmuration/4.6.0 (+http://${harness.cluster.env.LOCAL_DOMAIN}/)`)
  expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
})

test('A168 hostile 110 an absent or unsupported file is `unknown`, has only `remote_url`, and is not fetched again', async () => {
  answers['/page.jpg'] = {
    status: 200,
    headers: { 'content-type': 'image/jpeg' },
    body: '<html><script>1</script></html>',
  }
  answers['/note.png'] = {
    status: 200,
    headers: { 'content-type': 'application/activity+json' },
    body: '{"type":"Note"}',
  }
  const ids = [await put('/page.jpg'), await put('/note.png'), await put('/gone.jpg')]
  await harness.cluster.waitForIdle()
  const cards = await Promise.all(ids.map(card))
  for (const shown of cards) {
    expect(shown).toMatchObject({ type: 'unknown', url: null, preview_url: null, blurhash: null, meta: null })
    expect(shown.remote_url).toMatch(remote.origin)
  }
  expect(requests).toHaveLength(3)
  const rows = await harness.cluster
    .db('media')
    .rows<{ state: string }>(sql`select state from attachments where id = any(${ids}::bigint[])`)
  expect(rows.map((row) => row.state)).toEqual(['uncached', 'uncached', 'uncached'])
})

test('a file of a failing server is fetched again, and has its remote address meanwhile', async () => {
  let times = 0
  answers['/late.jpg'] = async () => (++times === 1 ? { status: 503 } : picture())
  const id = await put('/late.jpg')
  await expect.poll(() => times).toBe(1)
  expect((await card(id)).url).toMatch(/\/media_proxy\/a/)
  await harness.cluster.waitForIdle()
  expect((await card(id)).url).toMatch(/\/system\/cache\/a/)
})

test('a file of a failing server is fetched again for viewers, later and not too often', async () => {
  let there = false
  answers['/down.jpg'] = async () => (there ? picture() : { status: 502 })
  const id = await put('/down.jpg')
  await harness.cluster.waitForIdle()
  const { url } = await card(id)
  expect(url).toMatch(/\/media_proxy\/a/)
  there = true
  const asked = requests.length
  expect((await view(url)).status).toBe(404)
  expect(requests).toHaveLength(asked)
  const { clock } = harness.context()
  clock.moveTo(6 * 60_000)
  const seen = await view(url)
  clock.moveTo(0)
  expect(seen.status).toBe(302)
  expect((await card(id)).url).toBe(seen.headers.Location)
})

test('A143 the download of a large file is aborted', async () => {
  answers['/large.jpg'] = async () => ({
    status: 200,
    body: Buffer.alloc(15_000_000, 1),
    headers: { 'content-length': '17000000' },
  })
  const id = await put('/large.jpg')
  await harness.cluster.waitForIdle()
  expect(await card(id)).toMatchObject({ type: 'unknown', url: null, remote_url: `${remote.origin}/large.jpg` })
})

test('reject_media: no file is fetched from the domain, for its accounts, or from subdomains, until the rule ends', async () => {
  answers['/a.jpg'] = picture
  const rule = { domain: '127.0.0.1', severity: 'noop', reject_media: true, reject_reports: false } as const
  await harness.rule(rule, { ...rule, domain: 'bad.example', severity: 'suspend', reject_media: false })
  const isLinkOnly = async (one: string) =>
    expect(await card(one)).toMatchObject({
      ...{ type: 'unknown', url: null, preview_url: null, blurhash: null, meta: null },
      remote_url: `${remote.origin}/a.jpg`,
    })
  const size = { blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj', width: 300, height: 200 }
  const id = await put('/a.jpg', size)
  await harness.cluster.waitForIdle()
  await isLinkOnly(id)
  await harness.rule({ ...rule, domain: 'bad.example' })
  const theirs = await put('/a.jpg', size, 'sub.bad.example')
  await harness.cluster.waitForIdle()
  await isLinkOnly(theirs)
  await harness.rule()
  const cards = await Promise.all([id, theirs].map(card))
  for (const { type, url } of cards) expect([type, url]).toEqual(['image', expect.stringContaining('/media_proxy/')])
  await harness.rule(rule, { ...rule, domain: 'bad.example' })
  for (const { url } of cards) expect((await view(url)).status).toBe(404)
  await Promise.all([id, theirs].map(isLinkOnly))
  expect(requests).toHaveLength(0)
  await harness.rule({ ...rule, domain: 'bad.example' })
  const { url } = await card(id)
  const seen = await view(url)
  expect([seen.status, requests.length]).toEqual([302, 1])
  expect(seen.headers.Location).toBe((await card(id)).url)
  await isLinkOnly(theirs)
})

test('moderation 1 reject_media: clients are not redirected to a file without a copy', async () => {
  const id = await put('/gone.jpg', {}, 'bad.example')
  const other = await put('/film.mp4', { media_type: 'video/mp4' }, 'bad.example')
  await harness.cluster.waitForIdle()
  const addresses = () => Promise.all([id, other].map(async (one) => (await card(one)).url))
  expect(await addresses()).toEqual([null, null])
  await harness.rule({ domain: 'bad.example', severity: 'silence', reject_media: true, reject_reports: false })
  const asked = requests.length
  expect(await addresses()).toEqual([null, null])
  const { records } = await harness.cluster.call(attachmentRecords, { ids: [id] })
  expect(records[0]).toMatchObject({ url: '', preview_url: null })
  expect(requests).toHaveLength(asked)
})

test('moderation 1 reject_media: copies of the domain and its subdomains are deleted, and fetched again when permitted', async () => {
  answers['/a.jpg'] = picture
  const [theirs, below, others] = await Promise.all(
    ['bad.example', 'sub.bad.example', 'notbad.example'].map((domain) => put('/a.jpg', {}, domain)),
  )
  const avatars = (domain: string) =>
    harness.cluster.call(proxyUrls, {
      items: [{ owner: `77-${domain}`, kind: 'avatar', remote: `${remote.origin}/a.jpg`, domain }],
    })
  const avatar = Object.values((await avatars('bad.example')).urls)[0] ?? ''
  await view(avatar)
  await harness.cluster.waitForIdle()
  const files = await Promise.all([theirs, below, others].map(async (id) => (await card(id ?? '')).url))
  const face = (await view(avatar)).headers.Location ?? ''
  for (const file of [...files, face]) expect(await harness.blobs.head(harness.keyOf(file))).not.toBeNull()

  const clear = (what: 'attachment' | 'picture') => ({ domain: 'bad.example', what, after: '0' })
  const { queues, ids } = harness.context()
  await queues.push(clearDomainJob, { id: ids.next(), data: clear('attachment') })
  await queues.push(clearDomainJob, { id: ids.next(), data: clear('picture') })
  await harness.cluster.waitForIdle()
  const there = await Promise.all([...files, face].map((file) => harness.blobs.head(harness.keyOf(file))))
  expect(there.map((head) => head !== null)).toEqual([false, false, true, false])
  const asked = requests.length
  await harness.clearFound()
  expect((await view((await card(theirs ?? '')).url)).status).toBe(302)
  expect(requests).toHaveLength(asked + 1)
})

test('a deletion of the copies of a server that runs again queues its next page once', async () => {
  await harness.cluster.db('media').run(sql`insert into pictures (id, owner, kind, remote_url, domain, key, created_at)
    select n, 'many.example', 'emoji', 'https://many.example/' || n, 'many.example', 'cache/many-' || n, now()
    from generate_series(700001, 701200) n`)
  const queue = vi.fn(async () => undefined)
  const page = { domain: 'many.example', what: 'picture', after: '0' }
  const run = () => clearDomain.run({ ...harness.context(), queue }, page, { id: '77', tries: 1 })
  await run()
  await run()
  expect(queue).toHaveBeenCalledTimes(1)
  await harness.cluster.db('media').run(sql`delete from pictures where domain = 'many.example'`)
})

test('moderation 4: copies of a disallowed or blocked server are deleted by the event, and subdomains are allowed separately', async () => {
  answers['/a.jpg'] = picture
  const copies = async () => {
    const ids = await Promise.all(['one.example', 'sub.one.example'].map((domain) => put('/a.jpg', {}, domain)))
    const { urls } = await harness.cluster.call(proxyUrls, {
      items: [{ owner: 'one.example', kind: 'emoji', remote: `${remote.origin}/a.jpg`, domain: 'one.example' }],
    })
    await view(Object.values(urls)[0] ?? '')
    await harness.cluster.waitForIdle()
    const keys = [...(await Promise.all(ids.map(async (id) => (await card(id)).url))), ...Object.values(urls)]
    return keys.map(harness.keyOf)
  }
  const left = async (keys: readonly string[]) => {
    await harness.cluster.waitForIdle()
    return Promise.all(keys.map(async (key) => (await harness.blobs.head(key)) !== null))
  }
  const announce = (name: string, event: object) =>
    app.manifest.reactions.find((entry) => entry.name === name)?.run(harness.context(), event)
  const first = await copies()
  await announce('on-domain-allow-lifted', { domain: 'one.example' })
  expect(await left(first)).toEqual([false, true, false])
  const second = await copies()
  await announce('on-domain-block-changed', { domain: 'one.example', severity: 'noop', reject_media: false })
  expect(await left(second)).toEqual([true, true, true])
  await announce('on-domain-block-changed', { domain: 'one.example', severity: 'suspend', reject_media: false })
  expect(await left(second)).toEqual([false, false, false])
})

test('moderation 4: when limited federation is turned on, copies of disallowed servers are deleted, domain by domain', async () => {
  answers['/a.jpg'] = picture
  const domains = ['kept.example', 'a.gone.example', 'gone.example', 'other.example']
  const ids = await Promise.all(domains.map((domain) => put('/a.jpg', {}, domain)))
  const faces = await harness.cluster.call(proxyUrls, {
    items: domains.map((domain) => ({
      owner: domain,
      kind: 'emoji' as const,
      remote: `${remote.origin}/a.jpg?${domain}`,
      domain,
    })),
  })
  for (const domain of domains) answers[`/a.jpg?${domain}`] = picture
  const preview = await put('/a.jpg')
  await Promise.all(Object.values(faces.urls).map((address) => view(address)))
  // A host has its share of worker slots. Files without a slot are queued again by the tick.
  const waiting = () =>
    harness.cluster.db('media').rows(sql`select id from attachments
      where id = any(${[...ids, preview]}::bigint[]) and state <> 'cached'`)
  for (let left = 6; left > 0; left = (await waiting()).length) {
    await harness.cluster.waitForIdle()
    const before = await waiting()
    await harness.tick('media.retry-remote')
    await harness.cluster.waitForIdle()
    expect((await waiting()).length).toBeLessThan(Math.max(before.length, 1))
  }
  const files = [
    ...(await Promise.all([...ids, preview].map(async (id) => (await card(id)).url))),
    ...Object.values(faces.urls),
  ]
  const left = async () =>
    Promise.all(files.map(async (file) => (await harness.blobs.head(harness.keyOf(file))) !== null))
  expect(await left()).toEqual(Array(9).fill(true))
  const run = async (limitedFederation: boolean) => {
    Object.assign(harness.context(), { config: { ...harness.context().config, limitedFederation } })
    await harness.tick('media.clear-refused')
    await harness.cluster.waitForIdle()
  }
  // No copies are deleted before the list of allowed servers is loaded.
  await run(true)
  expect(await left()).toEqual(Array(9).fill(true))
  await harness.allow('kept.example')
  await run(false)
  expect(await left()).toEqual(Array(9).fill(true))
  await run(true)
  expect(await left()).toEqual([true, false, false, false, true, true, false, false, false])
  // Copies stay if their server is allowed while they are being deleted.
  await harness.context().queues.push(
    clearDomainJob,
    ...(['attachment', 'picture'] as const).map((what) => ({
      id: `allowed meanwhile ${what}`,
      data: { domain: 'kept.example', exact: true, whileRefused: true, what, after: '0' },
    })),
  )
  await harness.cluster.waitForIdle()
  expect((await left()).filter(Boolean)).toHaveLength(3)
  // A server without copies is not queued again.
  await run(true)
  await run(false)
  const plan = await harness.cluster.db('media').tx(async (tx) => {
    await tx.run(sql`set local enable_seqscan = off`)
    return tx.rows(sql`explain select reverse(domain) from attachments where domain is not null and original_key is not null
      and reverse(domain) ~>~ 'x' order by reverse(domain) using ~<~ limit 1`)
  })
  expect(JSON.stringify(plan)).toContain('Index')
  expect(JSON.stringify(plan)).toContain('attachments_domain')
})

test('moderation 1 reject_media: copies stored during the decision are deleted by the next run over all domains', async () => {
  answers['/a.jpg'] = picture
  const id = await put('/a.jpg', {}, 'late.example')
  await harness.cluster.waitForIdle()
  const key = harness.keyOf((await card(id)).url)
  await harness.rule({ domain: 'late.example', severity: 'noop', reject_media: true, reject_reports: false })
  await harness.tick('media.clear-refused')
  await harness.cluster.waitForIdle()
  expect(await harness.blobs.head(key)).toBeNull()
})

test('pictures of accounts have addresses before they are fetched, and many viewers cause one request (A138)', async () => {
  answers['/me.gif'] = async () => ({ status: 200, body: await movingGif(100, 50, 3) })
  const remoteUrl = `${remote.origin}/me.gif`
  const sendRequest = (kind: 'avatar' | 'emoji') =>
    harness.cluster.call(proxyUrls, {
      items: [
        { owner: '99', kind, remote: remoteUrl },
        { owner: '99', kind, remote: 'javascript:alert(1)' },
        { owner: '98', kind, remote: `${remote.origin}/other.gif` },
      ],
    })
  const [one, two] = await Promise.all([sendRequest('avatar'), sendRequest('avatar')])
  expect(one).toEqual(two)
  expect(Object.keys(one.urls).sort()).toEqual([remoteUrl, `${remote.origin}/other.gif`].sort())
  const address = one.urls[remoteUrl] ?? ''
  expect(address).toMatch(/\/system\/cache\/p\d+-[0-9a-f]{40}$/)
  const views = await Promise.all(Array.from({ length: 20 }, () => view(address)))
  await harness.cluster.waitForIdle()
  expect(views.map(({ status }) => status)).toEqual(Array(20).fill(302))
  expect(requests.filter(({ path }) => path === '/me.gif')).toHaveLength(1)
  expect(await sharp(await harness.read(address)).metadata()).toMatchObject({
    width: 400,
    height: 400,
    format: 'gif',
    pages: 3,
  })
  const later = await sendRequest('avatar')
  expect(later.urls).toEqual(one.urls)
  expect(await sharp(await harness.read(later.static_urls[remoteUrl] ?? '')).metadata()).toMatchObject({
    format: 'png',
    width: 400,
  })
  expect(Object.keys((await sendRequest('emoji')).urls)).toHaveLength(2)
})

test('a still image has its own address before the copy exists, also if the picture turns out not to be an animation', async () => {
  const opened = Promise.withResolvers<void>()
  answers['/moving.gif'] = () => opened.promise.then(async () => ({ status: 200, body: await movingGif(60, 60, 3) }))
  answers['/plain.jpg'] = () => opened.promise.then(picture)
  const kinds = ['avatar', 'header', 'emoji'] as const
  const of = (path: string) =>
    kinds.map((kind) => ({ owner: `still-${kind}`, kind, remote: `${remote.origin}${path}` }))
  /** Addresses of the pictures and of their still images, in the order of the kinds. */
  const addresses = (path: string) =>
    Promise.all(
      of(path).map(async (item) => {
        const { urls, static_urls } = await harness.cluster.call(proxyUrls, { items: [item] })
        return { url: urls[item.remote] ?? '', still: static_urls[item.remote] ?? '' }
      }),
    )
  const [moving, plain] = await Promise.all([addresses('/moving.gif'), addresses('/plain.jpg')])
  for (const { url, still } of [...moving, ...plain])
    expect([url, still]).toEqual([
      expect.stringMatching(/\/system\/cache\/p\d+-[0-9a-f]{40}$/),
      expect.stringMatching(/\/system\/cache\/s\d+-[0-9a-f]{40}$/),
    ])
  opened.resolve()
  const views = await Promise.all([...moving, ...plain].map(({ still }) => view(still)))
  expect(views.map(({ status, headers }) => [status, headers.Location])).toEqual(
    [...moving.map(({ still }) => still), ...plain.map(({ url }) => url)].map((address) => [302, address]),
  )
  const images = await Promise.all(moving.map(async ({ still }) => sharp(await harness.read(still)).metadata()))
  expect(images.map(({ format }) => format)).toEqual(['png', 'png', 'png'])
  await harness.cluster.waitForIdle()
  expect(await addresses('/moving.gif')).toEqual(moving)
  // The copy shows that the picture does not move, so clients need no redirect.
  expect(await addresses('/plain.jpg')).toEqual(plain.map(({ url }) => ({ url, still: url })))
})

test('the address of a still image leads to the default picture if an avatar or header is given up, and an emoji has none', async () => {
  const stills = await Promise.all(
    (['avatar', 'header', 'emoji'] as const).map(async (kind) => {
      const item = { owner: `unmoved-${kind}`, kind, remote: `${remote.origin}/unmoved.gif?${kind}` }
      return (await harness.cluster.call(proxyUrls, { items: [item] })).static_urls[item.remote] ?? ''
    }),
  )
  await harness.cluster.waitForIdle()
  const views = await Promise.all(stills.map((address) => view(address)))
  const { origin } = harness.context().site
  expect(stills).toEqual(stills.map(() => expect.stringContaining('/system/cache/s')))
  expect(views.map(({ status, headers }) => [status, headers.Location])).toEqual([
    [302, `${origin}/avatars/original/missing.png`],
    [302, `${origin}/headers/original/missing.png`],
    [404, undefined],
  ])
})

test('clients get the default picture instead of an avatar or header without a copy, and emoji are not listed', async () => {
  const items = (['avatar', 'header', 'emoji'] as const).map((kind) => ({
    ...{ kind, owner: `absent-${kind}`, domain: 'bad.example' },
    remote: `${remote.origin}/absent.png?${kind}`,
  }))
  const addresses = async () => {
    const { urls } = await harness.cluster.call(proxyUrls, { items })
    await harness.cluster.waitForIdle()
    return items.map(({ remote: address }) => urls[address] ?? null)
  }
  const [avatar = '', header = '', emoji = ''] = await addresses()
  const { origin } = harness.context().site
  const expectDefaults = async () => {
    for (const [address, kind] of [
      [avatar, 'avatars'],
      [header, 'headers'],
    ] as const) {
      const { status, headers } = await view(address ?? '')
      expect([status, headers.Location]).toEqual([302, `${origin}/${kind}/original/missing.png`])
      expect(headers['Access-Control-Allow-Origin']).toBe('*')
    }
    expect((await view(emoji ?? '')).status).toBe(404)
  }
  await expectDefaults()
  expect(await addresses()).toEqual([avatar, header, null])
  await harness.rule({ domain: 'bad.example', severity: 'noop', reject_media: true, reject_reports: false })
  await harness.clearFound()
  expect(await addresses()).toEqual([avatar, header, null])
  await expectDefaults()
})

test('an emoji that was given up, or that the instance policy refuses, is listed again when it can be copied', async () => {
  const item = { kind: 'emoji' as const, owner: 'bad.example', remote: `${remote.origin}/later.png` }
  const listed = async () => (await harness.cluster.call(proxyUrls, { items: [item] })).urls[item.remote]
  const address = async () => {
    const url = await listed()
    await harness.cluster.waitForIdle()
    return url
  }
  const rule = { domain: 'bad.example', severity: 'noop', reject_media: true, reject_reports: false } as const
  await harness.rule(rule)
  expect([await address(), requests.length]).toEqual([undefined, 0])
  await harness.rule()
  const first = await address()
  expect(first).toMatch(/\/system\/cache\/p/)
  const opened = Promise.withResolvers<void>()
  answers['/later.png'] = () => opened.promise.then(picture)
  expect([await address(), requests.length]).toEqual([undefined, 1])
  const { clock } = harness.context()
  // The shared result of the last fetch expires in real time.
  await harness.clearFound()
  clock.moveTo(25 * 3_600_000)
  try {
    // During the further try, there is still no copy.
    expect([await listed(), await listed()]).toEqual([undefined, undefined])
    opened.resolve()
    await harness.tick('media.retry-remote')
    await harness.cluster.waitForIdle()
  } finally {
    clock.moveTo(0)
  }
  expect([await address(), requests.length]).toEqual([first, 2])
  await harness.rule(rule)
  expect(await address()).toBeUndefined()
  await harness.rule()
  expect(await address()).toBe(first)
})

test('an emoji whose copy was deleted stays listed after a failed fetch for a client', async () => {
  answers['/kept.png'] = picture
  const item = { kind: 'emoji' as const, owner: 'kept.example', remote: `${remote.origin}/kept.png` }
  const address = async () => {
    const { urls } = await harness.cluster.call(proxyUrls, { items: [item] })
    await harness.cluster.waitForIdle()
    return urls[item.remote]
  }
  const first = (await address()) ?? ''
  const ctx = harness.context()
  const row = await ctx.db.row<{ id: string }>(sql`select id from pictures where remote_url = ${item.remote}`)
  const keys = await ctx.db.tx((tx) => removePictureCopies(tx, [row?.id ?? '']))
  await ctx.files.delete(keys)
  await harness.clearFound()
  answers['/kept.png'] = { status: 503 }
  expect((await view(first)).status).toBe(404)
  expect([await address(), requests.length]).toEqual([first, 2])
})

test('objects 6 an emoji with a changed picture has a new address and is fetched again, and the old copy stays', async () => {
  let width = 20
  answers['/blob.png'] = async () => ({ status: 200, body: await telephoneJpeg(width, 20) })
  const address = async (updated?: string | null, kind: 'emoji' | 'avatar' = 'emoji') => {
    const item = {
      owner: 'remote.example',
      kind,
      remote: `${remote.origin}/blob.png`,
      domain: 'remote.example',
      updated,
    }
    const { urls } = await harness.cluster.call(proxyUrls, { items: [item] })
    await harness.cluster.waitForIdle()
    return urls[item.remote] ?? ''
  }
  const widthOf = async (at: string) => (await sharp(await harness.read(at)).metadata()).height
  const first = await address('2026-01-01T00:00:00Z')
  expect(await address('2026-01-01T01:00:00+01:00')).toBe(first)
  width = 30
  const second = await address('2026-02-01T00:00:00Z')
  expect([second === first, await widthOf(first), await widthOf(second)]).toEqual([false, 20, 30])
  expect(requests.map(({ path }) => path)).toEqual(['/blob.png', '/blob.png'])
  const plain = await address(null)
  expect([await address('never'), await address()]).toEqual([plain, plain])
  expect(await address('2026-03-01T00:00:00Z', 'avatar')).toBe(await address('2026-04-01T00:00:00Z', 'avatar'))
})

test('a lost copy is made again for the next viewer', async () => {
  answers['/b.jpg'] = picture
  const { urls } = await harness.cluster.call(proxyUrls, {
    items: [{ owner: '97', kind: 'header', remote: `${remote.origin}/b.jpg` }],
  })
  await harness.cluster.waitForIdle()
  const address = urls[`${remote.origin}/b.jpg`] ?? ''
  await harness.blobs.delete([harness.keyOf(address)])
  const seen = await view(address)
  expect([seen.status, seen.headers.Location]).toEqual([302, address])
  expect((await harness.read(address)).length).toBeGreaterThan(1_000)
  expect(requests).toHaveLength(2)
})

test('delivery 12: copies are deleted after the retention period, and fetched again on request', async () => {
  answers['/a.jpg'] = picture
  const id = await put('/a.jpg')
  await harness.cluster.waitForIdle()
  const key = harness.keyOf((await card(id)).url)
  const { clock, policy } = harness.context()
  const day = 86_400_000
  const invalidate = async (days: number | null, after: number) => {
    const kept = vi
      .spyOn(policy, 'settings')
      .mockReturnValue({ ...policy.settings(), media_cache_retention_period: days })
    clock.moveTo(after * day)
    await harness.tick('media.forget-copies')
    clock.moveTo(0)
    kept.mockRestore()
    return (await harness.blobs.head(key)) === null
  }
  expect([await invalidate(null, 400), await invalidate(7, 6), await invalidate(7, 8)]).toEqual([false, false, true])
  expect(await card(id)).toMatchObject({
    meta: { original: { width: 200 } },
    url: expect.stringContaining('/media_proxy/'),
  })
  await harness.clearFound()
  expect((await view((await card(id)).url)).status).toBe(302)
  expect(await harness.blobs.head(key)).not.toBeNull()
  expect(requests).toHaveLength(2)
  const plan = await harness.cluster.db('media').tx(async (tx) => {
    await tx.run(sql`set local enable_seqscan = off`)
    return tx.rows(sql`explain select id from attachments where state = 'cached'
      and coalesce(cached_at, created_at) < now() order by coalesce(cached_at, created_at) limit 5`)
  })
  expect(JSON.stringify(plan)).toContain('attachments_cached')
})

test('D057 A134 only signed addresses are fetched, and requests of this server itself are refused', async () => {
  answers['/a.jpg'] = picture
  await harness.rule({ domain: '127.0.0.1', severity: 'noop', reject_media: true, reject_reports: false })
  const id = await put('/a.jpg')
  await harness.cluster.waitForIdle()
  await harness.rule()
  const { url } = await card(id)
  const own = `(+http://${harness.cluster.env.LOCAL_DOMAIN}/)`
  const versions = ['4.6.0', '4.7.0-beta.1+local']
  const changed = url.replace(/.$/, (last: string) => (last === '0' ? '1' : '0'))
  const answered = await Promise.all([
    view('x/abc'),
    view(changed),
    ...versions.map((version) => view(url, `Murmuration/${version} ${own}`)),
    view(url, `proxy Murmuration/4.5.0 ${own} proxy`),
    view(url.replace(/\/a(\d+)-/, '/p$1-')),
  ])
  expect(answered.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403])
  expect(requests).toHaveLength(0)
})

test('A120 A033 an address of the internal network or of this server is not fetched', async () => {
  answers['/in.jpg'] = { status: 302, headers: { location: 'https://169.254.169.254/latest' } }
  answers['/us.jpg'] = {
    status: 302,
    headers: { location: `https://${harness.cluster.env.LOCAL_DOMAIN}/system/media/1` },
  }
  const ids = [await put('/in.jpg'), await put('/us.jpg')]
  await harness.cluster.waitForIdle()
  expect((await Promise.all(ids.map(card))).map(({ type, url }) => [type, url])).toEqual([
    ['unknown', null],
    ['unknown', null],
  ])
  expect(requests).toHaveLength(2)
})
