/** Forms of activities that are accepted, and forms that are refused. */

import { expect, test } from 'vitest'
import { readActivity } from './read-activity.js'

const context = 'https://www.w3.org/ns/activitystreams'
const eve = 'https://evil.example/users/eve'
const like = {
  '@context': context,
  id: `${eve}#likes/1`,
  type: 'Like',
  actor: eve,
  object: 'https://local.example/s/1',
}
const note = { id: `${eve}/1`, type: 'Note', attributedTo: eve, content: 'x' }
const create = { ...like, id: `${eve}/1/activity`, type: 'Create', object: note }

const reasonOf = (document: unknown) => {
  const read = readActivity(document)
  return read.ok ? null : read.reason
}

test.each([
  ['id is a list', { ...like, id: [like.id] }, 'bad-id'],
  ['id is an object', { ...like, id: { id: like.id } }, 'bad-id'],
  ['id is a number', { ...like, id: 7 }, 'bad-id'],
  ['id is a data address', { ...like, id: 'data:,x' }, 'bad-id'],
  ['id is relative', { ...like, id: '/likes/1' }, 'bad-id'],
  ['actor is missing', { ...like, actor: undefined }, 'bad-actor'],
  ['actor is a list of two', { ...like, actor: [eve, 'https://remote.example/users/vera'] }, 'bad-actor'],
  ['actor is a number', { ...like, actor: 1 }, 'bad-actor'],
  ['type is a list', { ...like, type: ['Like', 'Follow'] }, 'bad-type'],
  ['type is a list of one that is no text', { ...like, type: [{ '@value': 'Like' }] }, 'bad-type'],
  ['type is an empty list', { ...like, type: [] }, 'bad-type'],
  ['type is missing', { ...like, type: undefined }, 'bad-type'],
  ['object is missing', { ...like, object: null }, 'bad-object'],
  ['object is a list of two', { ...like, object: [like.object, like.object] }, 'bad-object'],
  ['object of Create is nested in lists', { ...create, object: [[note]] }, 'bad-object'],
  ['object of Create is a number', { ...create, object: 4 }, 'bad-object'],
  ['object of Create is an empty list', { ...create, object: [] }, 'bad-object'],
  ['object of Delete has no id', { ...like, type: 'Delete', object: { type: 'Note' } }, 'bad-object'],
  ['target of Move is missing', { ...like, type: 'Move', object: eve }, 'bad-target'],
  ['target of Add is a list of two', { ...like, type: 'Add', target: [eve, eve] }, 'bad-target'],
  ['instrument is missing', { ...like, type: 'QuoteRequest' }, 'bad-instrument'],
  ['a collection of activities', { '@context': context, type: 'Collection', items: [like] }, 'unsupported-type'],
])('A014: %s', (_, document, reason) => {
  expect(reasonOf(document)).toBe(reason)
})

test.each([
  [[], 'not-an-object'],
  [null, 'not-an-object'],
  ['x', 'not-an-object'],
  [{ ...like, '@graph': [] }, 'reshaped'],
  [{ ...like, object: { '@reverse': {} } }, 'reshaped'],
])('%j is refused', (document, reason) => {
  expect(reasonOf(document)).toBe(reason)
})

test.each([undefined, 'https://evil.example/context', ['https://evil.example/context'], { as: context }, [[context]]])(
  'A005 hostile 47: with only the context %j it is dropped',
  (it) => {
    expect(reasonOf({ ...like, '@context': it })).toBe('no-context')
  },
)

test.each(['Dislike', 'Question', 'Offer', 'Join', 'View', 'toString', '__proto__', 'constructor'])(
  '%s is not understood',
  (type) => {
    expect(reasonOf({ ...like, type })).toBe('unsupported-type')
  },
)

test('A005: unknown contexts beside the standard one are ignored', () => {
  const odd = { ...like, '@context': ['https://evil.example/ctx', context, { actor: 'as:object', '@language': 'EN' }] }
  expect(readActivity(odd)).toMatchObject({ ok: true, activity: { actor: eve, language: 'en' } })
})

test('I1 I8: the actor may be embedded, or a list of one', () => {
  expect(readActivity({ ...like, actor: { id: eve, type: 'Person', inbox: 'x' } })).toMatchObject({
    activity: { actor: eve },
  })
  expect(readActivity({ ...like, actor: [eve] })).toMatchObject({ activity: { actor: eve } })
})

test('I5: an activity may have no id', () => {
  expect(readActivity({ ...like, id: undefined })).toMatchObject({ activity: { id: null } })
  expect(readActivity({ ...like, id: null })).toMatchObject({ activity: { id: null } })
})

