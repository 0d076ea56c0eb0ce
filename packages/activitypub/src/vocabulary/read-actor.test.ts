/** Parsing of remote actors and their keys. */

import { describe, expect, test } from 'vitest'
import { readActor, readHandle } from './read-actor.js'
import { listsKey, readKeyDocument } from './read-key.js'

const context = 'https://www.w3.org/ns/activitystreams'
const uri = 'https://remote.example/users/vera'
const publicKey = { id: `${uri}#main-key`, owner: uri, publicKeyPem: 'PEM' }
const vera = {
  '@context': context,
  id: uri,
  type: 'Person',
  preferredUsername: 'vera',
  inbox: `${uri}/inbox`,
  publicKey,
}

const actorOf = (fields: object) => {
  const read = readActor({ ...vera, ...fields }, { fetched: true })
  if (!read.ok) throw new Error(read.reason)
  return read.actor
}

test.each([
  ['a text', 'x', 'not-an-object'],
  ['no context', { ...vera, '@context': undefined }, 'no-context'],
  ['a list inside the context', { ...vera, '@context': [[context]] }, 'no-context'],
  ['a graph', { ...vera, '@graph': [] }, 'reshaped'],
  ['a Note', { ...vera, type: 'Note' }, 'unsupported-type'],
  ['no id', { ...vera, id: undefined }, 'bad-id'],
  ['id without host', { ...vera, id: 'https://' }, 'bad-id'],
  ['A030 no name', { ...vera, preferredUsername: undefined }, 'bad-username'],
  ['A030 a name with a domain', { ...vera, preferredUsername: 'alice@local.example' }, 'bad-username'],
  [
    'A030 the same beside a sound webfinger',
    { ...vera, preferredUsername: 'a@b.example', webfinger: 'vera@remote.example' },
    'bad-username',
  ],
  ['hostile 86 Cyrillic', { ...vera, preferredUsername: 'v\u0435ra' }, 'bad-username'],
  ['hostile 86 right-to-left', { ...vera, preferredUsername: 'v\u202eera' }, 'bad-username'],
  ['a name of 3,000', { ...vera, preferredUsername: 'v'.repeat(3000) }, 'bad-username'],
  ['A029 no inbox', { ...vera, inbox: undefined }, 'bad-inbox'],
  ['A029 a script as inbox', { ...vera, inbox: 'javascript:1' }, 'bad-inbox'],
  ['A029 an inbox of ours', { ...vera, inbox: 'https://local.example/users/alice/inbox' }, 'bad-inbox'],
  ['A029 hostile 108 an inbox elsewhere', { ...vera, inbox: 'https://victim.example/inbox' }, 'bad-inbox'],
  ['A029 an inbox on another port', { ...vera, inbox: 'https://remote.example:8443/inbox' }, 'bad-inbox'],
  ['A029 an inbox of 3,000', { ...vera, inbox: `${uri}/${'x'.repeat(3000)}` }, 'bad-inbox'],
  ['A030 no usable key', { ...vera, publicKey: 'x' }, 'no-key'],
  [
    'hostile 15 a key of another owner',
    { ...vera, publicKey: { ...publicKey, owner: 'https://remote.example/users/rita' } },
    'no-key',
  ],
  [
    'hostile 16 a key on another host',
    { ...vera, publicKey: { ...publicKey, id: 'https://evil.example/k' } },
    'no-key',
  ],
])('%s is refused', (_, value, reason) => {
  expect(readActor(value, { fetched: true })).toEqual({ ok: false, reason })
})

test('an actor without a key is accepted', () => {
  expect(readActor({ ...vera, publicKey: undefined })).toMatchObject({ ok: true, actor: { keys: [], keyUris: [] } })
})

test('an actor is accepted whose assertionMethod has only keys of unsupported types', () => {
  const key = { id: `${uri}#jwk`, type: 'JsonWebKey', controller: uri, publicKeyJwk: { kty: 'EC', crv: 'P-256' } }
  const other = { ...key, id: 'https://evil.example/key' }
  for (const assertionMethod of [key, [key, other], other, 'x'])
    expect(readActor({ ...vera, publicKey: undefined, assertionMethod })).toMatchObject({
      ok: true,
      actor: { keys: [], keyUris: [] },
    })
})

test('an address of a key is listed once, and not if the document contains the key', () => {
  const key = { id: `${uri}#main-key`, owner: uri, publicKeyPem: 'pem' }
  const publicKey = [key, `${uri}/key2`]
  expect(readActor({ ...vera, publicKey, assertionMethod: [key.id, `${uri}/key2`] })).toMatchObject({
    ok: true,
    actor: { keys: [{ id: key.id }], keyUris: [`${uri}/key2`] },
  })
})

test('an embedded copy needs no context', () => {
  expect(readActor({ ...vera, '@context': undefined })).toMatchObject({ ok: true })
})

