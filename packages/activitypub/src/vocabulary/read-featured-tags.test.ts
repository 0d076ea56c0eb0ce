/** Parsing of collections of featured hashtags. */
import { expect, test } from 'vitest'
import { parseDocument } from './parse-document.js'
import { hashtagOf, hashtagsIn } from './read-featured-tags.js'

const parsed = (document: unknown) => {
  const read = parseDocument(Buffer.from(JSON.stringify(document)))
  if (!read.ok) throw new Error('no document')
  return read.document
}
const tag = (name: string) => ({ type: 'Hashtag', href: `https://far.example/tags/${name}`, name: `#${name}` })
const context = { '@context': 'https://www.w3.org/ns/activitystreams', id: 'https://far.example/tags' }

test.each([
  ['inline', { ...context, type: 'Collection', items: [tag('Cats'), tag('dogs')] }],
  ['ordered', { ...context, type: 'OrderedCollection', orderedItems: [tag('Cats'), tag('dogs')] }],
  [
    'in its first page',
    { ...context, type: 'Collection', first: { type: 'CollectionPage', items: [tag('Cats'), tag('dogs')] } },
  ],
  [
    'with other items',
    {
      ...context,
      type: 'Collection',
      items: ['https://x.example', { type: 'Note' }, tag('Cats'), tag('1'), tag('dogs')],
    },
  ],
])('S-188 a collection %s', (_how, document) => {
  expect(hashtagsIn(parsed(document), 10)).toEqual(['Cats', 'dogs'])
})

test.each<[string, (page: object) => unknown]>([
  ['a list of one page', (page) => [page]],
  ['a JSON-LD list', (page) => ({ '@list': [page] })],
  ['a map with numbers as keys', (page) => ({ 0: page })],
])('S-188 the first page of a collection may be %s', (_how, as) => {
  const page = { type: 'CollectionPage', items: [tag('Cats')] }
  expect(hashtagsIn(parsed({ ...context, type: 'Collection', first: as(page) }), 10)).toEqual(['Cats'])
})

test.each([
  ['a reference', { '@id': 'https://far.example/tags?page=1' }],
  ['a Link', { type: 'Link', href: 'https://far.example/tags?page=1' }],
  ['a page without items', { id: 'https://far.example/tags?page=1', type: 'CollectionPage' }],
])('S-188 a collection with hashtags of its own may have %s as its first page', (_how, first) => {
  expect(hashtagsIn(parsed({ ...context, type: 'Collection', items: [tag('Cats')], first }), 10)).toEqual(['Cats'])
})

test('S-188 at most ten hashtags without duplicates; an empty collection has none, and other objects are refused', () => {
  const many = Array.from({ length: 30 }, (_, i) => tag(`t${i}`))
  expect(hashtagsIn(parsed({ ...context, type: 'Collection', items: [...many, ...many] }), 10)).toHaveLength(10)
  expect(hashtagsIn(parsed({ ...context, type: 'Collection', items: tag('one') }), 10)).toEqual(['one'])
  expect(hashtagsIn(parsed({ ...context, type: 'Collection' }), 10)).toEqual([])
  expect(hashtagsIn(parsed({ ...context, type: 'Person' }), 10)).toBeNull()
})

test('a single hashtag is parsed', () => {
  expect(hashtagOf(parsed({ ...context, ...tag('Cats') }))).toBe('Cats')
  expect(hashtagOf(parsed({ ...context, type: 'Note', name: '#Cats' }))).toBeNull()
  expect(hashtagOf(null)).toBeNull()
})
