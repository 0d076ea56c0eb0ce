/** Actors, collections, WebFinger, host-meta and NodeInfo are written, and parsed back. */

import { describe, expect, test } from 'vitest'
import { actor, ada, vera, web } from '../../test/outgoing.js'
import { readActor } from './read-actor.js'
import { readCollection } from './read-collection.js'
import { readWebFinger, webFingerFromHostMeta } from './read-webfinger.js'
import { hostOf } from './uri.js'
import { actorAddresses, writeActor, writeInstanceActor } from './write-actor.js'
import { writeCollection, writeHiddenCollection, writePage, writeWholeCollection } from './write-collection.js'
import { writeNodeInfo, writeNodeInfoLinks } from './write-nodeinfo.js'
import { writeHostMeta, writeHostMetaJson, writeInstanceWebFinger, writeWebFinger } from './write-webfinger.js'

describe('the actor', () => {
  const document = writeActor(actor)
  test('O6 O7 O9: all addresses are on one host, the key id has a fragment, and the PEM ends with a line end', () => {
    const addresses = [
      document.id,
      document.inbox,
      document.outbox,
      document.followers,
      document.following,
      document.publicKey.id,
    ]
    expect(new Set([...addresses, document.endpoints.sharedInbox].map(hostOf))).toEqual(
      new Set(['social.local.example']),
    )
    expect(document.publicKey.id).toBe(`${ada}#main-key`)
    expect(document.publicKey.publicKeyPem.endsWith('-----\n')).toBe(true)
  })
  test('is parsed back', () => {
    expect(readActor(JSON.parse(JSON.stringify(document)), { fetched: true })).toMatchObject({
      ok: true,
      actor: {
        uri: ada,
        username: 'ada',
        handle: { username: 'ada', domain: 'local.example' },
        url: actor.url,
        name: 'Ada :wave:',
        bio: '<p>bio</p>',
        locked: true,
        published: '2026-05-01T00:00:00.000Z',
        avatar: { url: `${web}/a.png`, description: 'portrait' },
        fields: actor.fields,
        aliases: actor.aliases,
        attributionDomains: ['ada.example'],
        keys: [{ form: 'pem' }, { form: 'multibase' }],
        emojis: [{ shortcode: 'wave' }],
      },
    })
  })
  test('a suspended actor has no content of its owner', () => {
    const suspended = writeActor({ ...actor, suspended: true })
    expect(suspended).toMatchObject({
      name: 'ada',
      summary: '',
      tag: [],
      attachment: [],
      suspended: true,
      discoverable: false,
    })
    expect('icon' in suspended || 'image' in suspended).toBe(false)
    expect(JSON.stringify(suspended)).not.toMatch(/bio|portrait/)
  })
  test('a moved actor names the new account', () => {
    expect(writeActor({ ...actor, movedTo: vera })).toMatchObject({ movedTo: vera })
    expect(document).not.toHaveProperty('movedTo')
  })
  test('O27: the instance actor has the properties that other servers need to verify it', () => {
    const instance = writeInstanceActor({
      uri: `${web}/actor`,
      handleDomain: 'local.example',
      url: `${web}/about`,
      sharedInbox: `${web}/inbox`,
      publicKeyPem: actor.publicKeyPem,
    })
    expect(readActor(JSON.parse(JSON.stringify(instance)), { fetched: true })).toMatchObject({
      ok: true,
      actor: { kind: 'Application', username: 'local.example', inbox: `${web}/actor/inbox`, locked: true },
    })
  })
})

test('collections are parsed back', () => {
  const uri = actorAddresses(ada).followers
  const read = (value: unknown) => readCollection(JSON.parse(JSON.stringify(value)), { origin: web })
  expect(read(writeCollection({ uri, totalItems: 3, first: `${uri}?page=1` }))).toMatchObject({
    totalItems: 3,
    hidden: false,
  })
  expect(read(writeHiddenCollection({ uri, totalItems: 3 }))).toMatchObject({
    totalItems: 3,
    hidden: true,
    isPage: false,
  })
  expect(read(writePage({ uri: `${uri}?page=1`, partOf: uri, items: [vera], next: `${uri}?page=2` }))).toMatchObject({
    isPage: true,
    items: [{ id: vera }],
    next: `${uri}?page=2`,
  })
  expect(read(writeWholeCollection({ uri, items: [{ type: 'Hashtag' }], ordered: false }))).toMatchObject({
    items: [{ id: null }],
    totalItems: 1,
  })
})