test('an actor with only the required properties is accepted', () => {
  expect(actorOf({})).toMatchObject({
    uri,
    kind: 'Person',
    username: 'vera',
    handle: { username: 'vera', domain: 'remote.example' },
    url: uri,
    name: '',
    bio: '',
    inbox: `${uri}/inbox`,
    sharedInbox: null,
    followers: null,
    locked: false,
    suspended: false,
    keys: [{ id: `${uri}#main-key`, form: 'pem', inline: true }],
  })
})

test.each([
  ['vera@Handle.Example', { username: 'vera', domain: 'handle.example' }],
  ['acct:vera@handle.example', { username: 'vera', domain: 'handle.example' }],
  ['vera', { username: 'vera', domain: 'remote.example' }],
  ['a@b@c', { username: 'vera', domain: 'remote.example' }],
  [{}, { username: 'vera', domain: 'remote.example' }],
])('A035: webfinger %j is a claim', (webfinger, handle) => {
  expect(actorOf({ webfinger }).handle).toEqual(handle)
})

test.each(['sam.sky.example', 'a_b', 'a.-b', 'A1'])('the user name %s is accepted', (preferredUsername) => {
  expect(actorOf({ preferredUsername }).username).toBe(preferredUsername)
})

describe('addresses', () => {
  test('A029 A014: addresses on another origin than the actor are ignored', () => {
    const elsewhere = 'https://evil.example/x'
    const fields = {
      outbox: elsewhere,
      followers: elsewhere,
      following: 'ftp://remote.example/',
      featured: '',
      endpoints: { sharedInbox: elsewhere },
    }
    expect(actorOf(fields)).toMatchObject({
      outbox: null,
      followers: null,
      following: null,
      featured: null,
      sharedInbox: null,
    })
  })
  test('I17: the shared inbox is parsed in both places, and the nested one is preferred', () => {
    const [one, two] = ['https://remote.example/one', 'https://remote.example/two']
    expect(actorOf({ sharedInbox: one }).sharedInbox).toBe(one)
    expect(actorOf({ sharedInbox: one, endpoints: { sharedInbox: two } }).sharedInbox).toBe(two)
    expect(actorOf({ sharedInbox: one, endpoints: 'x' }).sharedInbox).toBe(one)
  })
  test('I1: an address may be an object or a list of one', () => {
    expect(actorOf({ inbox: [{ id: `${uri}/in` }], followers: { id: `${uri}/f`, totalItems: 3 } })).toMatchObject({
      inbox: `${uri}/in`,
      followers: `${uri}/f`,
    })
  })
  test.each([
    ['https://remote.example/@vera', 'https://remote.example/@vera'],
    ['https://masto.example/@alice', uri],
    [
      [
        { href: 'https://remote.example/a', mediaType: 'application/json' },
        { href: 'https://remote.example/b', mediaType: 'text/html' },
      ],
      'https://remote.example/b',
    ],
    [
      [
        { href: 'https://remote.example/u.rss', mediaType: 'application/rss+xml' },
        { href: 'https://remote.example/@u', mediaType: 'Text/HTML; charset=utf-8' },
      ],
      'https://remote.example/@u',
    ],
    [[{ href: 'https://remote.example/u.json', mediaType: 'application/activity+json' }], uri],
    [['https://sky.example/x', 'https://remote.example/r'], 'https://remote.example/r'],
    [null, uri],
  ])('A015 I19: url %j is shown as %s', (url, shown) => {
    expect(actorOf({ url }).url).toBe(shown)
  })
})

describe('profile', () => {
  test('hostile 39: texts are cut', () => {
    const actor = actorOf({ name: 'n'.repeat(900_000), summary: 's'.repeat(900_000) })
    expect([actor.name.length, actor.bio.length]).toEqual([2048, 20_480])
  })
  test('at most fifty fields of the type PropertyValue are kept', () => {
    const field = { type: 'PropertyValue', name: 'Web', value: 'v'.repeat(3000) }
    const attachment = [{ type: 'IdentityProof' }, 5, { ...field, name: 7 }, ...new Array(100).fill(field)]
    const { fields } = actorOf({ attachment })
    expect([fields.length, fields[0]?.name, fields[1]?.value.length]).toEqual([50, '7', 2047])
    expect(actorOf({ attachment: { ...field, value: 'v' } }).fields).toEqual([{ name: 'Web', value: 'v' }])
  })
  test.each([
    [
      { type: 'Image', url: 'https://x.example/a.png', summary: 's', name: 'n' },
      { url: 'https://x.example/a.png', description: 's' },
    ],
    [[{ url: [{ href: 'https://x.example/b.png' }], name: 'n' }], { url: 'https://x.example/b.png', description: 'n' }],
    ['https://x.example/c.png', { url: 'https://x.example/c.png', description: null }],
    [{ '@id': 'https://x.example/d.png' }, { url: 'https://x.example/d.png', description: null }],
    [[{ '@value': 'https://x.example/e.png' }], { url: 'https://x.example/e.png', description: null }],
    [{ url: 'data:text/html,<script>' }, null],
    [null, null],
    [5, null],
  ])('I10: icon %j', (icon, avatar) => {
    expect(actorOf({ icon }).avatar).toEqual(avatar)
  })
  test('A021: attribution domains must be domain names', () => {
    expect(actorOf({ attributionDomains: [{}, ['news.example'], 'news.example\u0000'] }).attributionDomains).toEqual([])
    expect(actorOf({ attributionDomains: 'News.example' }).attributionDomains).toEqual(['news.example'])
  })
  test('hostile 44: long lists are cut', () => {
    const alsoKnownAs = Array.from({ length: 100_000 }, (_, at) => `https://h${at}.example/u`)
    const attributionDomains = Array.from({ length: 100_000 }, (_, at) => `h${at}.example`)
    const actor = actorOf({ alsoKnownAs, attributionDomains })
    expect([actor.aliases.length, actor.attributionDomains.length]).toEqual([256, 256])
  })
  test('tabs of a profile are shown unless the document states no', () => {
    expect(actorOf({})).toMatchObject({ showFeatured: true, showMedia: true, showRepliesInMedia: true })
    expect(actorOf({ showFeatured: false, showMedia: 'no', showRepliesInMedia: null })).toMatchObject({
      showFeatured: false,
      showMedia: false,
      showRepliesInMedia: true,
    })
  })
  test('flags that consent must be booleans; a stated restriction counts in each form', () => {
    const flags = {
      manuallyApprovesFollowers: 'true',
      discoverable: 1,
      indexable: true,
      memorial: null,
      suspended: true,
    }
    expect(actorOf(flags)).toMatchObject({
      locked: true,
      discoverable: false,
      indexable: true,
      memorial: false,
      suspended: true,
    })
  })
})

