/** Scenarios with two servers: first contact with AUTHORIZED_FETCH, key rotation, separate handle domains, repeated activities. */
import { createHash, sign } from 'node:crypto'
import { createFollow, updateCredentials } from '@murmuration/contracts/accounts'
import { fetchActor } from '@murmuration/contracts/federation'
import { createStatus, showStatus, statusRecords } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { freePort } from '@murmuration/testkit'
import { type Document, makeActivity, PUBLIC, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fixture, startFixture } from './fixture.js'
import { type Harness, startHarness } from './harness.js'

const ACTIVITY = 'application/activity+json'
const get = (url: string) => fetch(url, { headers: { accept: ACTIVITY }, redirect: 'manual' })
const read = async (url: string): Promise<Document> => (await get(url)).json() as Promise<Document>

describe('T4 two servers with AUTHORIZED_FETCH', () => {
  let harness: Harness
  beforeAll(async () => {
    harness = await startHarness({ AUTHORIZED_FETCH: 'true' })
  })
  afterAll(() => harness.stop())

  test.each(['cavage', 'rfc9421'] as const)('first contact by %s succeeds in both directions', async (scheme) => {
    const bob = await harness.createAccount(`bob${scheme}`)
    const remote = await harness.server()
    const rita = await remote.addActor('rita')
    expect((await get(bob.uri)).status).toBe(401)
    // Their key is read for it; until a busy machine has managed that, one is asked to come again.
    await expect.poll(async () => (await remote.fetch(bob.uri, { as: rita, scheme })).status).toBe(200)
    const asked = remote.requests.all.find((it) => it.method === 'GET' && it.path === '/users/rita')
    if (!asked) throw new Error('the key was not asked for')
    // They check our question with the key of an actor that everybody may read, so nobody waits for the other.
    expect(await remote.verify(asked, {})).toMatchObject({ keyId: `${harness.origin}/actor#main-key` })
    expect(await harness.outcome(remote, makeActivity(rita, 'Follow', bob.uri), { as: rita, scheme })).toBe('done')
    await harness.waitForIdle()
    expect(remote.inbox.all.map((it) => it.activity.type)).toContain('Accept')
  })
})

