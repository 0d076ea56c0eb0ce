// The forms that JSON-LD permits for one value, and forms of single servers.
import { describe, expect, test } from 'vitest'
import { typesOf } from './json.js'
import { readActivity } from './read-activity.js'
import { readActor } from './read-actor.js'
import { readCollection } from './read-collection.js'
import { readFeaturedCollection, readFeaturedItems } from './read-featured-collection.js'
import { readNote } from './read-note.js'
import { readTags } from './read-tag.js'
import { timeOf } from './time.js'

const id = 'https://remote.example/notes/1'
const vera = 'https://remote.example/users/vera'
const other = 'https://other.example/notes/2'
const noteOf = (extra: object) => {
  const read = readNote({ id, type: 'Note', attributedTo: vera, ...extra })
  if (!read.ok) throw new Error(read.reason)
  return read.note
}

test.each([
  ['contentMap as a list of maps', { contentMap: [{ de: 'x' }] }, 'de'],
  ['no language in contentMap', { contentMap: { '@none': 'x' } }, null],
  ['an empty language in contentMap', { contentMap: { '': 'x' } }, null],
  ['no language in content', { content: { '@none': 'x' } }, null],
  ['an empty text first in contentMap', { contentMap: { en: '', de: 'x' } }, 'de'],
  ['an empty text first in a map as content', { content: { en: '', de: 'x' } }, 'de'],
  ['an empty text first in an entry of contentMap', { contentMap: { de: ['', 'x'] } }, 'de'],
  ['value objects in contentMap', { contentMap: [{ '@value': 'x', '@language': 'de' }] }, 'de'],
  ['a private language in contentMap', { contentMap: { 'x-private': 'x' } }, null],
  ['the entry of nameMap that equals the title', { content: 'x', name: 'Ja', nameMap: { en: 'Yes', de: 'Ja' } }, 'de'],
  ['the language of the title in a value object', { content: 'x', name: { '@value': 'y', '@language': 'de' } }, 'de'],
  ['content as a set', { content: { '@set': ['x'] } }, null],
  ['content as an ordered list', { content: { '@list': [{ '@value': 'x', '@language': 'de' }] } }, 'de'],
])('%s', (_, fields, language) => {
  expect(noteOf(fields)).toMatchObject({ html: 'x', language })
})

describe.each(['@list', '@set'])('values in %s', (name) => {
  const of = (...values: unknown[]) => ({ [name]: values })
  test('are parsed like those of a list', () => {
    const note = noteOf({
      to: of('as:Public'),
      cc: of(`${vera}/followers`),
      inReplyTo: of(other),
      tag: of({ type: 'Hashtag', name: '#a' }, { type: 'Hashtag', name: '#b' }),
      attachment: of({ type: 'Image', url: 'https://remote.example/a.png', focalPoint: of(0.5, -0.5) }),
    })
    expect(note).toMatchObject({
      addressing: { to: ['https://www.w3.org/ns/activitystreams#Public'], cc: [`${vera}/followers`] },
      inReplyTo: other,
      hashtags: ['a', 'b'],
      attachments: [{ focus: { x: 0.5, y: -0.5 } }],
    })
  })
  test('A014 two objects are refused', () => {
    const activity = { '@context': 'https://www.w3.org/ns/activitystreams', id, type: 'Like', actor: vera }
    expect(readActivity({ ...activity, object: of(other, other) })).toEqual({ ok: false, reason: 'bad-object' })
    expect(readActivity({ ...activity, object: of(other) })).toMatchObject({ activity: { object: other } })
  })
})

test.each([
  { type: 'Link', href: other },
  { type: 'Note', url: other },
  { type: 'Note', url: [{ href: other }] },
])('the object of an activity is %j', (object) => {
  const activity = { '@context': 'https://www.w3.org/ns/activitystreams', id, actor: vera, object }
  for (const type of ['Follow', 'Like', 'Block'])
    expect(readActivity({ ...activity, type })).toMatchObject({ activity: { type, object: other } })
})

test.each(['Follow', 'Like', 'EmojiReact', 'as:Announce'])(
  'the type %s of an activity may be a list of one',
  (type) => {
    const activity = { '@context': 'https://www.w3.org/ns/activitystreams', id, actor: vera, object: other }
    const read = readActivity({ ...activity, type })
    expect(read).toMatchObject({ ok: true })
    for (const list of [[type], { '@set': [type] }]) expect(readActivity({ ...activity, type: list })).toEqual(read)
  },
)