test('I6 I7: the object may be an address, a copy or a list', () => {
  const undo = { ...like, type: 'Undo', object: { ...like, '@context': undefined } }
  expect(readActivity(undo)).toMatchObject({
    activity: { object: { id: like.id }, inner: { type: 'Like', actor: eve } },
  })
  expect(readActivity({ ...undo, object: like.id })).toMatchObject({
    activity: { object: { id: like.id, node: null }, inner: null },
  })
  const flag = { ...like, type: 'Flag', object: [like.object, eve, 5, like.object], content: 'y'.repeat(6000) }
  expect(readActivity(flag)).toMatchObject({ activity: { objects: [like.object, eve], comment: 'y'.repeat(5000) } })
  for (const content of [undefined, null, ''])
    expect(readActivity({ ...flag, content, summary: 'spam' })).toMatchObject({ activity: { comment: 'spam' } })
  expect(readActivity({ ...flag, content: 'a', summary: 'b' })).toMatchObject({ activity: { comment: 'a' } })
})

test('I2: all forms of the public collection become one', () => {
  const read = readActivity({ ...like, to: ['as:Public', 'Public', [eve], null, 3], cc: { id: eve } })
  expect(read).toMatchObject({
    activity: { addressing: { to: ['https://www.w3.org/ns/activitystreams#Public'], cc: [eve] } },
  })
})

test('a `bear:` address is parsed with its token', () => {
  const bear = { ...create, object: 'bear:?t=abc&u=https%3A%2F%2Fevil.example%2Fs' }
  expect(readActivity(bear)).toMatchObject({
    activity: { objects: [{ id: 'https://evil.example/s', node: null }], bearer: 'abc' },
  })
  expect(reasonOf({ ...create, object: 'bear:?t=a%0Ab&u=https%3A%2F%2Fevil.example%2Fs' })).toBe('bad-object')
  expect(reasonOf({ ...create, object: 'bear:?t=abc&u=file%3A%2F%2F' })).toBe('bad-object')
})

test('reactions: an emoji, a custom emoji with an image, and one without', () => {
  const tag = [{ type: 'Emoji', name: ':cat:', icon: { url: 'https://evil.example/c.png' } }]
  expect(readActivity({ ...like, type: 'EmojiReact', content: '🔥' })).toMatchObject({
    activity: { type: 'Like', reaction: { content: '🔥', emoji: null } },
  })
  expect(readActivity({ ...like, content: ':cat:', tag })).toMatchObject({
    activity: { reaction: { emoji: { shortcode: 'cat' } } },
  })
  expect(readActivity({ ...like, content: ':dog:', tag })).toMatchObject({
    activity: { reaction: { content: ':dog:', emoji: null } },
  })
  expect(readActivity(like)).toMatchObject({ activity: { reaction: null } })
})

test('hostile 41: the number of addresses is limited', () => {
  const to = Array.from({ length: 50_000 }, (_, at) => `https://h${at}.example/u`)
  const read = readActivity({ ...like, to })
  expect(read.ok && read.activity.addressing.to.length).toBe(1000)
})

test.each(['', 'tag:remote.example,2026:1', 'urn:uuid:1', '_:b0'])(
  'an id that is no address (%j) counts as absent',
  (id) => {
    expect(readActivity({ ...like, id })).toMatchObject({ ok: true, activity: { id: null } })
  },
)

test('an id on the host of the object counts as absent, except for types that need their id', () => {
  const id = 'https://other.example/follows/1#accept'
  const object = 'https://other.example/follows/1'
  for (const type of ['Accept', 'Reject', 'Follow', 'Like', 'Announce', 'Undo', 'Block'])
    expect(readActivity({ ...like, type, id, object })).toMatchObject({ ok: true, activity: { id: null } })
  for (const type of ['Create', 'Update', 'Delete'])
    expect(readActivity({ ...like, type, id, object })).toMatchObject({ ok: true, activity: { id } })
})

test.each([
  ['Flag', 'https://other.example/s/1#flag', ['https://third.example/1', 'https://other.example/s/1']],
  ['Like', 'https://other.example/s/1#like', { type: 'Note', url: 'https://other.example/@a/1' }],
  ['Undo', 'https://ours.example/users/a#undo', `${eve}/follows/1`],
  ['Undo', 'https://ours.example/users/a#undo', { id: `${eve}/follows/1`, type: 'Follow' }],
  ['Like', eve.replace('https:', 'http:'), 'https://other.example/s/1'],
])('the id of a %s at %s counts as absent', (type, id, object) => {
  const ours = new Set(['ours.example'])
  expect(readActivity({ ...like, type, id, object }, ours)).toMatchObject({ ok: true, activity: { id: null } })
})

test('an id on a third host is kept, and refused later', () => {
  const id = 'https://third.example/1'
  for (const type of ['Like', 'Undo', 'Flag'])
    expect(readActivity({ ...like, type, id }, new Set(['ours.example']))).toMatchObject({ activity: { id } })
})

test('the id of an Undo on the host of the inner object counts as absent', () => {
  const object = { id: `${eve}/follows/1`, type: 'Follow', actor: eve, object: 'https://other.example/users/bob' }
  for (const inner of [object, { ...object, id: undefined }, { ...object, id: 'tag:x' }])
    expect(
      readActivity({ ...like, type: 'Undo', id: 'https://other.example/users/bob#undo', object: inner }),
    ).toMatchObject({ activity: { id: null } })
})
