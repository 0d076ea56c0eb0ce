// Forms of documents that servers send, whether or not the specification permits them.
import { describe, expect, test } from 'vitest'
import { httpDateToMs } from '../signatures/window.js'
import { readActivity } from './read-activity.js'
import { preferredUsernameOf, readActor } from './read-actor.js'
import { readImage } from './read-attachment.js'
import { readCollection } from './read-collection.js'
import { listsKey, readKeyDocument } from './read-key.js'
import { readNote, voteOf } from './read-note.js'
import { readTags } from './read-tag.js'
import { readWebFinger } from './read-webfinger.js'
import { timeOf } from './time.js'

const id = 'https://remote.example/notes/1'
const noteOf = (extra: object) => {
  const read = readNote({ id, type: 'Note', attributedTo: 'https://remote.example/users/vera', ...extra })
  if (!read.ok) throw new Error(read.reason)
  return read.note
}

describe('media', () => {
  const url = 'https://remote.example/m/1'
  test.each([
    [{ type: 'Image', url }, 'image/jpeg'],
    [{ type: 'Video', url }, 'video/mp4'],
    [{ type: 'Audio', url }, 'audio/mpeg'],
    [{ type: 'Document', url: `${url}.png` }, 'image/jpeg'],
    [{ type: 'Document', url: `${url}.webm?x=1` }, 'video/mp4'],
    [{ type: 'Document', url }, null],
    [{ type: 'Document', url, mediaType: 'binary/octet-stream' }, null],
    [{ type: 'Document', url: `${url}.mp4`, mediaType: 'application/octet-stream' }, 'video/mp4'],
    [{ type: 'Image', url, mediaType: 'application/octet-stream' }, 'image/jpeg'],
    [{ type: 'Image', url: { type: 'Link', href: url, mediaType: 'binary/octet-stream' } }, 'image/jpeg'],
    [{ type: 'Image', url, mediaType: 'image/png' }, 'image/png'],
    [{ type: 'Image', url: `${url}.gif` }, 'image/gif'],
    [{ type: 'Document', url: `${url}.GIF?size=1` }, 'image/gif'],
    [{ type: 'Image', url: { type: 'Link', href: url, mediaType: 'image/gif' } }, 'image/gif'],
  ])('%j has the media type %j', (attachment, type) => {
    expect(noteOf({ attachment }).attachments[0]?.mediaType).toBe(type)
  })

  test.each(['https://remote.example/a b.png', ' https://remote.example/a b.png'])(
    'the address %j is normalised',
    (it) => {
      const normal = 'https://remote.example/a%20b.png'
      expect(noteOf({ attachment: { type: 'Image', url: it } }).attachments[0]?.url).toBe(normal)
      const [emoji] = readTags({ type: 'Emoji', name: ':a:', icon: { type: 'Image', url: it } }).emojis
      expect(emoji?.url).toBe(normal)
    },
  )
})

test.each(['blob.cat', 'k\u00e4se', '\u732b', 'a+b'])('a custom emoji may be named %j', (name) => {
  const icon = { url: [{ type: 'Link', href: 'https://remote.example/e.png' }] }
  expect(readTags({ type: 'Emoji', name: `:${name}:`, icon }).emojis[0]).toMatchObject({
    shortcode: name,
    url: 'https://remote.example/e.png',
  })
})

test.each([
  ['a string', 'x'],
  ['a list', ['x']],
  ['a value object', { '@value': 'x', '@language': 'en' }],
  ['a list of value objects', [{ '@value': 'x' }]],
])('content as %s', (_, content) => {
  expect(noteOf({ content }).html).toBe('x')
})