test.each([
  ['EmojiReact', ['litepub:EmojiReact', 'http://litepub.social/ns#EmojiReact']],
  ['Emoji', ['toot:Emoji', 'http://joinmastodon.org/ns#Emoji']],
  ['PropertyValue', ['schema:PropertyValue', 'http://schema.org#PropertyValue', 'https://schema.org/PropertyValue']],
  ['QuoteRequest', ['https://w3id.org/fep/044f#QuoteRequest']],
  ['FeatureRequest', ['https://w3id.org/fep/7aa9#FeatureRequest']],
  ['FeaturedCollection', ['https://w3id.org/fep/7aa9#FeaturedCollection']],
  ['ReplyAuthorization', ['gts:ReplyAuthorization', 'https://gotosocial.org/ns#ReplyAuthorization']],
  ['Hashtag', ['as:Hashtag', 'https://www.w3.org/ns/activitystreams#Hashtag']],
])('the type %s may be written in a compact form or as its whole address', (type, forms) => {
  for (const form of forms) {
    expect(typesOf({ type: form })).toEqual([type])
    expect(typesOf({ type: ['x:Other', form] })).toEqual(['x:Other', type])
  }
  expect(typesOf({ type: `http://elsewhere.example/ns#${type}` })).not.toContain(type)
})

test.each(['EmojiReact', 'litepub:EmojiReact', 'http://litepub.social/ns#EmojiReact'])(
  'a %s is a Like with a reaction, also when it is undone',
  (type) => {
    const activity = { '@context': 'https://www.w3.org/ns/activitystreams', id, actor: vera }
    for (const given of [type, [type]]) {
      const react = { ...activity, type: given, object: other, content: '🔥' }
      const like = readActivity({ ...react, type: 'Like' })
      expect(like).toMatchObject({ ok: true, activity: { type: 'Like', object: other } })
      expect(readActivity(react)).toEqual(like)
      expect(readActivity({ ...activity, type: 'Undo', object: { ...react, id: `${id}/2` } })).toMatchObject({
        activity: { inner: { type: 'EmojiReact', object: { id: other } } },
      })
    }
  },
)

test('the type of an undone activity may be a list of one', () => {
  const undo = { '@context': 'https://www.w3.org/ns/activitystreams', id, type: 'Undo', actor: vera }
  const inner = (type: unknown) => readActivity({ ...undo, object: { type, actor: vera, object: other } })
  expect(inner(['Follow'])).toMatchObject({ activity: { inner: { type: 'Follow', object: { id: other } } } })
  expect(inner('EmojiReact')).toMatchObject({ activity: { inner: { isReaction: true } } })
  expect(inner('Like')).toMatchObject({ activity: { inner: { isReaction: false } } })
  expect(inner(['Follow', 'Like'])).toMatchObject({ activity: { inner: null } })
})

describe('the page of a status', () => {
  const page = 'https://page.example/p'
  test.each([
    [{ type: 'Link', mediaType: 'TEXT/HTML; charset=utf-8', href: page }, page],
    [{ type: 'Link', mediaType: 'application/xhtml+xml', href: page }, page],
    [{ '@value': page, '@type': 'xsd:anyURI' }, page],
    ['https://page.example/a b', 'https://page.example/a%20b'],
    [{ type: 'Link', href: 'https://page.example/a b' }, 'https://page.example/a%20b'],
    [{ type: 'Link', mediaType: 'video/mp4', href: page }, id],
    ['javascript:alert(1)', id],
    ['https://a:b@page.example/', id],
  ])('%j', (url, expected) => {
    expect(noteOf({ url }).url).toBe(expected)
  })
})

test.each(['content', 'summary', 'name'])('an object without a text is no %s', (name) => {
  for (const value of [{ type: 'Text', value: 'x' }, { type: 'Link', href: other }, { name: 'x' }, { content: 'x' }])
    expect(noteOf({ [name]: value })).toMatchObject({ html: '', warning: null, title: null, language: null })
})

test.each([{ '@id': other }, { id: other }, { id: other, type: 'Person' }, [{ id: other }]])(
  'a mention may link to the object %j',
  (href) => {
    expect(readTags({ type: 'Mention', href, name: '@bob' }).mentions).toEqual([{ href: other, name: '@bob' }])
  },
)

