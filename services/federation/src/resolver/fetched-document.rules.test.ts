/** Checks of fetched documents, keys, quote authorizations and Moves. */

import type { ActivityOf } from '@murmuration/activitypub/vocabulary/activity'
import type { Uri } from '@murmuration/activitypub/vocabulary/uri'
import { describe, expect, test } from 'vitest'
import type { TrustedUri } from '../core/activity/authority.rules.js'
import { moveCooldown, moveFault } from '../inbox/move.rules.js'
import { checkFetched, embeddedPart, isDocumentType, keyFault, sourceFault } from './fetched-document.rules.js'
import { authorizationFault } from './quote-authorization.rules.js'

const uri = (text: string) => text as Uri
const proved = (text: string) => text as TrustedUri
const ownHosts = new Set(['local.example', 'files.local.example'])
const contentType = 'application/activity+json; charset=utf-8'
const here = 'https://remote.example/users/vera'

describe('an embedded part', () => {
  const id = uri('https://remote.example/feed/1#item1')
  const note = { id, type: 'Note', content: 'x' }
  const page = { type: 'CollectionPage', items: [{ type: 'Create', object: note }] }
  test.each<[string, object]>([
    ['the items', { items: [note] }],
    ['the first page', { first: page }],
    ['a list of the first page', { first: [page] }],
    ['a JSON-LD list of the first page', { first: { '@list': [page] } }],
    ['a map with numbers as keys of the first page', { first: { 0: page } }],
    ['the replies', { replies: { type: 'Collection', items: [note] } }],
    ['the first page of the replies', { replies: { type: 'Collection', first: { ...page, items: [note] } } }],
  ])('is found in %s', (_, fields) => {
    const collection = { '@context': 'https://www.w3.org/ns/activitystreams', id: 'https://remote.example/feed/1' }
    const document = { ...collection, type: 'Collection', ...fields }
    expect(embeddedPart(document, id)).toEqual({ '@context': collection['@context'], ...note })
    expect(embeddedPart(document, uri('https://remote.example/feed/1#item2'))).toBeNull()
  })
})

describe('fetched documents', () => {
  const checked = (id: unknown, requested = here, final = requested, type = contentType) => {
    const result = checkFetched({ requested: uri(requested), final: uri(final), contentType: type, id }, ownHosts)
    return result.ok ? result.uri : `${result.reason}${result.instead ? ` ${result.instead}` : ''}`
  }
  test.each([
    ['the requested address', here, here, here, here],
    ['a requested address with a fragment', here, `${here}#main-key`, `${here}#main-key`, here],
    ['the address that answered', `${here}/2`, here, `${here}/2`, `${here}/2`],
    ['A001 hostile 50: another id on the host', `${here}/2`, here, here, `another-id ${here}/2`],
    [
      'A001: the id of another host',
      here,
      'https://evil.example/a',
      'https://evil.example/a',
      `another-origin ${here}`,
    ],
    [
      'A033: a redirect to another host, id of the first',
      here,
      here,
      'https://evil.example/a',
      `another-origin ${here}`,
    ],
    [
      'A033: a redirect to another host, id of the second',
      'https://evil.example/a',
      here,
      'https://evil.example/a',
      'another-origin https://evil.example/a',
    ],
    [
      'hostile 52: an id of ours',
      'https://local.example/users/alice',
      here,
      here,
      'claims-our-id https://local.example/users/alice',
    ],
    ['A034: an answer from us', here, here, 'https://files.local.example/upload.json', 'ours'],
    ['another scheme', here, here, here.replace('https', 'http'), `another-origin ${here}`],
    ['no id', undefined, here, here, 'no-id'],
    ['an id that is a list', [here], here, here, 'no-id'],
  ])('%s', (_, id, requested, final, outcome) => {
    expect(checked(id, requested, final)).toBe(outcome)
  })
  test.each([
    ['application/activity+json', true],
    ['Application/Activity+JSON; charset=utf-8', true],
    ['application/ld+json; profile="https://www.w3.org/ns/activitystreams"', true],
    ['application/ld+json; charset=utf-8; profile="https://www.w3.org/ns/activitystreams https://x.example"', true],
    ['application/ld+json', false],
    ['application/ld+json; profile="https://x.example"', false],
    ['application/json', false],
    ['text/html', false],
    ['image/png', false],
    ['', false],
  ])('A125 hostile 51: %j', (type, sound) => {
    expect(isDocumentType(type)).toBe(sound)
    expect(checked(here, here, here, type) === 'not-a-document').toBe(!sound)
  })
  test('a key document needs no id, but the right origin and content type', () => {
    const response = { requested: uri(`${here}/main-key`), final: uri(`${here}/main-key`), contentType }
    expect(sourceFault(response, ownHosts)).toBeNull()
    expect(sourceFault({ ...response, final: uri('https://evil.example/k') }, ownHosts)).toBe('another-origin')
    expect(sourceFault({ ...response, contentType: 'text/plain' }, ownHosts)).toBe('not-a-document')
  })
})