describe('T6 handles on another domain than the addresses', () => {
  let harness: Harness
  let bob: Awaited<ReturnType<Harness['createAccount']>>
  let web: string
  beforeAll(async () => {
    const port = await freePort()
    web = `localhost:${port}`
    harness = await startHarness({
      PORT: String(port),
      LOCAL_DOMAIN: 'handles.example',
      WEB_DOMAIN: web,
      ALTERNATE_DOMAINS: 'old.example',
    })
    bob = await harness.createAccount('bob')
  })
  afterAll(() => harness.stop())
  const finger = (resource: string) =>
    read(`${harness.origin}/.well-known/webfinger?resource=${encodeURIComponent(resource)}`)

  test('local: for either name, the subject is on the handle domain and the addresses on the web domain', async () => {
    expect(harness.origin).toBe(`http://${web}`)
    expect(bob.uri.startsWith(`${harness.origin}/`)).toBe(true)
    for (const resource of [
      'acct:bob@handles.example',
      `acct:BOB@${web}`,
      'bob@old.example',
      bob.uri,
      `${harness.origin}/@bob`,
    ])
      expect([resource, await finger(resource)]).toEqual([
        resource,
        expect.objectContaining({
          subject: 'acct:bob@handles.example',
          aliases: [`${harness.origin}/@bob`, bob.uri],
          links: expect.arrayContaining([{ rel: 'self', type: ACTIVITY, href: bob.uri }]),
        }),
      ])
    expect(await read(bob.uri)).toMatchObject({
      id: bob.uri,
      webfinger: 'bob@handles.example',
      preferredUsername: 'bob',
    })
  })

  test('local: the instance actor has the name of the handle domain', async () => {
    for (const resource of [
      'acct:handles.example@handles.example',
      `acct:${web}@${web}`,
      harness.origin,
      `${harness.origin}/actor`,
    ])
      expect(await finger(resource)).toMatchObject({
        subject: 'acct:handles.example@handles.example',
        links: expect.arrayContaining([{ rel: 'self', type: ACTIVITY, href: `${harness.origin}/actor` }]),
      })
    expect(await read(`${harness.origin}/actor`)).toMatchObject({ preferredUsername: 'handles.example' })
    const meta = await (await fetch(`${harness.origin}/.well-known/host-meta`)).text()
    expect(meta).toContain(`template="${harness.origin}/.well-known/webfinger?resource={uri}"`)
  })

  test('local: mentions and hashtags have the right domain', async () => {
    const ann = await harness.createAccount('ann')
    const { id } = await harness.call(createStatus, { status: '@bob@handles.example @bob #tag' }, ann)
    const { records } = await harness.call(statusRecords, { ids: [id] })
    expect(await read(records[0]?.uri ?? '')).toMatchObject({
      id: expect.stringContaining(harness.origin),
      tag: [
        { type: 'Mention', href: bob.uri, name: '@bob@handles.example' },
        { type: 'Hashtag', href: expect.stringContaining(`${harness.origin}/tags/`) },
      ],
    })
  })

  const underOtherNames = (path: string) => [
    `https://handles.example/${path}`,
    `https://old.example/${path}`,
    `${harness.origin.replace('http:', 'https:')}/${path}`,
  ]
  const bobs = () => new URL(bob.uri).pathname.slice(1)
  const noteOf = (rita: RemoteActor, extra: Document): Document & { id: string } => ({
    id: `${rita.id}/statuses/${crypto.randomUUID()}`,
    type: 'Note',
    attributedTo: rita.id,
    content: '<p>to bob</p>',
    published: new Date().toISOString(),
    to: [],
    cc: [],
    ...extra,
  })

  test('remote: accounts are mentioned, addressed and followed by addresses on any host of this server', async () => {
    const remote = await harness.server()
    const rita = await remote.addActor('rita')
    for (const href of [...underOtherNames(bobs()), ...underOtherNames('@bob'), ...underOtherNames('users/bob')]) {
      const note = noteOf(rita, { to: [href], tag: [{ type: 'Mention', href, name: '@bob@handles.example' }] })
      expect(await harness.outcome(remote, makeActivity(rita, 'Create', note), { as: rita }), href).toBe('done')
      const { records } = await harness.call(statusRecords, { uris: [note.id] })
      const shown = await harness.call(showStatus, { id: records[0]?.id ?? '' }, bob)
      expect([href, shown.visibility, shown.mentions.map((it) => it.id)]).toEqual([href, 'direct', [bob.id]])
      const follow = makeActivity(rita, 'Follow', href)
      expect([href, await harness.outcome(remote, follow, { as: rita })]).toEqual([
        href,
        expect.stringMatching(/^done/),
      ])
    }
  })

  test('remote: statuses are liked, boosted and replied to by addresses on any host of this server', async () => {
    const remote = await harness.server()
    const { id } = await harness.call(createStatus, { status: 'liked' }, bob)
    const addresses = [...underOtherNames(`@bob/${id}`), ...underOtherNames(`${bobs()}/statuses/${id}`)]
    for (const [i, address] of addresses.entries()) {
      const rita = await remote.addActor(`rita${i}`)
      const reply = noteOf(rita, { to: [PUBLIC], inReplyTo: address })
      for (const activity of [
        makeActivity(rita, 'Like', address),
        makeActivity(rita, 'Announce', address, { to: [PUBLIC] }),
        makeActivity(rita, 'Create', reply),
      ])
        expect([address, await harness.outcome(remote, activity, { as: rita })]).toEqual([address, 'done'])
    }
    expect(await harness.call(showStatus, { id }, bob)).toMatchObject({
      favourites_count: addresses.length,
      reblogs_count: addresses.length,
      replies_count: addresses.length,
    })
  })

  const jrd = (server: RemoteServer, subject: string, href: string) =>
    server.behave(
      {
        kind: 'status',
        status: 200,
        headers: { 'content-type': 'application/jrd+json' },
        body: JSON.stringify({ subject, links: [{ rel: 'self', type: ACTIVITY, href }] }),
      },
      { path: '/.well-known/webfinger' },
    )
  const hostOf = (server: RemoteServer) => new URL(server.origin).host

  test('remote: the handle that both domains confirm counts, by actor and by either handle', async () => {
    const [pages, handles] = [await harness.server(), await harness.server()]
    const handle = `rita@${hostOf(handles)}`
    const rita = await pages.addActor('rita', { webfinger: handle })
    for (const server of [pages, handles]) jrd(server, `acct:${handle}`, rita.id)
    const expected = { outcome: 'ok', actor: { uri: rita.id, username: 'rita', domain: hostOf(handles) } }
    expect(await harness.call(fetchActor, { uri: rita.id })).toMatchObject(expected)
    expect(await harness.call(fetchActor, { handle: `rita@${hostOf(pages)}` })).toMatchObject(expected)
    expect(await harness.call(fetchActor, { handle })).toMatchObject(expected)
  })

  test('remote: a handle that its domain does not confirm is not accepted', async () => {
    const [pages, handles] = [await harness.server(), await harness.server()]
    const rita = await pages.addActor('rita', { webfinger: `rita@${hostOf(handles)}` })
    jrd(handles, `acct:rita@${hostOf(handles)}`, `${handles.origin}/users/somebody-else`)
    expect(await harness.call(fetchActor, { uri: rita.id })).toMatchObject({ actor: { domain: hostOf(pages) } })
  })
})