test('names of tags may be in a language map', () => {
  const icon = { type: 'Image', url: { '@id': 'https://remote.example/e.png' } }
  const { hashtags, emojis } = readTags([
    { type: 'Hashtag', nameMap: { en: '#a' } },
    { type: 'Emoji', name: { en: ':b:' }, icon },
  ])
  expect([hashtags, emojis.map((one) => one.shortcode)]).toEqual([['a'], ['b']])
})

test('an emoji of a third server may be named with its host, also in a reaction', () => {
  const emoji = { type: 'Emoji', name: ':blob@third.example:', icon: { url: 'https://third.example/e.png' } }
  expect(readTags(emoji).emojis.map((one) => one.shortcode)).toEqual(['blob'])
  const like = { '@context': 'https://www.w3.org/ns/activitystreams', id, type: 'Like', actor: vera, object: other }
  expect(readActivity({ ...like, content: ':blob@third.example:', tag: [emoji] })).toMatchObject({
    activity: { reaction: { emoji: { shortcode: 'blob' } } },
  })
})

test('an older quote property counts if `quote` has no address', () => {
  const quoted = { uri: other, authorization: null, legacy: true }
  for (const quote of ['', {}, null]) expect(noteOf({ quote, quoteUrl: other }).quote).toEqual(quoted)
  const link = { type: 'Link', mediaType: 'application/activity+json', href: other }
  expect(noteOf({ tag: { ...link, rel: 'https://w3id.org/fep/044f#quote' } }).quote).toEqual(quoted)
})

test.each([
  ['2026-01-02 03:04:05+00', '2026-01-02T03:04:05.000Z'],
  ['2026-01-02T03:04:05+02', '2026-01-02T01:04:05.000Z'],
  ['2026-01-02T03:04:05-0130', '2026-01-02T04:34:05.000Z'],
  ['2026-01-02 03:04:05 UTC', '2026-01-02T03:04:05.000Z'],
  [' 2026-01-02T03:04:05.6789Z\n', '2026-01-02T03:04:05.678Z'],
  ['20260102T030405Z', '2026-01-02T03:04:05.000Z'],
  ['2026-06-30T23:59:60Z', '2026-06-30T23:59:59.000Z'],
  ['Fri, 02 Jan 2026 03:04:05 GMT', '2026-01-02T03:04:05.000Z'],
  ['2 Jan 2026 03:04 +0100', '2026-01-02T02:04:00.000Z'],
  ['2026-13-01T00:00:00Z', null],
  ['2026-01-02T03:04:05+2', null],
  ['yesterday', null],
  ['1767323045', '2026-01-02T03:04:05.000Z'],
])('the time %j is %j', (text, time) => {
  expect(timeOf(text)).toBe(time)
})

test('an entry of a list may be a value object', () => {
  const of = (value: unknown) => ({ '@value': value })
  const attachment = { type: 'Image', url: 'https://remote.example/a.png', focalPoint: [of(0.5), of(-0.5)] }
  expect(noteOf({ attachment }).attachments).toMatchObject([{ focus: { x: 0.5, y: -0.5 } }])
  const tag = 'tag:remote.example,2026:1'
  for (const name of ['context', 'conversation']) expect(noteOf({ [name]: of(tag) }).conversation).toBe(tag)
  const rel = [of('https://misskey-hub.net/ns#_misskey_quote')]
  expect(readTags({ type: 'Link', href: other, rel }).quote).toBe(other)
  expect(readFeaturedItems([of(other)], other as never)).toEqual({ items: [], named: [other] })
  const actor = { id: vera, type: 'Person', preferredUsername: 'vera', inbox: `${vera}/inbox` }
  expect(readActor({ ...actor, attributionDomains: [of('a.example'), 'b.example', { x: 'c.example' }] })).toMatchObject(
    {
      actor: { attributionDomains: ['a.example', 'b.example'] },
    },
  )
})

test('an address may be a value object', () => {
  const value = { '@value': other, '@type': 'http://www.w3.org/2001/XMLSchema#anyURI' }
  for (const name of ['quote', '_misskey_quote', 'quoteUrl', 'quoteUri'])
    expect(noteOf({ [name]: value }).quote?.uri).toBe(other)
  expect(noteOf({ inReplyTo: value, to: value })).toMatchObject({ inReplyTo: other, addressing: { to: [other] } })
  const emoji = { type: 'Emoji', name: ':a:', icon: { url: value } }
  expect(readTags(emoji).emojis[0]?.url).toBe(other)
})

