/** Fetches of actors, keys and objects of other servers: proofs, refusals, and rate limits. */
import { openRedis } from '@murmuration/cache'
import { fetchActor, fetchKey, fetchObject } from '@murmuration/contracts/federation'
import { createMemoryCache } from '@murmuration/flow'
import { makeActivity, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createRequestLimits } from '../src/resolver/request-limits.js'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
let remote: RemoteServer
let evil: RemoteServer
let rita: RemoteActor
let counter = 0

beforeAll(async () => {
  harness = await startHarness()
  remote = await harness.server()
  evil = await harness.server()
})
afterAll(() => harness.stop())
beforeEach(async () => {
  remote.repair()
  evil.repair()
  rita = await remote.addActor(`rita${++counter}`)
})

const actor = (uri: string) => harness.call(fetchActor, { uri })
const byHandle = (handle: string) => harness.call(fetchActor, { handle })
const object = (url: string) => harness.call(fetchObject, { url })
const hostOf = (server: RemoteServer) => new URL(server.origin).host
const gets = (path: string, server = remote) => server.requests.all.filter((it) => it.path.split('?')[0] === path)

test('hostile 106 background fetches yield when a host had many requests, and delay no interactive ones', async () => {
  const now = () => Date.now()
  const redis = await openRedis({ url: harness.env.REDIS_URL ?? '', name: 'test' })
  const local = createMemoryCache<number>({ max: 10, ttlMs: 1_000, now })
  const limits = createRequestLimits({ redis, prefix: `federation:${new URL(harness.origin).host}`, now, local })
  const server = await harness.server({ name: 'localhost' })
  const note = server.addNote(await server.addActor('busy'), '<p>x</p>')
  await actor(note.attributedTo as string)
  const behind = () =>
    Promise.all([
      harness.call(fetchObject, { url: note.id, behind: true }),
      harness.call(fetchActor, { uri: note.attributedTo as string, behind: true }),
    ])
  // Uses up the limit of this minute and the next, because the minute may end meanwhile.
  const spend = async () => Promise.all(Array.from({ length: 200 }, () => limits.mayRequest(hostOf(server), 'behind')))
  await expect
    .poll(async () => {
      await spend()
      return (await behind()).map(({ outcome, limited }) => [outcome, limited])
    })
    .toEqual([
      ['later', true],
      ['later', true],
    ])
  // Concurrent requests share the result; later ones are not delayed.
  await expect.poll(async () => (await object(note.id)).outcome).toBe('ok')
  await redis.close()
})

test('hostile 106 redirects count against the rate limit of their target', async () => {
  const redis = await openRedis({ url: harness.env.REDIS_URL ?? '', name: 'test' })
  const now = () => Date.now()
  const local = createMemoryCache<number>({ max: 10, ttlMs: 1_000, now })
  const limits = createRequestLimits({ redis, prefix: `federation:${new URL(harness.origin).host}`, now, local })
  const victim = await harness.server({ name: 'localhost' })
  const vera = await victim.addActor('vera')
  evil.behave({ kind: 'redirect', to: vera.id }, { path: /^\/to-victim/ })
  let asked = 0
  const passed = () => object(`${evil.origin}/to-victim/${++asked}`)
  // The redirect target is fetched again at its own address.
  expect((await passed()).outcome).toBe('ok')
  expect(victim.requests.all.filter((one) => one.path === new URL(vera.id).pathname).length).toBe(2)
  // Uses up the limit of this minute, or of the next one.
  const spend = () => Promise.all(Array.from({ length: 300 }, () => limits.mayRequest(hostOf(victim))))
  await expect
    .poll(async () => {
      await spend()
      victim.requests.clear()
      const { outcome, limited } = await passed()
      return [outcome, limited, victim.requests.all.length]
    })
    .toEqual(['later', true, 0])
  await redis.close()
})