describe('with one fixture', () => {
  let fixture: Fixture
  beforeAll(async () => {
    fixture = await startFixture()
  })
  afterAll(() => fixture.harness.stop())

  test('T5 a key rotation loses no activities in flight', async () => {
    const { harness, remote, note, rita } = fixture
    const fresh = await remote.addActor('fresh')
    const old = { ...rita }
    const sent: string[] = []
    const send = async (as: RemoteActor) => {
      const object = note(rita)
      sent.push(object.id)
      const activity = makeActivity(rita, 'Create', object)
      const deliver = () => harness.deliver(remote, activity, { as })
      // Asked to come again or not yet believed, a sender tries once more.
      const { status } = await deliver()
      if (status !== 202) await expect.poll(async () => (await deliver()).status).toBe(202)
    }
    for (let i = 0; i < 5; i++) await send(old)
    Object.assign(rita.document, { publicKey: { id: rita.keyId, owner: rita.id, publicKeyPem: fresh.publicKey } })
    Object.assign(rita, { privateKey: fresh.privateKey, publicKey: fresh.publicKey })
    for (let i = 0; i < 5; i++) await send(rita)
    await harness.waitForIdle()
    const { records } = await harness.call(statusRecords, { uris: sent })
    expect(records.length).toBe(sent.length)
    expect((await harness.deliver(remote, makeActivity(rita, 'Like', fixture.post.uri), { as: old })).status).toBe(401)
  })

  /** Numbers that look shuffled and are the same each time. */
  const shuffled = <T>(items: readonly T[], seed: number): T[] => {
    let state = seed * 2_654_435_761
    const next = () => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      return state
    }
    return items
      .map((it) => [next(), it] as const)
      .sort(([a], [b]) => a - b)
      .map(([, it]) => it)
  }

  test.each([1, 2, 3, 4, 5])('T7 all activities twice and in any order (%i) have the same result', async (seed) => {
    const { harness, remote, rita, vera, bob, note, write, shown } = fixture
    const own = await write({ status: `liked ${seed}` })
    const kept = note(rita)
    const ended = note(rita)
    const updated = new Date(Date.now() + 60_000).toISOString()
    const edit = { ...kept, content: '<p>edited</p>', updated }
    const like = makeActivity(rita, 'Like', own.uri)
    const stays = makeActivity(vera, 'Like', own.uri)
    const boost = makeActivity(rita, 'Announce', own.uri, { to: [PUBLIC], cc: [rita.followers] })
    const follow = makeActivity(vera, 'Follow', bob.uri)
    const course: [RemoteActor, Document][] = [
      [rita, makeActivity(rita, 'Create', kept)],
      [rita, makeActivity(rita, 'Update', edit)],
      [rita, makeActivity(rita, 'Create', ended)],
      [rita, makeActivity(rita, 'Update', { ...ended, content: '<p>late</p>', updated })],
      [rita, makeActivity(rita, 'Delete', { id: ended.id, type: 'Tombstone' })],
      [rita, like],
      [rita, makeActivity(rita, 'Undo', like)],
      [vera, stays],
      [rita, boost],
      [rita, makeActivity(rita, 'Undo', boost)],
      [vera, follow],
      [vera, makeActivity(vera, 'Undo', follow)],
    ]
    // Each is tried twice, and signed for each try, as servers do; and each before the next one was said.
    const start = Date.now() - 120_000
    const letters = course.flatMap(([as, activity], n) =>
      [0, 1].map((time) => ({ as, activity, now: new Date(start + (2 * n + time) * 1_000) })),
    )
    for (const { activity, ...how } of shuffled(letters, seed)) {
      expect((await harness.deliver(remote, activity, how)).status).toBe(202)
      await harness.waitForIdle()
    }
    expect(await shown(kept.id)).toMatchObject({ content: '<p>edited</p>' })
    expect(await shown(ended.id)).toBe(null)
    expect(await harness.call(showStatus, { id: own.id }, bob)).toMatchObject({ favourites_count: 1, reblogs_count: 0 })
    const account = await harness.account(vera.id)
    expect(await harness.db('accounts').rows(sql`select 1 from follows where account_id = ${account?.id}`)).toEqual([])
    expect(await harness.db('federation').rows(sql`select reason from dead_letters`)).toEqual([])
  })

  test('hostile 118 a hidden list of followers has a count, and its pages return 403', async () => {
    const { harness, bob } = fixture
    await harness.call(updateCredentials, { hide_collections: true } as never, bob)
    for (const which of ['followers', 'following']) {
      const root = await read(`${bob.uri}/${which}`)
      expect(Object.keys(root).sort()).toEqual(['@context', 'id', 'totalItems', 'type'])
      expect((await get(`${bob.uri}/${which}?page=1`)).status).toBe(403)
    }
  })

  test('A031 hostile 121 no federated authentication services are offered, and their endpoints return 404', async () => {
    const { harness } = fixture
    expect(JSON.stringify(await read(`${harness.origin}/nodeinfo/2.0`))).not.toContain('fasp')
    for (const path of ['/fasp/registration', '/registration', '/data_sharing/v0/event_subscriptions'])
      expect((await fetch(`${harness.origin}${path}`, { method: 'POST', body: '{}' })).status).toBe(404)
  })

  test('hostile 123 followers-only statuses are not shown to accounts with a pending or rejected follow', async () => {
    const { harness, remote, note, sendActivity } = fixture
    const [nina, sue] = [
      await harness.createAccount('nina'),
      await remote.addActor('sue', { manuallyApprovesFollowers: true }),
    ]
    await fixture.follow(fixture.bob, sue)
    const account = await harness.account(sue.id)
    await harness.call(createFollow, { id: account?.id ?? '' }, nina)
    const sees = async (uri: string) => {
      const { records } = await harness.call(statusRecords, { uris: [uri] })
      return harness.call(showStatus, { id: records[0]?.id ?? '' }, nina).then(
        () => true,
        () => false,
      )
    }
    const secret = note(sue, { to: [sue.followers], cc: [] })
    expect(await sendActivity(sue, 'Create', secret)).toBe('done')
    expect(await sees(secret.id)).toBe(false)
    await sendActivity(sue, 'Reject', { type: 'Follow', actor: nina.uri, object: sue.id })
    expect(await sees(secret.id)).toBe(false)
    // Only the requested account can accept the follow.
    expect(await sendActivity(fixture.vera, 'Accept', { type: 'Follow', actor: nina.uri, object: sue.id })).toMatch(
      /^refused/,
    )
    expect(await sees(secret.id)).toBe(false)
    expect(await fixture.shown(secret.id)).toMatchObject({ visibility: 'private' })
  })

  test('interop 5.16 a length that is covered by the signature is checked as it was sent', async () => {
    const { harness, remote, rita } = fixture
    const body = JSON.stringify(makeActivity(rita, 'Like', fixture.post.uri))
    const url = new URL(`${harness.origin}/inbox`)
    const headers: Record<string, string> = {
      date: new Date().toUTCString(),
      digest: `SHA-256=${createHash('sha256').update(body).digest('base64')}`,
      'content-type': ACTIVITY,
      'content-length': String(Buffer.byteLength(body)),
    }
    const base = [
      `(request-target): post ${url.pathname}`,
      `content-length: ${headers['content-length']}`,
      `date: ${headers.date}`,
      `digest: ${headers.digest}`,
      `host: ${url.host}`,
    ].join('\n')
    const signature = sign('sha256', Buffer.from(base), rita.privateKey).toString('base64')
    const covered = '(request-target) content-length date digest host'
    headers.signature = `keyId="${rita.keyId}",algorithm="rsa-sha256",headers="${covered}",signature="${signature}"`
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(202)
    expect(remote.origin).not.toBe(harness.origin)
  })
})