describe('a list that is a map with numbers as keys', () => {
  const [vera, other] = ['https://remote.example/users/vera', 'https://remote.example/notes/2']
  test('is one in a status', () => {
    const note = noteOf({
      to: { 1: 'as:Public' },
      cc: { 0: `${vera}/followers`, 2: other },
      inReplyTo: { 1: other },
      attachment: { 0: { type: 'Image', url: `${id}.png` }, 2: { type: 'Image', url: `${id}.jpg` } },
      tag: { 1: { type: 'Hashtag', name: '#a' }, 3: { type: 'Hashtag', name: '#b' } },
    })
    expect(note).toMatchObject({
      addressing: { to: ['https://www.w3.org/ns/activitystreams#Public'], cc: [`${vera}/followers`, other] },
      inReplyTo: other,
      attachments: [{ url: `${id}.png` }, { url: `${id}.jpg` }],
      hashtags: ['a', 'b'],
    })
    expect(noteOf({ type: 'Question', oneOf: { 1: { name: 'A' }, 3: { name: 'B' } } }).poll?.options).toHaveLength(2)
  })
  test('is one in an actor and a collection', () => {
    const actor = { id: vera, type: 'Person', inbox: `${vera}/inbox`, preferredUsername: 'vera' }
    const lists = {
      attachment: { 1: { type: 'PropertyValue', name: 'Web', value: 'w' } },
      alsoKnownAs: { 2: other },
      icon: { 0: { type: 'Image', url: `${id}.png` } },
    }
    expect(readActor({ ...actor, ...lists })).toMatchObject({
      actor: { fields: [{ name: 'Web', value: 'w' }], aliases: [other], avatar: { url: `${id}.png` } },
    })
    const pins = { id: other, type: 'OrderedCollection', orderedItems: { 1: id, 2: other } }
    expect(readCollection(pins, { origin: other })?.items.map((it) => it.id)).toEqual([id, other])
    const link = { rel: 'self', type: 'application/activity+json', href: vera }
    expect(readWebFinger({ subject: 'acct:vera@remote.example', links: { 1: link } })?.actors).toEqual([vera])
  })
  test('names one object, or several', () => {
    const like = { '@context': 'https://www.w3.org/ns/activitystreams', id, type: 'Like', actor: vera }
    expect(readActivity({ ...like, object: { 1: other } })).toMatchObject({ activity: { object: other } })
    expect(readActivity({ ...like, object: { 1: other, 2: id } })).toEqual({ ok: false, reason: 'bad-object' })
  })
})

test.each([
  ['2026-01-02T03:04:05.Z', '2026-01-02T03:04:05.000Z'],
  ['2026-01-02T03:04:05Z[Etc/UTC]', '2026-01-02T03:04:05.000Z'],
  ['2026-01-02T03:04:05+01:00[Europe/Berlin]', '2026-01-02T02:04:05.000Z'],
  ['2026-01-02T03:04:05Z[', null],
])('the time %j is %j', (text, time) => {
  expect(timeOf(text)).toBe(time)
})

test.each<[string, object]>([
  ['an empty content beside', { content: '', _misskey_reaction: '\u{1f525}' }],
  ['HTML', { content: '<p>\u{1f525}</p>' }],
  ['an entity', { content: '&#x1F525;' }],
])('a reaction with %s has its emoji', (_, fields) => {
  const like = { '@context': 'https://www.w3.org/ns/activitystreams', id, type: 'Like', actor: id, object: id }
  expect(readActivity({ ...like, ...fields })).toMatchObject({ activity: { reaction: { content: '\u{1f525}' } } })
})