test('hostile 14 interactive fetches do not wait for thread fetches of the same server without a response', async () => {
  const server = await harness.server()
  const sam = await server.addActor('sam')
  server.behave({ kind: 'hang' }, { path: /^\/slow/ })
  const reads = [1, 2, 3, 4].map((n) => harness.call(fetchObject, { url: `${server.origin}/slow/${n}`, behind: true }))
  const slow = () => gets('/slow/1', server).length * gets('/slow/4', server).length
  await expect.poll(slow).toBeGreaterThan(0)
  let isOver = false
  const over = Promise.allSettled(reads).then(() => {
    isOver = true
  })
  expect([(await actor(sam.id)).outcome, isOver]).toEqual(['ok', false])
  await over
  server.repair()
})

describe('actors', () => {
  test('by URI: all properties are parsed, cleaned and proved', async () => {
    Object.assign(rita.document, {
      name: 'Rita \u202e<b>',
      summary: '<p>hi<script>x</script></p>',
      attachment: [{ type: 'PropertyValue', name: 'site', value: '<a href="https://a.example" onclick="x">a</a>' }],
      icon: { type: 'Image', mediaType: 'image/png', url: `${remote.origin}/a.png`, summary: 'a face' },
      image: { type: 'Image', url: 'data:image/png;base64,AAAA' },
      alsoKnownAs: ['https://old.example/users/rita'],
      manuallyApprovesFollowers: true,
    })
    const { outcome, actor: found } = await actor(rita.id)
    expect(outcome).toBe('ok')
    expect(found).toMatchObject({
      uri: rita.id,
      username: rita.name,
      domain: hostOf(remote),
      display_name: 'Rita <b>',
      note: '<p>hi</p>',
      inbox_url: rita.inbox,
      shared_inbox_url: `${remote.origin}/inbox`,
      followers_url: rita.followers,
      locked: true,
      avatar_url: `${remote.origin}/a.png`,
      avatar_description: 'a face',
      header_url: null,
      also_known_as: ['https://old.example/users/rita'],
      followers_count: 0,
      hide_collections: false,
      keys: [{ id: rita.keyId, pem: rita.publicKey }],
    })
    expect(found?.fields[0]?.value).not.toContain('onclick')
  })

  test('requests are signed by the instance actor, so that every server can verify them', async () => {
    await actor(rita.id)
    const request = gets(new URL(rita.id).pathname)[0]
    if (!request) throw new Error('nothing was asked')
    expect(await remote.verify(request, {})).toMatchObject({
      keyId: `${harness.origin}/actor#main-key`,
      scheme: 'cavage',
    })
    expect(request.headers.accept).toContain('application/activity+json')
    expect(request.headers['user-agent']).toMatch(/^Murmuration\/4\.6\.0 \(\+http/)
  })

  test('O28 if the older signature scheme is refused, the newer one is tried and stored', async () => {
    const server = await harness.server()
    const [one, two] = [await server.addActor('one'), await server.addActor('two')]
    server.behave({ kind: 'status', status: 401 }, { path: '/users/one', times: 1 })
    expect((await actor(one.id)).outcome).toBe('ok')
    expect(gets('/users/one', server).map((it) => it.headers['signature-input'] !== undefined)).toEqual([false, true])
    expect((await actor(two.id)).outcome).toBe('ok')
    expect(gets('/users/two', server).map((it) => it.headers['signature-input'] !== undefined)).toEqual([true])
  })

  test('by handle, through WebFinger', async () => {
    const { outcome, actor: found } = await byHandle(`${rita.name}@${hostOf(remote)}`)
    expect(outcome).toBe('ok')
    expect(found?.uri).toBe(rita.id)
    expect((await byHandle(`nobody@${hostOf(remote)}`)).outcome).toBe('not-found')
    expect((await byHandle('nonsense')).outcome).toBe('refused')
  })

  test('A034 local addresses and handles are never fetched', async () => {
    expect((await actor(`${harness.origin}/users/bob`)).outcome).toBe('local')
    expect((await byHandle(`bob@${new URL(harness.origin).host}`)).outcome).toBe('local')
    expect((await object(`${harness.origin}/media/1`)).outcome).toBe('local')
  })

  test('hostile 50 A001 A014 a document with another id is accepted only from that id', async () => {
    remote.publish('/alias', rita.document)
    expect((await actor(`${remote.origin}/alias`)).actor?.uri).toBe(rita.id)
    evil.publish('/stolen', rita.document)
    expect((await actor(`${evil.origin}/stolen`)).outcome).toBe('refused')
    remote.publish('/liar', { ...rita.document, id: `${remote.origin}/elsewhere` })
    expect((await actor(`${remote.origin}/liar`)).outcome).toBe('refused')
  })

  test('A033 a redirect to another host does not prove an id', async () => {
    const vera = await evil.addActor('vera')
    remote.behave({ kind: 'redirect', to: vera.id }, { path: '/r' })
    expect((await actor(`${remote.origin}/r`)).outcome).toBe('refused')
    remote.behave({ kind: 'redirect', to: rita.id }, { path: '/r2' })
    expect((await actor(`${remote.origin}/r2`)).actor?.uri).toBe(rita.id)
  })

  test('hostile 51 an uploaded file is not accepted as a document', async () => {
    const body = JSON.stringify(rita.document)
    for (const type of ['application/json', 'text/plain', 'application/ld+json']) {
      remote.behave({ kind: 'status', status: 200, headers: { 'content-type': type }, body }, { path: `/${type}` })
      expect((await actor(`${remote.origin}/${type}`)).outcome, type).toBe('refused')
    }
  })

  test('A035 hostile 89 a handle that its domain does not confirm', async () => {
    const vera = await evil.addActor('vera2', { webfinger: `${rita.name}@${hostOf(remote)}` })
    expect((await actor(vera.id)).actor).toMatchObject({ username: 'vera2', domain: hostOf(evil) })
    const mallory = await evil.addActor('mallory')
    evil.publish('/users/impostor', {
      ...mallory.document,
      id: `${evil.origin}/users/impostor`,
      inbox: `${evil.origin}/users/impostor/inbox`,
      publicKey: {
        id: `${evil.origin}/users/impostor#main-key`,
        owner: `${evil.origin}/users/impostor`,
        publicKeyPem: mallory.publicKey,
      },
    })
    expect((await actor(`${evil.origin}/users/impostor`)).outcome).toBe('refused')
  })

  test('actors 3 a domain cannot give its handle to an actor elsewhere that does not claim it', async () => {
    const sendActivity = (server: RemoteServer, subject: string) =>
      server.behave(
        {
          kind: 'status',
          status: 200,
          headers: { 'content-type': 'application/jrd+json' },
          body: JSON.stringify({ subject, links: [{ rel: 'self', type: 'application/activity+json', href: rita.id }] }),
        },
        { path: '/.well-known/webfinger' },
      )
    sendActivity(evil, `acct:mallory@${hostOf(evil)}`)
    expect((await byHandle(`mallory@${hostOf(evil)}`)).actor).toMatchObject({
      uri: rita.id,
      username: rita.name,
      domain: hostOf(remote),
    })
    // Her own server confirms the handle, whose domain differs from that of her addresses.
    sendActivity(evil, `acct:${rita.name}@${hostOf(evil)}`)
    sendActivity(remote, `acct:${rita.name}@${hostOf(evil)}`)
    expect((await byHandle(`${rita.name}@${hostOf(evil)}`)).actor).toMatchObject({
      uri: rita.id,
      username: rita.name,
      domain: hostOf(evil),
    })
  })

  test('A030 hostile 88 a handle on our domain', async () => {
    const vera = await evil.addActor('vera3', { webfinger: `bob@${new URL(harness.origin).host}` })
    expect((await actor(vera.id)).actor?.domain).toBe(hostOf(evil))
    const sneaky = await evil.addActor('sneaky', { preferredUsername: `bob@${new URL(harness.origin).host}` })
    expect((await actor(sneaky.id)).outcome).toBe('refused')
  })

  test('hostile 89 an instance actor needs no WebFinger, but cannot have the handle of another actor', async () => {
    const app = await evil.addActor('app', { type: 'Application', invisible: true })
    const at = (name: string) => {
      const path = `/servers/${name}`
      const id = `${evil.origin}${path}`
      const document = JSON.parse(JSON.stringify(app.document).replaceAll(app.id, id))
      evil.publish(path, { ...document, preferredUsername: name })
      return actor(id)
    }
    expect((await at('relay.internal')).actor).toMatchObject({ username: 'relay.internal', domain: hostOf(evil) })
    await evil.addActor('holder')
    expect(await at('holder')).toEqual({ outcome: 'refused', actor: null })
  })

  test.each([
    ['A029 hostile 54 an inbox elsewhere', { inbox: 'https://victim.example/inbox' }],
    ['A029 an inbox that is no address', { inbox: 'javascript:1' }],
    ['hostile 86 letters that look like others', { preferredUsername: 'рita' }],
    ['hostile 47 no context', { '@context': undefined }],
    ['another type', { type: 'Note' }],
    [
      '17 a key that is too weak',
      {
        publicKey: {
          publicKeyPem:
            '-----BEGIN PUBLIC KEY-----\nMFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAMUzMwK3k8kxw8a3Qm8H\n-----END PUBLIC KEY-----',
        },
      },
    ],
  ])('%s: refused', async (_name, extra) => {
    const bad = await evil.addActor(`bad${++counter}`)
    const { publicKey, ...rest } = extra as { publicKey?: object }
    Object.assign(bad.document, rest)
    if ('publicKey' in extra)
      Object.assign(bad.document, { publicKey: publicKey && { id: bad.keyId, owner: bad.id, ...publicKey } })
    expect((await actor(bad.id)).outcome).toBe('refused')
  })

  test('an actor without a key is accepted', async () => {
    const plain = await evil.addActor(`bad${++counter}`)
    plain.document.publicKey = undefined
    expect(await actor(plain.id)).toMatchObject({ outcome: 'ok', actor: { uri: plain.id, keys: [] } })
  })

  test('gone, absent and failing actors have different outcomes, which are cached', async () => {
    for (const [status, outcome] of [
      [410, 'gone'],
      [404, 'not-found'],
      [403, 'refused'],
      [500, 'later'],
      [429, 'later'],
    ] as const) {
      const path = `/users/status${status}`
      remote.behave({ kind: 'status', status }, { path })
      expect((await actor(`${remote.origin}${path}`)).outcome).toBe(outcome)
      const asked = gets(path).length
      expect((await actor(`${remote.origin}${path}`)).outcome).toBe(outcome)
      expect(gets(path).length).toBe(asked)
    }
  })

  test.each([404, 410])(
    'an address that names another document, which returns %s, does not prove that an actor is gone',
    async (status) => {
      const missing = `${remote.origin}/users/missing${status}`
      remote.behave({ kind: 'status', status }, { path: new URL(missing).pathname })
      const link = `<${missing}>; rel="alternate"; type="application/activity+json"`
      const headers = { 'content-type': 'text/html', link }
      remote.behave({ kind: 'status', status: 200, headers, body: '<html></html>' }, { path: `/page${status}` })
      remote.publish(`/document${status}`, { ...rita.document, id: missing })
      const outcomes = ['page', 'document'].map(
        async (path) => (await actor(`${remote.origin}/${path}${status}`)).outcome,
      )
      expect(await Promise.all(outcomes)).toEqual(['refused', 'refused'])
      expect((await actor(missing)).outcome).toBe(status === 410 ? 'gone' : 'not-found')
    },
  )

  test('a fresh fetch ignores cached results and failures', async () => {
    const fresh = () => harness.call(fetchActor, { uri: rita.id, fresh: true })
    const named = async (name: string, sendRequest: () => ReturnType<typeof fresh>) => {
      Object.assign(rita.document, { name })
      return (await sendRequest()).actor?.display_name
    }
    expect(await named('one', () => actor(rita.id))).toBe('one')
    expect(await named('two', fresh)).toBe('two')
    expect(await Promise.all([actor(rita.id), fresh(), named('three', fresh)])).toMatchObject([{}, {}, 'three'])
    Object.assign(rita.document, { type: 'Note' })
    expect((await fresh()).outcome).toBe('refused')
    Object.assign(rita.document, { type: 'Person' })
    expect([(await actor(rita.id)).outcome, (await fresh()).outcome]).toEqual(['refused', 'ok'])
  })

  test('concurrent requests for one actor share one fetch', async () => {
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => actor(rita.id)))
    expect(new Set(outcomes.map((it) => it.outcome))).toEqual(new Set(['ok']))
    expect(gets(new URL(rita.id).pathname).length).toBe(1)
  })

  test.each([
    'http://10.0.0.1/users/a',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]:8080/users/a',
    'http://[::ffff:10.0.0.1]/users/a',
    'http://0x0a000001/users/a',
    'http://user:secret@127.0.0.1/users/a',
    'ftp://a.example/users/a',
    'file:///etc/passwd',
    'data:application/activity+json,{}',
  ])('94 95 96 99 %s is not requested', async (uri) => {
    expect((await actor(uri)).outcome).toBe('refused')
  })

  test('hostile 101 an endless body is refused', async () => {
    const body = JSON.stringify({ ...rita.document, padding: 'x'.repeat(1_048_576) })
    remote.behave(
      { kind: 'status', status: 200, headers: { 'content-type': 'application/activity+json' }, body },
      { path: '/large' },
    )
    expect((await actor(`${remote.origin}/large`)).outcome).toBe('refused')
    remote.behave({ kind: 'cut' }, { path: '/cut' })
    expect((await actor(`${remote.origin}/cut`)).outcome).toBe('later')
  })

  test('hostile 74 an actor with a handle on a blocked domain is not accepted under another handle', async () => {
    const names = await harness.server({ name: 'localhost' })
    const claim = { webfinger: `split@${hostOf(names)}` }
    const split = await remote.addActor('split', claim)
    expect((await actor(split.id)).actor).toMatchObject({ username: 'split', domain: hostOf(remote) })
    await harness.policy({
      blocks: [{ domain: 'localhost', severity: 'suspend', reject_media: false, reject_reports: false, stamp: '1' }],
    })
    const other = await remote.addActor('split2', claim)
    expect(await actor(other.id)).toEqual({ outcome: 'blocked', actor: null })
    const activity = makeActivity(other, 'Follow', `${harness.origin}/ap/users/1`)
    expect((await harness.deliver(remote, activity, { as: other })).status).toBe(403)
    expect(await harness.account(other.id)).toBeNull()
    await harness.policy({})
  })

  test('a blocked server is not requested', async () => {
    await harness.policy({
      blocks: [{ domain: '127.0.0.1', severity: 'suspend', reject_media: false, reject_reports: false, stamp: '1' }],
    })
    const before = remote.requests.all.length
    expect((await actor(rita.id)).outcome).toBe('blocked')
    expect((await byHandle(`${rita.name}@${hostOf(remote)}`)).outcome).toBe('blocked')
    expect(remote.requests.all.length).toBe(before)
    await harness.policy({})
  })
})