describe('keys', () => {
  const key = { id: uri(`${here}#main-key`), owner: uri(here) }
  test.each([
    ['listed by its owner', key, { uri: proved(here), lists: true }, null],
    ['hostile 15: not listed by its owner', key, { uri: proved(here), lists: false }, 'not-listed'],
    [
      'hostile 15: another document lists it',
      key,
      { uri: proved('https://evil.example/eve'), lists: true },
      'not-listed',
    ],
    [
      'hostile 16: on another host than its owner',
      { ...key, id: uri('https://evil.example/k') },
      { uri: proved(here), lists: true },
      'another-origin',
    ],
  ])('%s', (_, it, document, fault) => {
    expect(keyFault(it, document)).toBe(fault)
  })
})

describe('quote stamps', () => {
  const tom = uri('https://third.example/users/tom')
  const authorization = {
    uri: uri('https://third.example/stamps/1'),
    attributedTo: tom,
    interactingObject: uri('https://masto.example/27'),
    interactionTarget: uri('https://third.example/posts/5'),
  }
  const quote = {
    uri: proved(authorization.uri),
    status: authorization.interactingObject,
    quoted: authorization.interactionTarget,
    quotedAuthor: tom,
  }
  test.each([
    ['genuine', authorization, quote, null],
    [
      'A019 hostile 67: on another host',
      { ...authorization, uri: uri('https://evil.example/1') },
      { ...quote, uri: proved('https://evil.example/1') },
      'another-origin',
    ],
    [
      'another id than its address',
      { ...authorization, uri: uri('https://third.example/stamps/2') },
      quote,
      'another-authorization',
    ],
    [
      'hostile 67: by another author',
      { ...authorization, attributedTo: uri('https://third.example/users/ann') },
      quote,
      'another-author',
    ],
    [
      'A020 hostile 67: copied from another quote',
      { ...authorization, interactingObject: uri('https://masto.example/28') },
      quote,
      'another-quote',
    ],
    [
      'hostile 67: for another status',
      { ...authorization, interactionTarget: uri('https://third.example/posts/6') },
      quote,
      'another-status',
    ],
  ])('%s', (_, it, about, fault) => {
    expect(authorizationFault(it, about)).toBe(fault)
  })
})

describe('Move', () => {
  const target = { uri: uri('https://new.example/users/vera'), aliases: [uri(here)], movedTo: null, suspended: false }
  const move = { type: 'Move', actor: here, object: here, target: target.uri } as unknown as ActivityOf<'Move'>
  const known = { now: moveCooldown * 10, lastMove: null, target }
  test.each([
    ['with an alias', {}, {}, null],
    ['long after the last', {}, { lastMove: moveCooldown * 9 - 1 }, null],
    ['hostile 60: of another account', { object: uri('https://remote.example/users/rita') }, {}, 'not-yours'],
    ['hostile 60: two in a week', {}, { lastMove: moveCooldown * 10 - 1000 }, 'moved-recently'],
    ['hostile 60 61: without an alias', {}, { target: { ...target, aliases: [] } }, 'no-alias'],
    ['hostile 60: a chain', {}, { target: { ...target, movedTo: uri('https://x.example/y') } }, 'target-moved'],
    ['hostile 60: to itself', { target: uri(here) }, { target: { ...target, uri: uri(here) } }, 'no-target'],
    ['to nowhere', {}, { target: null }, 'no-target'],
    ['to another document', {}, { target: { ...target, uri: uri('https://new.example/users/other') } }, 'no-target'],
    ['to a suspended account', {}, { target: { ...target, suspended: true } }, 'target-suspended'],
  ])('%s', (_, fields, change, fault) => {
    expect(moveFault({ ...move, ...fields }, { ...known, ...change })).toBe(fault)
  })
})
