/**
 * How other software describes its actors and answers when it is asked: who is accepted, and how we ask. Numbers are rows of the
 * interoperability facts, `interop <section>.<row>`, and of the list of hostile input.
 */
import { fetchActor } from '@murmuration/contracts/federation'
import type { Document, RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import { makeActivity } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { keyIdOf } from '@murmuration/testkit/outside/signing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
let remote: RemoteServer
let other: RemoteServer
let bob: Awaited<ReturnType<Harness['createAccount']>>
let counter = 0

beforeAll(async () => {
  harness = await startHarness()
  bob = await harness.createAccount('bob')
  remote = await harness.server()
  other = await harness.server()
})
afterAll(() => harness.stop())
beforeEach(() => {
  for (const server of [remote, other]) {
    server.repair()
    server.requests.clear()
  }
})

const hostOf = (server: RemoteServer) => new URL(server.origin).host
const byUri = (uri: string) => harness.call(fetchActor, { uri })
const byHandle = (handle: string) => harness.call(fetchActor, { handle })

/** An actor whose addresses are not those of the fake server: its id is at `path`. */
const actorAt = async (path: string, extra: Document = {}, name = `n${++counter}`): Promise<RemoteActor> => {
  const actor = await remote.addActor(name)
  const id = `${remote.origin}${path}`
  const move = (text: string) => text.replaceAll(actor.id, id)
  const document = { ...(JSON.parse(move(JSON.stringify(actor.document))) as Document), ...extra }
  Object.assign(actor, { id, inbox: move(actor.inbox), keyId: move(actor.keyId), document })
  remote.publish(new URL(id).pathname, document)
  return actor
}

type Shape = [name: string, path: string, extra: () => Document, expected: () => object, username?: string]

const accepted: Shape[] = [
  ['interop 3.6 a number as id', '/ap/users/116262424442', () => ({}), () => ({ type: 'Person' })],
  [
    'interop 4.13 a name with a dot inside, of an actor of the system',
    '/users/7rkrarq81i',
    () => ({}),
    () => ({ username: 'instance.actor' }),
    'instance.actor',
  ],
  [
    'interop 4.3 4.20 what only its own forks know',
    '/users/9abcdef',
    () => ({
      isCat: true,
      speakAsCat: true,
      noindex: true,
      backgroundUrl: { type: 'Image', url: 'https://x.example/b.png' },
      listenbrainz: 'x',
      _misskey_summary: 'x',
      'vcard:bday': '2000-01-01',
      'vcard:Address': 'x',
      icon: null,
    }),
    () => ({ avatar_url: null }),
  ],
  [
    'interop 5.15 a relay',
    '/relay',
    () => ({ type: 'Application', followers: `${remote.origin}/relay/followers`, outbox: undefined }),
    () => ({ type: 'Application' }),
  ],
  [
    'interop 5.15 an actor that only fetches',
    '/internal/fetch',
    () => ({ type: 'Application', invisible: true, endpoints: undefined }),
    () => ({ type: 'Application', shared_inbox_url: null }),
  ],
  [
    'I17 interop 6.2 no shared inbox',
    '/users/gus',
    () => ({ endpoints: undefined }),
    () => ({ shared_inbox_url: null, inbox_url: `${remote.origin}/users/gus/inbox` }),
  ],
  [
    'I19 no page of its own',
    '/users/pageless',
    () => ({ url: undefined }),
    () => ({ url: `${remote.origin}/users/pageless` }),
  ],
  [
    'interop 7.13 a community: moderators, rules, two slashes, tags nobody knows',
    '/c/cats',
    () => ({
      type: 'Group',
      attributedTo: `${remote.origin}/c/cats/moderators`,
      featured: `${remote.origin}/c/cats//featured`,
      following: undefined,
      postingRestrictedToMods: false,
      language: [{ identifier: 'en', name: 'English' }],
      tag: [{ type: 'CommunityPostTag', id: `${remote.origin}/c/cats/tag/news`, preferredUsername: 'news' }],
    }),
    () => ({ type: 'Group', featured_url: `${remote.origin}/c/cats//featured`, following_url: null }),
  ],
  ['interop 8.11 a person of PeerTube', '/accounts/vic', () => ({}), () => ({ type: 'Person' })],
  ['interop 8.11 a channel', '/video-channels/vic_channel', () => ({ type: 'Group' }), () => ({ type: 'Group' })],
  ['interop 9.7 an id that is a query', '/?author=1', () => ({}), () => ({ uri: `${remote.origin}/?author=1` })],
  [
    'interop 9.8 a shared inbox deep below',
    '/author/wp',
    () => ({ endpoints: { sharedInbox: `${remote.origin}/wp-json/activitypub/1.0/inbox` } }),
    () => ({ shared_inbox_url: `${remote.origin}/wp-json/activitypub/1.0/inbox` }),
  ],
  [
    'interop 9.16 a bridge: pages and pictures in lists, an identifier in the id, a name like a domain',
    '/ap/did:plc:abc123',
    () => ({
      url: [`${remote.origin}/r/https://sky.example/profile/sam`, 'https://sky.example/profile/sam'],
      icon: [{ type: 'Image', url: `${remote.origin}/i.jpg`, name: 'Sam' }],
    }),
    () => ({ username: 'sam.sky.example', avatar_url: `${remote.origin}/i.jpg` }),
    'sam.sky.example',
  ],
  ['interop 9.19 an id that looks like a page', '/@hong', () => ({}), () => ({ uri: `${remote.origin}/@hong` })],
  ['interop 9.5 a key below a slash', '/user/bea', () => ({}), () => ({ type: 'Person' })],
]

describe('actors', () => {
  test.each(accepted)('%s', async (_name, path, extra, expected, username) => {
    const actor = await actorAt(path, extra(), username)
    expect(await byUri(actor.id)).toMatchObject({ outcome: 'ok', actor: { uri: actor.id, ...expected() } })
  })

  test('I20 interop 9.20 keys may be in a list, and in the newer form', async () => {
    const actor = await actorAt('/users/keys')
    Object.assign(actor.document, {
      publicKey: [{ id: actor.keyId, owner: actor.id, publicKeyPem: actor.publicKey }],
      assertionMethod: [
        {
          id: `${actor.id}#ed25519`,
          type: 'Multikey',
          controller: actor.id,
          publicKeyMultibase: 'z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2',
        },
      ],
    })
    const { actor: found } = await byUri(actor.id)
    expect(found?.keys.map((it) => it.id)).toEqual([actor.keyId, `${actor.id}#ed25519`])
  })

  test.each(['#main-key', '', '#key-1'])(
    'a key without an id verifies requests whose keyId is the id of the actor with "%s"',
    async (fragment) => {
      const actor = await remote.addActor(`nameless${++counter}`)
      const publicKey = { owner: actor.id, publicKeyPem: actor.publicKey }
      remote.publish(new URL(actor.id).pathname, { ...actor.document, publicKey })
      const as = { ...actor, keyId: `${actor.id}${fragment}` }
      expect((await byUri(actor.id)).actor?.keys.map((it) => it.id)).toEqual([`${actor.id}#main-key`])
      expect(await harness.outcome(remote, makeActivity(actor, 'Follow', bob.uri), { as })).toBe('done')
      const second = await remote.addActor(`second${counter}`)
      const forged = makeActivity(actor, 'Follow', bob.uri)
      expect((await harness.deliver(remote, forged, { as: { ...second, keyId: as.keyId } })).status).toBe(401)
    },
  )

  test('the only key of an actor verifies requests whose keyId is the id of the actor', async () => {
    const actor = await remote.addActor('single')
    const as = { ...actor, keyId: actor.id }
    for (const signer of [as, actor, as])
      expect(await harness.outcome(remote, makeActivity(actor, 'Follow', bob.uri), { as: signer })).toMatch(/^done/)
    const second = await remote.addActor('single2')
    const forged = makeActivity(actor, 'Follow', bob.uri)
    expect((await harness.deliver(remote, forged, { as: { ...second, keyId: actor.id } })).status).toBe(401)
    const own = { id: `${second.id}#2`, owner: second.id, publicKeyPem: actor.publicKey }
    remote.publish(new URL(second.id).pathname, { ...second.document, publicKey: [second.document.publicKey, own] })
    const ambiguous = makeActivity(second, 'Follow', bob.uri)
    expect((await harness.deliver(remote, ambiguous, { as: { ...second, keyId: second.id } })).status).toBe(401)
  })

  test('a key that an actor lists twice is stored once', async () => {
    const actor = await remote.addActor('twice')
    const key = { id: actor.keyId, owner: actor.id, publicKeyPem: actor.publicKey }
    remote.publish(new URL(actor.id).pathname, { ...actor.document, publicKey: [key, key], assertionMethod: key })
    expect((await byUri(actor.id)).actor?.keys.map((it) => it.id)).toEqual([actor.keyId])
    expect(await harness.outcome(remote, makeActivity(actor, 'Follow', bob.uri), { as: actor })).toBe('done')
  })

  test.each(['zDnaerx9CtbPJ1q36T5Ln5wYt3MQYeGRG5ehnPAmxcf5mDZpv', 'zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme'])(
    'an actor whose only key is of an unsupported type in assertionMethod is accepted without keys: %s',
    async (publicKeyMultibase) => {
      const shown = async (name: 'assertionMethod' | 'publicKey') => {
        const actor = await remote.addActor(`curve${++counter}`)
        const { publicKey: _, ...document } = actor.document
        const key = { id: `${actor.id}#curve`, type: 'Multikey', controller: actor.id, publicKeyMultibase }
        remote.publish(new URL(actor.id).pathname, { ...document, [name]: key })
        return byUri(actor.id)
      }
      expect(await shown('assertionMethod')).toMatchObject({ outcome: 'ok', actor: { keys: [] } })
      expect((await shown('publicKey')).outcome).toBe('refused')
    },
  )

  test.each([
    ['only key', 'later', false],
    ['further key', 'ok', true],
  ])('an actor whose %s cannot be fetched now has the outcome %s', async (_name, outcome, further) => {
    const actorNaming = async () => {
      const actor = await remote.addActor(`naming${++counter}`)
      const path = `/keys/${counter}`
      const named = `${remote.origin}${path}`
      const publicKey = further ? [actor.document.publicKey, named] : named
      remote.publish(new URL(actor.id).pathname, { ...actor.document, publicKey })
      remote.publish(path, { id: named, owner: actor.id, publicKeyPem: actor.publicKey })
      return { actor, path, named }
    }
    const fetched = await actorNaming()
    expect((await byUri(fetched.actor.id)).actor?.keys.map((it) => it.id)).toContain(fetched.named)
    const gone = await actorNaming()
    remote.behave({ kind: 'gone' }, { path: gone.path })
    expect((await byUri(gone.actor.id)).outcome).toBe(further ? 'ok' : 'refused')
    const late = await actorNaming()
    remote.behave({ kind: 'status', status: 503 }, { path: late.path })
    const read = await byUri(late.actor.id)
    expect(read.outcome).toBe(outcome)
    expect(read.actor?.unread_keys).toEqual(further ? [late.named] : undefined)
    if (!further) return
    // An activity that is signed with the key in the actor document is accepted.
    const activity = makeActivity(late.actor, 'Follow', bob.uri)
    expect(await harness.outcome(remote, activity, { as: late.actor })).toBe('done')
  })

  test('an actor document is not fetched again for a key that it contains', async () => {
    const actor = await remote.addActor('reference')
    const path = new URL(actor.id).pathname
    remote.publish(path, { ...actor.document, assertionMethod: [actor.keyId] })
    remote.requests.clear()
    expect((await byUri(actor.id)).actor?.keys.map((it) => it.id)).toEqual([actor.keyId])
    expect(remote.requests.all.filter((it) => it.path === path)).toHaveLength(1)
  })

  test('interop 9.2 an actor whose movedTo is a page is accepted', async () => {
    const actor = await actorAt('/users/moved', { movedTo: 'https://new.example/@pia' })
    expect(await byUri(actor.id)).toMatchObject({ outcome: 'ok', actor: { uri: actor.id } })
  })

  test.each([401, 403, 404, 500])(
    'I18 interop 4.11 6.8 the counts of lists that return %i are unknown, not zero',
    async (status) => {
      const actor = await remote.addActor(`hidden${status}`)
      remote.behave(
        { kind: 'status', status },
        { path: new RegExp(`^/users/hidden${status}/(followers|following|outbox)`) },
      )
      expect(await byUri(actor.id)).toMatchObject({
        outcome: 'ok',
        actor: { followers_count: null, following_count: null, statuses_count: null },
      })
    },
  )

  test('interop 6.8 a list with a count only is hidden', async () => {
    const actor = await remote.addActor('shy')
    for (const tail of ['followers', 'following'])
      remote.publish(`/users/shy/${tail}`, {
        '@context': 'https://www.w3.org/ns/activitystreams',
        id: `${actor.id}/${tail}`,
        type: 'OrderedCollection',
        totalItems: 7,
      })
    expect(await byUri(actor.id)).toMatchObject({ actor: { followers_count: 7, hide_collections: true } })
  })

  test('interop 5.1 unknown contexts are not fetched', async () => {
    const actor = await actorAt('/users/lain', {
      '@context': [
        'https://www.w3.org/ns/activitystreams',
        `${remote.origin}/schemas/litepub-0.1.jsonld`,
        { '@language': 'und' },
      ],
    })
    expect((await byUri(actor.id)).outcome).toBe('ok')
    expect(remote.requests.all.filter((it) => it.path.startsWith('/schemas'))).toEqual([])
  })

  test('I22 documents with a charset or as ld+json are accepted, with other content types they are refused', async () => {
    const types: [string, string][] = [
      ['application/activity+json; charset=utf-8', 'ok'],
      ['application/ld+json; profile="https://www.w3.org/ns/activitystreams"', 'ok'],
      ['application/ld+json', 'refused'],
      ['application/json', 'refused'],
    ]
    for (const [type, outcome] of types) {
      const actor = await remote.addActor(`typed${++counter}`)
      const body = JSON.stringify(actor.document)
      remote.behave(
        { kind: 'status', status: 200, headers: { 'content-type': type }, body },
        { path: `/users/${actor.name}` },
      )
      expect([type, (await byUri(actor.id)).outcome]).toEqual([type, outcome])
    }
  })

  test('hostile 114 an actor whose server stops responding stays stored, and is not fetched repeatedly', async () => {
    const actor = await remote.addActor('once')
    expect(await harness.outcome(remote, makeActivity(actor, 'Follow', bob.uri), { as: actor })).toBe('done')
    remote.behave({ kind: 'status', status: 404 }, { method: 'GET' })
    remote.requests.clear()
    for (let i = 0; i < 5; i++)
      expect(await harness.outcome(remote, makeActivity(actor, 'Follow', bob.uri), { as: actor })).toMatch(/^done/)
    expect(await harness.account(actor.id)).toMatchObject({ username: 'once', suspended: false })
    expect(remote.requests.all.filter((it) => it.method === 'GET').length).toBeLessThanOrEqual(1)
  })

  test('hostile 92 texts with fifty combining marks per character are stored, within limits', async () => {
    const name = `Z${'\u0301'.repeat(50)}`.repeat(200)
    const actor = await actorAt('/users/zalgo', { name, summary: `<p>${name}</p>` })
    const { outcome, actor: found } = await byUri(actor.id)
    expect(outcome).toBe('ok')
    expect(found?.display_name.length).toBeGreaterThan(100)
    expect(found?.display_name.length).toBeLessThanOrEqual(2_048)
  })
})

describe('handles', () => {
  const finger = (server: RemoteServer, document: Document, more: object = {}) =>
    server.behave(
      {
        kind: 'status',
        status: 200,
        headers: { 'content-type': 'application/jrd+json' },
        body: JSON.stringify(document),
        ...more,
      },
      { path: '/.well-known/webfinger' },
    )
  const self = (href: string, type = 'application/activity+json') => ({ rel: 'self', type, href })

  test('interop 7.17 of a person and a group with one handle, the person is found', async () => {
    const person = await actorAt('/u/twin')
    const group = await actorAt('/c/twin', { type: 'Group', preferredUsername: 'twin' })
    Object.assign(person.document, { preferredUsername: 'twin' })
    for (const links of [
      [self(group.id), self(person.id)],
      [self(person.id), self(group.id)],
    ]) {
      finger(remote, { subject: `acct:twin@${hostOf(remote)}`, links })
      expect(await byHandle(`TWIN@${hostOf(remote)}`)).toMatchObject({ outcome: 'ok', actor: { uri: person.id } })
    }
  })

  test('hostile 90 handles that name each other end after one query', async () => {
    finger(remote, { subject: `acct:b@${hostOf(other)}`, links: [self(`${remote.origin}/users/b`)] })
    finger(other, { subject: `acct:a@${hostOf(remote)}`, links: [self(`${remote.origin}/users/a`)] })
    expect((await byHandle(`a@${hostOf(remote)}`)).outcome).toBe('refused')
    expect([remote.requests.all.length, other.requests.all.length]).toEqual([1, 1])
  })

  test.each([
    ['a megabyte and more', { subject: 'x'.repeat(2_000_000) }],
    ['no object', []],
    ['links that are none', { subject: 'acct:x@y.example', links: { rel: 'self' } }],
  ])('hostile 113 a WebFinger response with %s is refused', async (_what, document) => {
    finger(remote, document as Document)
    expect((await byHandle(`big${++counter}@${hostOf(remote)}`)).outcome).toBe('refused')
  })

  test('A173 hostile 113 entities in host-meta are not expanded', async () => {
    const entities = `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(1_000)}">${'bcdefgh'
      .split('')
      .map((name, i) => `<!ENTITY ${name} "${`&${'abcdefg'[i]};`.repeat(100)}">`)
      .join('')}]>`
    remote.behave({ kind: 'status', status: 404 }, { path: '/.well-known/webfinger' })
    remote.behave(
      {
        kind: 'status',
        status: 200,
        headers: { 'content-type': 'application/xrd+xml' },
        body: `<?xml version="1.0"?>${entities}<XRD><Link rel="lrdd" template="${remote.origin}/&h;?r={uri}"/></XRD>`,
      },
      { path: '/.well-known/host-meta' },
    )
    expect((await byHandle(`laughs@${hostOf(remote)}`)).outcome).toMatch(/^(refused|not-found)$/)
    expect(remote.requests.all.every((it) => it.path.length < 3_000)).toBe(true)
  })
})

test('interop 3.9 3.10 6.1 6.15 9.17 documents are fetched with a signature and the right Accept header; NodeInfo is not fetched', async () => {
  const actor = await remote.addActor('asked')
  await byUri(actor.id)
  await byHandle(`asked@${hostOf(remote)}`)
  const documents = remote.requests.all.filter((it) => !it.path.startsWith('/.well-known/'))
  expect(documents.length).toBeGreaterThan(3)
  for (const request of documents) {
    expect([request.path, keyIdOf(request)]).toEqual([request.path, `${harness.origin}/actor#main-key`])
    expect(request.headers.accept).toContain('application/activity+json')
    expect(request.headers.accept).toContain('application/ld+json; profile="https://www.w3.org/ns/activitystreams"')
  }
  expect(remote.requests.all.filter((it) => it.path.includes('nodeinfo'))).toEqual([])
})

test('interop 5.12 after 429 the actor is fetched later', async () => {
  const actor = await remote.addActor('patient')
  const stop = remote.behave({ kind: 'retry-after', after: 1 }, { path: '/users/patient' })
  expect((await byUri(actor.id)).outcome).toBe('later')
  const asked = remote.requests.all.length
  expect((await byUri(actor.id)).outcome).toBe('later')
  expect(remote.requests.all.length).toBe(asked)
  stop()
})