describe('the key of an actor', () => {
  const uri = 'https://remote.example/users/vera'
  const actorWith = (publicKey: unknown) =>
    readActor({ id: uri, type: 'Person', inbox: `${uri}/inbox`, preferredUsername: 'vera', publicKey })
  const key = { id: `${uri}#main-key`, publicKeyPem: 'PEM' }
  test.each([[key], [{ ...key, owner: null }], [{ ...key, controller: uri }], [{ ...key, owner: uri }]])(
    '%j is owned by the actor whose document contains it',
    (publicKey) => {
      expect(actorWith(publicKey)).toMatchObject({ actor: { keys: [{ id: key.id, owner: uri }] } })
      expect(readKeyDocument({ id: uri, type: 'Person', publicKey }, key.id)).toMatchObject({ owner: uri })
    },
  )
  const { id: _, ...nameless } = key
  test.each([[nameless], [{ ...nameless, id: '' }], [{ ...nameless, id: '#main-key' }], [[nameless, { ...nameless }]]])(
    '%j without an address as id is found under each id of its actor',
    (publicKey) => {
      expect(actorWith(publicKey)).toMatchObject({ actor: { keys: [{ id: key.id, owner: uri, inline: true }] } })
      const actor = { id: uri, type: 'Person', publicKey }
      for (const keyId of [key.id, uri, `${uri}#other`]) {
        expect(readKeyDocument(actor, keyId)).toMatchObject({ id: keyId, owner: uri })
        expect(listsKey(actor, keyId)).toBe(true)
      }
      for (const keyId of [`${uri}/main-key`, `${uri}2#main-key`]) {
        expect(readKeyDocument(actor, keyId)).toBeNull()
        expect(listsKey(actor, keyId)).toBe(false)
      }
    },
  )
  test('is found under the id of its actor if it is the only one', () => {
    const actor = { id: uri, type: 'Person', publicKey: key }
    expect(readKeyDocument(actor, uri)).toMatchObject({ id: uri, owner: uri, text: 'PEM' })
    expect(listsKey(actor, uri)).toBe(true)
    for (const keyId of [`${uri}#other`, `${uri}/`, 'https://remote.example/users/other']) {
      expect(readKeyDocument(actor, keyId)).toBeNull()
      expect(listsKey(actor, keyId)).toBe(false)
    }
    for (const publicKey of [
      [key, { ...key, id: `${uri}#second` }],
      { ...key, id: 'https://evil.example/key' },
      `${uri}#main-key`,
    ]) {
      expect(readKeyDocument({ ...actor, publicKey }, uri)).toBeNull()
      expect(listsKey({ ...actor, publicKey }, uri)).toBe(false)
    }
  })
  test('without an id is refused with another owner, alone, and as an assertion method', () => {
    const other = { ...nameless, owner: 'https://remote.example/users/other' }
    expect(actorWith(other)).toMatchObject({ ok: false, reason: 'no-key' })
    expect(readKeyDocument({ id: uri, type: 'Person', publicKey: other }, key.id)).toMatchObject({ owner: other.owner })
    expect(readKeyDocument({ ...nameless, owner: uri }, key.id)).toBeNull()
    const actor = { id: uri, type: 'Person', assertionMethod: { ...nameless, controller: uri } }
    expect(readKeyDocument(actor, key.id)).toBeNull()
    expect(listsKey(actor, key.id)).toBe(false)
  })
  test('is not one that names another owner, and a key document must name its owner', () => {
    expect(actorWith({ ...key, owner: 'https://remote.example/users/other' })).toMatchObject({ ok: false })
    expect(actorWith({ ...key, owner: 'other' })).toMatchObject({ ok: false })
    expect(readKeyDocument(key, key.id)).toBeNull()
  })
  test.each<[unknown]>([
    [`${uri}/key`],
    [{ '@id': `${uri}/key` }],
    [{ id: `${uri}/key` }],
    [{ type: 'Link', href: `${uri}/key` }],
    [[{ '@id': `${uri}/key` }]],
  ])('%j is the address of one, which is fetched', (publicKey) => {
    expect(actorWith(publicKey)).toMatchObject({ ok: true, actor: { keys: [], keyUris: [`${uri}/key`] } })
    const actor = { id: uri, type: 'Person', publicKey }
    expect(listsKey(actor, `${uri}/key`)).toBe(true)
    for (const keyId of [uri, `${uri}#main-key`]) {
      expect(readKeyDocument(actor, keyId)).toBeNull()
      expect(listsKey(actor, keyId)).toBe(false)
    }
    const read = actorWith([publicKey, nameless].flat())
    expect(read).toMatchObject({ actor: { keys: [{ id: key.id }], keyUris: [`${uri}/key`] } })
  })
  test.each([[{ '@id': key.id }], [{ id: key.id }], [{ id: 'https://evil.example/key' }]])(
    '%j is no address of one',
    (publicKey) => {
      expect(actorWith(publicKey)).toMatchObject({ ok: false, reason: 'no-key' })
      expect(actorWith([key, publicKey])).toMatchObject({ actor: { keys: [{ id: key.id }], keyUris: [] } })
    },
  )
  test.each([[''], [{}], [[]], [null], [{ ...key, owner: uri, publicKeyPem: '' }], [{ ...key, publicKeyPem: null }]])(
    '%j is none, so the actor is accepted without one',
    (publicKey) => {
      expect(actorWith(publicKey)).toMatchObject({ ok: true, actor: { keys: [], keyUris: [] } })
    },
  )
})

test.each([
  'application/activity+json; charset=utf-8',
  'application/ld+json;profile="https://www.w3.org/ns/activitystreams"',
  'application/ld+json; profile=https://www.w3.org/ns/activitystreams',
])('a WebFinger link may have the type %s', (type) => {
  const links = [{ rel: 'self', type, href: id }]
  expect(readWebFinger({ subject: 'acct:@vera@remote.example', links })).toEqual({
    subject: { username: 'vera', domain: 'remote.example' },
    actors: [id],
  })
  for (const other of ['application/activity+jsonx', 'application/ld+json', 'text/html'])
    expect(readWebFinger({ subject: 'acct:vera@remote.example', links: [{ ...links[0], type: other }] })).toBeNull()
})