describe.each<[string, (it: string) => unknown]>([
  ['a list', (it) => [it]],
  ['a value object', (it) => ({ '@value': it })],
  ['a list of value objects', (it) => [{ '@value': it }]],
  ['a reference', (it) => ({ '@id': it })],
  ['a list of references', (it) => [{ '@id': it }]],
  ['an object with nothing but an id', (it) => ({ id: it })],
  ['a list of objects with nothing but an id', (it) => [{ id: it }]],
])('%s is the address', (_, as) => {
  const file = 'https://remote.example/a.png'
  const image = { type: 'Image', url: as(file) }

  test('of a Link', () => {
    const note = noteOf({
      url: { type: 'Link', mediaType: 'text/html', href: as(other) },
      attributedTo: { href: as(vera) },
      inReplyTo: { type: 'Link', href: as(other) },
      quoteUrl: { url: { href: as(other) } },
      tag: { type: 'Mention', href: as(vera), name: '@vera' },
      attachment: [
        { type: 'Video', url: [{ type: 'Link', mediaType: 'video/mp4', href: as(file) }] },
        { type: 'Link', href: as(other) },
      ],
    })
    expect(note).toMatchObject({
      url: other,
      attributedTo: [vera],
      inReplyTo: other,
      quote: { uri: other },
      mentions: [{ href: vera }],
      attachments: [{ url: file }],
      link: other,
    })
    expect(noteOf({ href: as(other) }).url).toBe(other)
    const handle = { type: 'Mention', href: as('acct:vera@remote.example') }
    expect(readTags(handle).mentions).toMatchObject([{ name: 'vera@remote.example' }])
  })

  test('of an image', () => {
    const url = { type: 'Link', href: as(file) }
    for (const icon of [image, as(file), url, { type: 'Image', url }, { type: 'Image', url: [url] }]) {
      expect(noteOf({ attachment: { type: 'Video', url: other, icon } }).attachments[0]?.thumbnail).toBe(file)
      expect(readTags({ type: 'Emoji', name: ':e:', icon }).emojis[0]?.url).toBe(file)
      const actor = { id: vera, type: 'Person', preferredUsername: 'vera', inbox: `${vera}/inbox`, icon, image: icon }
      expect(readActor(actor)).toMatchObject({ actor: { avatar: { url: file }, header: { url: file } } })
    }
  })
})

describe.each<[string, unknown]>([
  ['a Link', { type: 'Link', href: other }],
  ['a list of one Link', [{ type: 'Link', mediaType: 'application/activity+json', href: other }]],
  ['a Link with its address in a list', { type: ['Link'], href: [other] }],
])('%s', (_, link) => {
  const activity = { '@context': 'https://www.w3.org/ns/activitystreams', id, actor: vera, object: other }
  test.each(['Announce', 'Accept', 'Reject', 'Undo', 'Update', 'Delete', 'Create', 'Flag'])(
    'names the object of %s like its address',
    (type) => {
      const read = readActivity({ ...activity, type, object: link })
      expect(read.ok).toBe(true)
      expect(read).toEqual(readActivity({ ...activity, type }))
    },
  )
  test('names the object and the target of Add, Remove and Move', () => {
    for (const type of ['Add', 'Remove', 'Move']) {
      const read = readActivity({ ...activity, type, object: link, target: link })
      expect(read.ok).toBe(true)
      expect(read).toEqual(readActivity({ ...activity, type, target: other }))
    }
  })
  test('names authors and addressees', () => {
    expect(noteOf({ attributedTo: link, to: link, cc: link })).toMatchObject({
      attributedTo: [other],
      addressing: { to: [other], cc: [other] },
    })
  })
})

test('an Announce may name its object by the page in a copy without an id', () => {
  const announce = { '@context': 'https://www.w3.org/ns/activitystreams', id, type: 'Announce', actor: vera }
  for (const copy of [
    { type: 'Note', url: other },
    { type: 'Note', id: '', url: [{ type: 'Link', href: other }] },
  ])
    expect(readActivity({ ...announce, object: copy })).toEqual(readActivity({ ...announce, object: other }))
})