describe('discovery', () => {
  const source = {
    username: 'ada',
    handleDomain: 'local.example',
    webOrigin: web,
    uri: ada,
    url: actor.url,
    avatar: null,
  }
  test('O25 O26: WebFinger names handle and actor', () => {
    const document = writeWebFinger(source)
    expect(document.subject).toBe('acct:ada@local.example')
    expect(readWebFinger(document)).toEqual({ subject: { username: 'ada', domain: 'local.example' }, actors: [ada] })
    expect(document.links.filter((it) => it.rel === 'self')).toEqual([
      { rel: 'self', type: 'application/activity+json', href: ada },
    ])
    expect(writeWebFinger({ ...source, avatar: actor.avatar }).links).toContainEqual({
      rel: 'http://webfinger.net/rel/avatar',
      type: 'image/png',
      href: `${web}/a.png`,
    })
  })
  test('the handle of the instance actor is its domain', () => {
    const document = writeInstanceWebFinger({ handleDomain: 'local.example', uri: `${web}/actor`, url: `${web}/about` })
    expect(readWebFinger(document)).toMatchObject({ subject: { username: 'local.example' }, actors: [`${web}/actor`] })
  })
  test('host-meta contains the WebFinger template, as XML and as JSON', () => {
    const asked = `${web}/.well-known/webfinger?resource=acct%3Aada%40local.example`
    expect(webFingerFromHostMeta(writeHostMeta(web), 'acct:ada@local.example')).toBe(asked)
    expect(writeHostMetaJson(web)).toEqual({
      links: [{ rel: 'lrdd', template: `${web}/.well-known/webfinger?resource={uri}` }],
    })
  })
})

describe('NodeInfo 2.0', () => {
  const source = {
    softwareName: 'murmuration',
    softwareVersion: '4.6.0',
    openRegistrations: true,
    usage: { users: { total: 10, activeMonth: 4, activeHalfyear: 8 }, localPosts: 100 },
    metadata: { nodeName: 'Ours', upstream: { name: 'mastodon' } },
  }
  const document = writeNodeInfo(source)
  test('S-029 S-030 S-044: exactly these members, version 2.0, free metadata', () => {
    expect(Object.keys(document)).toEqual([
      'version',
      'software',
      'protocols',
      'services',
      'openRegistrations',
      'usage',
      'metadata',
    ])
    expect(document.version).toBe('2.0')
    expect(document.metadata).toEqual(source.metadata)
  })
  test('S-031 S-032 S-033 S-034 S-035 S-036: software, protocols, services, registrations', () => {
    expect(document.software).toEqual({ name: 'murmuration', version: '4.6.0' })
    expect(() => writeNodeInfo({ ...source, softwareName: 'Our Software' })).toThrow('lower-case')
    expect(document.protocols).toEqual(['activitypub'])
    expect(document.services).toEqual({ inbound: [], outbound: [] })
    expect(document.openRegistrations).toBe(true)
  })
  test('S-037 S-038 S-042 S-043: usage in whole numbers', () => {
    expect(document.usage).toEqual({ users: { total: 10, activeMonth: 4, activeHalfyear: 8 }, localPosts: 100 })
    const odd = writeNodeInfo({
      ...source,
      usage: { users: { total: 1.9, activeMonth: -1, activeHalfyear: 0 }, localPosts: 100, localComments: 7 },
    })
    expect(odd.usage).toEqual({
      users: { total: 1, activeMonth: 0, activeHalfyear: 0 },
      localPosts: 100,
      localComments: 7,
    })
  })
  test('S-037: without counts, usage has an empty users object', () => {
    expect(writeNodeInfo({ ...source, usage: null }).usage).toEqual({ users: {} })
  })
  test('S-045: the links name the document and the instance actor', () => {
    expect(writeNodeInfoLinks({ webOrigin: web, instanceActor: `${web}/actor` }).links).toEqual([
      { rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0', href: `${web}/nodeinfo/2.0` },
      { rel: 'https://www.w3.org/ns/activitystreams#Application', href: `${web}/actor` },
    ])
  })
})

test('hashtags in the biography are listed among the tags, each once', () => {
  const link = (name: string) => `<a href="${web}/tags/${name}" rel="tag">#${name}</a>`
  const { tag } = writeActor({
    ...actor,
    emojis: [],
    bio: `<p>${link('caf%C3%A9')} ${link('cats')} ${link('%zz')}</p>`,
  })
  expect(tag.map((it) => it.name)).toEqual(['#caf\u00e9', '#cats'])
})

test('the longest hashtags in the biography are listed', () => {
  const names = ['\u3042'.repeat(230), '\u3042'.repeat(500), '\u{20000}'.repeat(250)]
  const links = names.map(
    (name) =>
      `<a href="${web}/tags/${encodeURIComponent(name)}" class="mention hashtag" rel="tag">#<span>${name}</span></a>`,
  )
  const { tag } = writeActor({ ...actor, emojis: [], featuredTags: [], bio: `<p>${links.join(' ')}</p>` })
  expect(tag.map((it) => it.name)).toEqual(names.map((name) => `#${name}`))
})

test('a featured hashtag replaces another spelling in the biography, and plain links are no hashtags', () => {
  const link = (name: string, rel: string) => `<a href="${web}/tags/${name}" rel="${rel}">#${name}</a>`
  const { tag } = writeActor({
    ...actor,
    emojis: [],
    bio: `<p>${link('cafe', 'tag')} ${link('url', 'nofollow noopener')} ${link('dogs', 'nofollow tag')}</p>`,
    featuredTags: [{ name: 'Caf\u00e9', url: `${web}/@ada/tagged/cafe` }],
  })
  expect(tag).toMatchObject([
    { name: '#Caf\u00e9', href: `${web}/@ada/tagged/cafe` },
    { name: '#dogs', href: `${web}/tags/dogs` },
  ])
})