test('the icon of an emoji may be a Link or a list, and its address may have a space', () => {
  const link = { type: 'Link', href: 'https://remote.example/a b.png' }
  for (const icon of [link, [link], [{ type: 'Image', url: 'data:,x' }, link]])
    expect(readTags({ type: 'Emoji', name: ':a:', icon }).emojis[0]?.url).toBe('https://remote.example/a%20b.png')
})

test('the avatar is the first entry of a list that has an address', () => {
  const url = 'https://remote.example/a b.png'
  expect(
    readImage([
      { type: 'Image', url: 'data:,x' },
      { type: 'Image', url },
    ])?.url,
  ).toBe(url.replace(' ', '%20'))
})

test('the link of a preview is normalised', () => {
  expect(noteOf({ attachment: { type: 'Link', href: 'https://remote.example/a b' } }).link).toBe(
    'https://remote.example/a%20b',
  )
})

describe.each<[string, (href: string) => unknown]>([
  ['a Link', (href) => ({ type: 'Link', href })],
  ['a list of Links', (href) => [{ type: 'Link', href }]],
  ['a Link with its address in a list', (href) => ({ type: 'Link', href: [href] })],
  ['an object whose url is a Link', (href) => ({ type: 'Note', url: [{ type: 'Link', href }] })],
])('%s', (_, as) => {
  const other = 'https://remote.example/notes/2'
  test('may name the quoted status and the parent', () => {
    expect(noteOf({ quote: as(other) }).quote).toEqual({ uri: other, authorization: null, legacy: false })
    expect(noteOf({ quoteUrl: as(other) }).quote?.uri).toBe(other)
    expect(noteOf({ inReplyTo: as(other) }).inReplyTo).toBe(other)
  })
})

describe('a JSON-LD reference', () => {
  const other = 'https://remote.example/notes/2'
  const vera = 'https://remote.example/users/vera'
  const reference = (it: string) => ({ '@id': it })

  test('names the author, the parent, the quoted status and the addresses of a status', () => {
    const read = readNote({
      id,
      type: 'Note',
      attributedTo: reference(vera),
      inReplyTo: [reference(other)],
      quote: reference(other),
      to: reference('as:Public'),
      cc: [reference(`${vera}/followers`)],
      url: { type: 'Link', href: reference(`${id}/page`) },
    })
    expect(read).toMatchObject({
      ok: true,
      note: {
        attributedTo: [vera],
        inReplyTo: other,
        quote: { uri: other },
        addressing: {
          to: ['https://www.w3.org/ns/activitystreams#Public'],
          cc: [`${vera}/followers`],
        },
      },
    })
  })

  test('names the actor and the object of an activity', () => {
    const activity = { id: `${vera}#likes/1`, type: 'Like', actor: reference(vera), object: reference(other) }
    expect(readActivity(activity)).toEqual(readActivity({ ...activity, actor: vera, object: other }))
  })

  test('with other members is an object without an id', () => {
    expect(noteOf({ inReplyTo: { '@id': other, type: 'Note' } }).inReplyTo).toBeNull()
    expect(noteOf({ inReplyTo: reference('javascript:alert(1)') }).inReplyTo).toBeNull()
    expect(noteOf({ inReplyTo: { '@id': [other] } }).inReplyTo).toBeNull()
  })
})

test.each(['oneOf', 'anyOf'])('options of a poll in %s are bare strings or value objects', (name) => {
  const options = ['Cats', { '@value': 'Dogs', '@language': 'en' }, { type: 'Note', name: '<Birds>' }, true, '']
  expect(noteOf({ type: 'Question', [name]: options }).poll).toMatchObject({
    multiple: name === 'anyOf',
    options: [
      { title: 'Cats', markup: false, votes: 0 },
      { title: 'Dogs', markup: false, votes: 0 },
      { title: '<Birds>', markup: false, votes: 0 },
    ],
  })
})

test.each([
  ['a map', { preferredUsernameMap: { en: 'vera' } }],
  ['a language map in the property', { preferredUsername: { en: 'vera' } }],
  ['a value object', { preferredUsername: { '@value': 'vera', '@language': 'en' } }],
  ['a list', { preferredUsername: [null, 'vera'] }],
])('the username of an actor may be %s', (_, fields) => {
  const uri = 'https://remote.example/users/vera'
  const actor = { id: uri, type: 'Person', inbox: `${uri}/inbox`, ...fields }
  expect(readActor(actor)).toMatchObject({ ok: true, actor: { username: 'vera' } })
  expect(preferredUsernameOf(actor)).toBe('vera')
})