test.each<[string, (value: unknown) => unknown]>([
  ['a list of one', (value) => [value]],
  ['a set', (value) => ({ '@set': [value] })],
])('nested objects and their values may be %s', (_, as) => {
  const group = as({ automaticApproval: as(vera), manualApproval: as(other) })
  const policy = { automatic: [vera], manual: [other] }
  const likes = as({ type: 'Collection', totalItems: as(3) })
  const note = noteOf({ interactionPolicy: as({ canQuote: group, canReply: group }), likes })
  expect(note.policy).toMatchObject({ quote: policy, reply: policy })
  expect(note.counts.likes).toBe(3)

  const inbox = `${vera}/inbox`
  const key = { id: `${vera}#key`, owner: as(vera), publicKeyPem: as('PEM') }
  const actor = { id: vera, type: 'Person', preferredUsername: 'vera', inbox: as(inbox) }
  const nested = { endpoints: as({ sharedInbox: as(inbox) }), publicKey: as(key) }
  expect(readActor({ ...actor, ...nested })).toMatchObject({
    ok: true,
    actor: { sharedInbox: inbox, keys: [{ owner: vera, text: 'PEM' }] },
  })
})

describe.each(['as:', 'https://www.w3.org/ns/activitystreams#'])('types with the prefix %s', (prefix) => {
  const activity = { '@context': 'https://www.w3.org/ns/activitystreams', id, actor: vera }
  test('are the short ones, of activities, statuses, actors, tags and collections', () => {
    const inner = { type: 'Follow', actor: vera, object: other }
    const undo = { ...activity, type: 'Undo', object: inner }
    const prefixed = { ...undo, type: `${prefix}Undo`, object: { ...inner, type: `${prefix}Follow` } }
    expect(readActivity(undo).ok).toBe(true)
    expect(readActivity(prefixed)).toMatchObject({
      ok: true,
      activity: { type: 'Undo', inner: { type: 'Follow', actor: vera, object: { id: other } } },
    })
    const tag = { type: `${prefix}Hashtag`, name: '#cats' }
    expect(noteOf({ type: `${prefix}Note`, tag }).hashtags).toEqual(['cats'])
    const actor = { id: vera, type: `${prefix}Person`, preferredUsername: 'vera', inbox: `${vera}/inbox` }
    expect(readActor(actor)).toMatchObject({ ok: true, actor: { kind: 'Person' } })
    const pins = { id: other, type: `${prefix}OrderedCollection`, orderedItems: [id] }
    expect(readCollection(pins, { origin: other })?.items).toEqual([{ id, node: null }])
  })
})

test('properties that the context of the vocabulary lacks may have its prefix', () => {
  expect(noteOf({ 'as:quoteUrl': other }).quote).toMatchObject({ uri: other, legacy: true })
  const actor = { id: vera, type: 'Person', preferredUsername: 'vera', inbox: `${vera}/inbox` }
  const named = { 'as:movedTo': { id: other }, 'as:alsoKnownAs': [other], 'as:manuallyApprovesFollowers': true }
  expect(readActor({ ...actor, ...named })).toMatchObject({
    ok: true,
    actor: { movedTo: other, aliases: [other], locked: true },
  })
  expect(noteOf({ 'as:sensitive': true }).sensitive).toBe(true)
  const list = { id: `${vera}/collections/1`, type: 'FeaturedCollection', attributedTo: vera, name: 'Friends' }
  expect(readFeaturedCollection({ ...list, 'as:sensitive': true })).toMatchObject({ sensitive: true })
  expect(readFeaturedCollection({ ...list, 'as:sensitive': 'false' })).toMatchObject({ sensitive: false })
})

test('empty strings in a list are skipped', () => {
  expect(noteOf({ inReplyTo: ['', other], quoteUrl: ['', null, other] })).toMatchObject({
    inReplyTo: other,
    quote: { uri: other },
  })
  const activity = { '@context': 'https://www.w3.org/ns/activitystreams', id, actor: vera }
  for (const type of ['Like', 'Undo', 'Announce', 'Delete', 'Accept', 'Follow'])
    expect(readActivity({ ...activity, type, object: ['', other] })).toEqual(
      readActivity({ ...activity, type, object: other }),
    )
  expect(readActivity({ ...activity, type: 'Add', object: [other, ''], target: ['', vera] })).toEqual(
    readActivity({ ...activity, type: 'Add', object: other, target: vera }),
  )
  expect(readActivity({ ...activity, type: 'Like', object: ['', other, vera] })).toEqual({
    ok: false,
    reason: 'bad-object',
  })
  expect(noteOf({ content: ['', 'text'] }).html).toBe('text')
})

test('a link tag whose relation says that it is a quote needs no media type', () => {
  const link = { type: 'Link', rel: 'https://misskey-hub.net/ns#_misskey_quote', href: other }
  expect(noteOf({ tag: link }).quote).toMatchObject({ uri: other })
  expect(noteOf({ tag: { ...link, mediaType: 'text/html' } }).quote).toBeNull()
})
