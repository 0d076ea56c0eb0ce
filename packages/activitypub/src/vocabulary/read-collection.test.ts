/** Parsing of collections, their pages, WebFinger documents and host-meta. */

import { describe, expect, test } from 'vitest'
import { readCollection } from './read-collection.js'
import { readWebFinger, webFingerFromHostMeta } from './read-webfinger.js'

const origin = 'https://remote.example'
const uri = `${origin}/users/vera/followers`
const read = (fields: object, max?: number) =>
  readCollection({ id: uri, type: 'OrderedCollection', ...fields }, { origin, max })

test.each([
  ['a list', []],
  ['a Note', { id: uri, type: 'Note' }],
  ['one of another server', { id: 'https://evil.example/c', type: 'Collection' }],
])('%s is no collection', (_, value) => {
  expect(readCollection(value, { origin })).toBeNull()
})

test('items may be addresses, objects, a single value, or missing', () => {
  const [a, b] = [`${origin}/a`, `${origin}/b`]
  expect(read({ orderedItems: [a, { id: b, type: 'Note' }, null, 5, [a]] })?.items.map((it) => it.id)).toEqual([a, b])
  expect(read({ items: a })?.items).toEqual([{ id: a, node: null }])
  expect(read({})?.items).toEqual([])
})

test('hostile 104: the number of items is limited', () => {
  const items = new Array(50_000).fill(`${origin}/a`)
  expect(read({ items })?.items).toHaveLength(1000)
  expect(read({ items }, 5)?.items).toHaveLength(5)
})

test('the first page may be an address or embedded', () => {
  expect(read({ first: `${uri}?page=1` })).toMatchObject({ first: { id: `${uri}?page=1`, node: null }, hidden: false })
  const first = { type: 'OrderedCollectionPage', items: [] }
  expect(read({ first })?.first).toEqual({ id: null, node: first })
  expect(read({ first: 'https://evil.example/page' })?.first).toBeNull()
})

test('hostile 103: next must be another page on the same server', () => {
  expect(read({ type: 'CollectionPage', next: `${uri}?page=2` })?.next).toBe(`${uri}?page=2`)
  expect(read({ type: 'CollectionPage', next: uri })?.next).toBeNull()
  expect(read({ type: 'CollectionPage', next: 'https://evil.example/2' })?.next).toBeNull()
  expect(read({ type: 'CollectionPage', next: null })?.next).toBeNull()
})

test('I18: a collection with only a count is hidden', () => {
  expect(read({ totalItems: 7 })).toMatchObject({ totalItems: 7, hidden: true })
  expect(read({ totalItems: -1, items: [] })).toMatchObject({ totalItems: null, hidden: false })
})

test.each<[string, object, boolean]>([
  ['all items', { totalItems: 1, items: [`${origin}/a`] }, false],
  ['no items', { totalItems: 0 }, false],
  ['items that are only counted', { totalItems: 7 }, true],
  ['a first page on another server', { first: 'https://evil.example/1' }, true],
  ['a first page with a relative address', { first: '?page=1' }, true],
  ['a next page on another server', { type: 'CollectionPage', items: [], next: 'https://evil.example/2' }, true],
  ['a next page with a relative address', { type: 'CollectionPage', items: [], next: '/2' }, true],
  ['itself as the next page', { type: 'CollectionPage', items: [], next: uri }, false],
  ['empty addresses', { type: 'CollectionPage', items: [], first: '', next: null }, false],
])('a collection with %s is incomplete or not', (_, fields, incomplete) => {
  expect(read(fields)?.incomplete).toBe(incomplete)
})

describe('WebFinger', () => {
  const self = { rel: 'self', type: 'application/activity+json', href: `${origin}/users/vera` }
  const document = { subject: 'acct:vera@remote.example', links: [self] }
  test('subject and actors', () => {
    const group = {
      ...self,
      type: 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
      href: `${origin}/c/vera`,
    }
    expect(readWebFinger({ ...document, links: [null, self, group] })).toEqual({
      subject: { username: 'vera', domain: 'remote.example' },
      actors: [self.href, group.href],
    })
  })
  test.each([
    ['no subject', { ...document, subject: undefined }],
    ['a subject that is no handle', { ...document, subject: 'https://remote.example/' }],
    ['no link', { ...document, links: [] }],
    ['a link of another type', { ...document, links: [{ ...self, type: 'application/json' }] }],
    ['a link that is no address', { ...document, links: [{ ...self, href: 'javascript:1' }] }],
    ['a text', 'x'],
  ])('%s', (_, value) => {
    expect(readWebFinger(value)).toBeNull()
  })
  test('host-meta: only the first lrdd template is used', () => {
    const xml = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]><XRD><Link rel="other" template="https://no.example/{uri}"/>
      <Link rel='lrdd' type="application/xrd+xml" template='https://remote.example/wf?a=1&amp;resource={uri}'/></XRD>`
    expect(webFingerFromHostMeta(xml, 'acct:vera@remote.example')).toBe(
      'https://remote.example/wf?a=1&resource=acct%3Avera%40remote.example',
    )
    expect(webFingerFromHostMeta('<Link rel="lrdd" template="file:///{uri}"/>', 'x')).toBeNull()
    expect(webFingerFromHostMeta('<Link '.repeat(100_000), 'x')).toBeNull()
  })
})