test('a moved account may name the new one by a Link', () => {
  const uri = 'https://remote.example/users/vera'
  const [inbox, href] = [`${uri}/inbox`, 'https://new.example/@vera']
  const actor = { id: uri, type: 'Person', inbox, preferredUsername: 'vera', movedTo: { type: 'Link', href } }
  expect(readActor(actor)).toMatchObject({ ok: true, actor: { movedTo: href } })
})

test.each(['#うちの子\ufe0f', '#\u2600\ufe0fうちの子', '#うちの子\u2764\ufe0f'])(
  'the hashtag %j has no parts of emoji',
  (name) => {
    expect(readTags({ type: 'Hashtag', name }).hashtags).toEqual(['うちの子'])
  },
)

test.each(['@bob', 'bob', '@other@else.example', undefined])('an acct: address decides over the name %j', (name) => {
  const tag = { type: 'Mention', href: 'acct:bob@local.example', name }
  expect(readTags(tag).mentions).toEqual([{ href: null, name: 'bob@local.example' }])
})

test('the address of a mention may be a list', () => {
  const href = 'https://other.example/u'
  expect(noteOf({ tag: { type: 'Mention', href: [href], name: '@u' } }).mentions).toEqual([{ href, name: '@u' }])
})

test('the Tombstone of a quoted status may be in a list', () => {
  expect(noteOf({ quote: [{ type: 'Tombstone', id: 'https://remote.example/notes/2' }] }).quote?.uri).toBeNull()
})

test.each(['_misskey_quote', 'quoteUrl', 'quoteUri'])('%s as a list, and inReplyTo as a Link', (name) => {
  const other = 'https://remote.example/notes/2'
  expect(noteOf({ [name]: [other] }).quote?.uri).toBe(other)
  expect(noteOf({ inReplyTo: { type: 'Link', href: other } }).inReplyTo).toBe(other)
})

test.each([
  'Sun, 01 Nov 2026 08:00:00 GMT',
  'Sun, 01 Nov 2026 08:00:00 +0000',
  'Sunday, 01-Nov-26 08:00:00 GMT',
  'Sunday, 01-Nov-26 08:00:00 UTC',
  'Sunday, 01-Nov-26 08:00:00 +0000',
  'Sunday, 01-Nov-26 09:00:00 +0100',
  'Sun Nov  1 08:00:00 2026',
  'Sun, 01 Nov 2026 09:00:00 +0100',
  'Sun, 1 Nov 2026 07:00:00 -0100',
  '01 Nov 2026 08:00:00 UT',
  'Sun, 01 Nov 2026 08:00:00 Z',
])('the date header %j', (text) => {
  expect(httpDateToMs(text)).toBe(Date.UTC(2026, 10, 1, 8))
})

test.each([
  ['an entry of contentMap as a list', { contentMap: { de: ['x'] } }, 'de'],
  ['an entry of contentMap as a value object', { contentMap: { de: { '@value': 'x' } } }, 'de'],
  ['an empty content beside contentMap', { content: '', contentMap: { de: 'x' } }, 'de'],
  ['an empty text first in the list', { content: ['', 'x'] }, null],
  ['the language in the value object', { content: [{ '@value': 'x', '@language': 'de' }] }, 'de'],
  ['the entry that equals a content in a list', { content: ['x'], contentMap: { en: 'y', de: 'x' } }, 'de'],
  ['content as a map', { content: { de: 'x', en: 'y' } }, 'de'],
])('%s', (_, fields, language) => {
  expect(noteOf(fields)).toMatchObject({ html: 'x', language })
})