describe('keys', () => {
  test('a key and its owner are proved both ways', async () => {
    expect((await harness.call(fetchKey, { keyId: rita.keyId })).actor).toMatchObject({
      uri: rita.id,
      keys: [{ id: rita.keyId }],
    })
  })
  test('hostile 15 16 a key that its owner does not list, or with an owner on another server, is refused', async () => {
    const mallory = await evil.addActor('mallory2')
    evil.publish('/key', { id: `${evil.origin}/key`, owner: rita.id, publicKeyPem: mallory.publicKey })
    evil.publish('/key2', { id: `${evil.origin}/key2`, owner: mallory.id, publicKeyPem: mallory.publicKey })
    for (const path of ['/key', '/key2'])
      expect((await harness.call(fetchKey, { keyId: `${evil.origin}${path}` })).outcome).toBe('refused')
  })
})

describe('objects', () => {
  test('a status is fetched with its author', async () => {
    const note = remote.addNote(rita, '<p>hi<script>x</script></p>', { cc: [rita.followers], summary: 'cw' })
    expect(await object(note.id)).toMatchObject({
      outcome: 'ok',
      actor: null,
      note: {
        uri: note.id,
        authorUri: rita.id,
        html: '<p>hi</p>',
        visibility: 'public',
        spoiler_text: 'cw',
        sensitive: true,
      },
    })
  })

  test('an actor is fetched by its URI or its page', async () => {
    const link = `<${rita.id}>; rel="alternate"; type="application/activity+json"`
    remote.behave(
      { kind: 'status', status: 200, headers: { 'content-type': 'text/html', link }, body: '<html></html>' },
      { path: `/@${rita.name}` },
    )
    expect((await object(`${remote.origin}/@${rita.name}`)).actor?.uri).toBe(rita.id)
  })

  test('a page is resolved by the link in its head', async () => {
    const note = remote.addNote(rita, '<p>paged</p>')
    const page = (href: string) =>
      `<!doctype html><head><link rel="alternate" type="application/activity+json" href="${href}"></head>`
    const show = (path: string, href: string, server = remote) =>
      server.behave(
        { kind: 'status', status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: page(href) },
        { path },
      )
    show('/@rita/1', new URL(note.id).pathname)
    expect((await object(`${remote.origin}/@rita/1`)).note?.uri).toBe(note.id)
    show('/@rita/2', `${harness.origin}/users/bob`)
    expect((await object(`${remote.origin}/@rita/2`)).outcome).toBe('local')
    show('/@rita/3', 'javascript:alert(1)')
    expect((await object(`${remote.origin}/@rita/3`)).outcome).toBe('refused')
  })

  test('the Create of a status is resolved to the status', async () => {
    const note = remote.addNote(rita, '<p>wrapped</p>')
    const create = makeActivity(rita, 'Create', { ...note, content: '<p>forged</p>' }, { id: `${note.id}/activity` })
    remote.publish(`${new URL(note.id).pathname}/activity`, create)
    expect((await object(create.id)).note).toMatchObject({ uri: note.id, html: '<p>wrapped</p>' })
  })

  test.each([
    ['by somebody on another server', () => ({ attributedTo: 'https://a.example/users/a' })],
    ['by nobody', () => ({ attributedTo: undefined })],
    ['of a type we do not know', () => ({ type: 'Review' })],
  ])('%s: refused', async (_name, extra) => {
    const note = remote.addNote(rita, '<p>x</p>', extra())
    expect((await object(note.id)).outcome).toBe('refused')
  })

  test('hostile 103 A032 an endless chain of documents ends', async () => {
    const endless = await harness.server()
    const loop = await endless.addActor('loop')
    const first = endless.addNote(loop, '<p>0</p>')
    const second = endless.addNote(loop, '<p>1</p>', { inReplyTo: first.id })
    endless.publish(new URL(first.id).pathname, { ...first, inReplyTo: second.id })
    await harness.outcome(endless, makeActivity(loop, 'Like', `${harness.origin}/x`), { as: loop })
    const bob = await harness.createAccount('bobby')
    const activity = makeActivity(loop, 'Create', {
      ...first,
      id: `${loop.id}/statuses/x`,
      inReplyTo: second.id,
      cc: [bob.uri],
      tag: [{ type: 'Mention', href: bob.uri }],
    })
    expect(await harness.outcome(endless, activity, { as: loop })).toBe('done')
    await harness.waitForIdle()
    expect(endless.requests.all.length).toBeLessThan(50)
  })
})