describe('keys', () => {
  const multikey = { id: `${uri}#ed`, type: 'Multikey', controller: uri, publicKeyMultibase: 'z6Mk' }
  test('I20: keys may be in lists, assertion methods, or at other addresses', () => {
    const actor = actorOf({
      publicKey: [publicKey, `${uri}/key2`, 'https://evil.example/k'],
      assertionMethod: multikey,
    })
    expect(actor.keys.map((it) => [it.form, it.inline])).toEqual([
      ['pem', true],
      ['multibase', true],
    ])
    expect(actor.keyUris).toEqual([`${uri}/key2`])
    expect(actorOf({ publicKey: undefined, assertionMethod: [multikey] }).keys).toHaveLength(1)
  })
  test('a key at an address of its own is not inline', () => {
    expect(actorOf({ publicKey: { ...publicKey, id: `${uri}/main-key` } }).keys[0]?.inline).toBe(false)
  })
  test('at most ten keys are kept', () => {
    expect(actorOf({ publicKey: new Array(1000).fill(publicKey) }).keys).toHaveLength(10)
  })
  test('A013: a key document must contain exactly the requested key', () => {
    const keyId = `${uri}#main-key`
    expect(readKeyDocument(vera, keyId)).toMatchObject({ id: keyId, owner: uri })
    expect(readKeyDocument(publicKey, keyId)).toMatchObject({ id: keyId, owner: uri })
    expect(readKeyDocument({ ...multikey }, multikey.id)).toMatchObject({ form: 'multibase', owner: uri })
    expect(readKeyDocument(publicKey, `${keyId}2`)).toBeNull()
    expect(readKeyDocument({ ...publicKey, owner: 'https://evil.example/eve' }, keyId)).toBeNull()
    expect(readKeyDocument('x', keyId)).toBeNull()
  })
  test('the owner lists the key by id', () => {
    expect(listsKey(vera, publicKey.id)).toBe(true)
    expect(listsKey({ ...vera, publicKey: publicKey.id }, publicKey.id)).toBe(true)
    expect(listsKey(vera, `${uri}#other`)).toBe(false)
    expect(listsKey(null, publicKey.id)).toBe(false)
  })
})

test.each(['', '@', 'a@', '@b.example', 'a b@c.example', 'a@b c', 'a@b/c', `${'a'.repeat(3000)}@b.example`, 5])(
  '%j is no handle',
  (text) => {
    expect(readHandle(text)).toBeNull()
  },
)

describe('flags in odd forms show less', () => {
  test.each(['true', 'True', 1, '1', 'on', 'y', [true], { '@value': 'true' }])('%j is yes, and no consent', (yes) => {
    const given = { manuallyApprovesFollowers: yes, memorial: yes, suspended: yes }
    expect(actorOf(given)).toMatchObject({ locked: true, memorial: true, suspended: true })
    if (typeof yes === 'object') return
    expect(actorOf({ discoverable: yes, indexable: yes })).toMatchObject({ discoverable: false, indexable: false })
  })
  test.each(['false', 'FALSE', 0, '0', 'no', 'off', [false], { '@value': 'false' }])('%j is no', (no) => {
    const given = { manuallyApprovesFollowers: no, showFeatured: no, showMedia: no, showRepliesInMedia: no }
    const hidden = { locked: false, showFeatured: false, showMedia: false, showRepliesInMedia: false }
    expect(actorOf(given)).toMatchObject(hidden)
  })
})