describe.each<[string, (it: unknown) => unknown]>([
  ['a list', (it) => [it]],
  ['a value object', (it) => ({ '@value': it })],
  ['a list of value objects', (it) => [{ '@value': it }]],
])('every plain value may be %s:', (_, as) => {
  const time = '2026-01-01T00:00:00.000Z'
  test('in a status', () => {
    const icon = { url: 'https://remote.example/e.png' }
    const note = noteOf({
      published: as(time),
      content: '<b>',
      mediaType: as('text/plain'),
      likes: { totalItems: as(3) },
      tag: [
        { type: 'Hashtag', name: as('#a') },
        { type: 'Mention', href: 'https://other.example/u', name: as('@u@other.example') },
        { type: 'Emoji', name: as(':e:'), icon },
      ],
      attachment: { type: 'Document', url: icon.url, mediaType: as('video/mp4'), width: as(3), duration: as('PT2S') },
    })
    expect(note).toMatchObject({
      html: '<p>&lt;b&gt;</p>',
      published: time,
      counts: { likes: 3 },
      hashtags: ['a'],
      mentions: [{ name: '@u@other.example' }],
      emojis: [{ shortcode: 'e' }],
      attachments: [{ mediaType: 'video/mp4', width: 3, duration: 2 }],
    })
  })
  test('in a poll', () => {
    const oneOf = [{ name: as('A'), replies: { totalItems: as(3) } }]
    const poll = noteOf({ type: 'Question', oneOf, votersCount: as(4), endTime: as(time), closed: as(false) }).poll
    expect(poll).toMatchObject({ options: [{ title: 'A', votes: 3 }], voters: 4, endsAt: time, closed: false })
  })
  const context = 'https://www.w3.org/ns/activitystreams'
  test('in an actor', () => {
    const [actorId, inbox] = ['https://remote.example/users/vera', 'https://remote.example/inbox']
    const read = readActor({
      ...{ '@context': context, id: actorId, type: 'Person', inbox, preferredUsername: as('vera'), name: as('Vera') },
      attachment: { type: 'PropertyValue', name: as('Web'), value: as('w') },
      manuallyApprovesFollowers: as(true),
      showMedia: as(false),
    })
    expect(read).toMatchObject({
      actor: { username: 'vera', name: 'Vera', locked: true, showMedia: false, fields: [{ name: 'Web', value: 'w' }] },
    })
  })
  test('in a report and a reaction', () => {
    const common = { '@context': context, id, actor: 'https://remote.example/users/vera', object: id }
    expect(readActivity({ ...common, type: 'Flag', content: as('bad') })).toMatchObject({
      activity: { comment: 'bad' },
    })
    expect(readActivity({ ...common, type: 'Like', content: as('\u{1f525}') })).toMatchObject({
      activity: { reaction: { content: '\u{1f525}' } },
    })
  })
})

describe('a number as a text', () => {
  const [vera, icon] = ['https://remote.example/users/vera', { type: 'Image', url: 'https://remote.example/e.png' }]
  test.each([
    [5, '5'],
    [0, '0'],
    [-2.5, '-2.5'],
    [2026, '2026'],
    [[2026], '2026'],
    [{ '@value': 2026 }, '2026'],
  ])('content %j', (content, html) => {
    expect(noteOf({ content }).html).toBe(html)
    expect(noteOf({ contentMap: { de: content } })).toMatchObject({ html, language: 'de' })
  })
  test.each([2 ** 60, Number.POSITIVE_INFINITY, true])('%j is no text', (content) => {
    expect(noteOf({ content, name: content, summary: content })).toMatchObject({ html: '', title: null, warning: null })
  })
  test('in the other texts of a status', () => {
    const note = noteOf({
      summary: 18,
      attachment: { ...icon, name: 7 },
      tag: { type: 'Emoji', name: 100, icon },
    })
    expect(note).toMatchObject({
      warning: '18',
      attachments: [{ description: '7' }],
      emojis: [{ shortcode: '100' }],
    })
    expect(noteOf({ type: 'Event', name: 2026, summary: 5 }).html).toMatch(/^<h2>2026<\/h2><p>5<\/p>/)
  })
  test('in a poll and a vote', () => {
    const oneOf = [{ type: 'Note', name: 2025 }, 2026]
    const options = noteOf({ type: 'Question', oneOf }).poll?.options
    expect(options?.map((it) => [it.title, it.markup])).toEqual([
      ['2025', false],
      ['2026', false],
    ])
    expect(voteOf(noteOf({ name: 2026, inReplyTo: id }))).toEqual({ poll: id, option: '2026' })
  })
  test('in an actor', () => {
    const read = readActor({
      ...{ id: vera, type: 'Person', inbox: `${vera}/inbox`, preferredUsername: 1984, name: 42, summary: 7 },
      attachment: { type: 'PropertyValue', name: 1, value: 2 },
    })
    const fields = [{ name: '1', value: '2' }]
    expect(read).toMatchObject({ actor: { username: '1984', name: '42', bio: '7', fields } })
  })
  test('in a report', () => {
    const flag = { '@context': 'https://www.w3.org/ns/activitystreams', type: 'Flag', actor: vera, object: id }
    expect(readActivity({ ...flag, content: 5 })).toMatchObject({ activity: { comment: '5' } })
  })
})
