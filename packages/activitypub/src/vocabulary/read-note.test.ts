/** Parsing of texts, addresses, times and tags of remote statuses. */

import { isValidTag, normaliseTag } from '@murmuration/text'
import { describe, expect, test } from 'vitest'
import { noteId as id, noteOf, vera } from '../../test/note-of.js'
import { readNote } from './read-note.js'

test.each([
  ['not-an-object', 'x'],
  ['not-an-object', [{}]],
  ['unsupported-type', { id, type: 'Review' }],
  ['unsupported-type', { id, type: 'ChatMessage' }],
  ['unsupported-type', { id, type: ['x:Custom', 7] }],
  ['no-id', { type: 'Note' }],
  ['no-id', { type: 'Note', id: null }],
  ['bad-id', { type: 'Note', id: ['https://remote.example/1'] }],
  ['bad-id', { type: 'Note', id: 'tag:remote.example' }],
])('%s', (reason, value) => {
  expect(readNote(value)).toEqual({ ok: false, reason })
})

test('a fetched document must declare ActivityStreams and have no structural keywords', () => {
  expect(readNote({ id, type: 'Note' }, { fetched: true })).toEqual({ ok: false, reason: 'no-context' })
  const fetched = { '@context': 'https://www.w3.org/ns/activitystreams', id, type: ['Note', 'x:Custom'] }
  expect(readNote(fetched, { fetched: true })).toMatchObject({ ok: true })
  expect(readNote({ ...fetched, a: { '@graph': [] } }, { fetched: true })).toEqual({ ok: false, reason: 'reshaped' })
})

describe('text', () => {
  test.each([
    [{ content: '<p>a</p>', contentMap: { de: '<p>b</p>' } }, '<p>a</p>', 'de'],
    [{ contentMap: { pt_br: '<p>b</p>', en: 'c' } }, '<p>b</p>', 'pt-BR'],
    [{ content: 'c', contentMap: { de: 'b', en: 'c' } }, 'c', 'en'],
    [{ contentMap: { __proto__: null, und: 'x' } }, 'x', null],
    [{ content: null }, '', null],
    [{ content: 5, nameMap: { FR: 'n' } }, '5', 'fr'],
    [{ content: '<b>&\n', mediaType: 'text/markdown' }, '<p>&lt;b&gt;&amp;<br></p>', null],
    [{ content: '<b>x</b>', mediaType: 'text/html' }, '<b>x</b>', null],
    [{ content: 'x', contentMap: ['en'] }, 'x', null],
  ])('I11 I15 %j', (fields, html, language) => {
    expect(noteOf(fields)).toMatchObject({ html, language })
  })
  test('the language of the enclosing activity is used if the status has none', () => {
    const around = { addressing: { to: [], cc: [] }, language: 'nl' }
    expect(noteOf({ content: 'x' }, { around }).language).toBe('nl')
    expect(noteOf({ content: 'x', contentMap: { en: 'x' } }, { around }).language).toBe('en')
  })
  test.each([
    ['', null],
    [null, null],
    [['a'], 'a'],
    [{ '@value': 'a', '@language': 'en' }, 'a'],
    [[5], '5'],
    [[true], null],
    ['\u200b', ''],
    ['spoiler', 'spoiler'],
    ['<img src=x>', '<img src=x>'],
  ])('I12: the summary %j is the warning %j', (summary, warning) => {
    expect(noteOf({ summary }).warning).toBe(warning)
  })
  test('hostile 39 45: long texts and many languages are cut', () => {
    const contentMap = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`a${at}`, 'x']))
    const note = noteOf({
      content: 'x'.repeat(900_000),
      summary: '\u{1f600}'.repeat(5000),
      name: 'n'.repeat(900_000),
      contentMap,
    })
    expect([note.html.length, note.warning?.length, note.title?.length]).toEqual([200_000, 2048, 2048])
    expect(note.warning?.isWellFormed()).toBe(true)
  })
  test('a type that cannot be shown becomes a title, a summary and a link', () => {
    const article = noteOf({
      type: 'Article',
      name: 'A & <b>',
      summary: 'short',
      content: '<p>long</p>',
      url: 'https://remote.example/a',
    })
    expect(article).toMatchObject({
      kind: 'Article',
      warning: null,
      html: '<h2>A &amp; &lt;b&gt;</h2><p>short</p><p><a href="https://remote.example/a">https://remote.example/a</a></p>',
    })
  })
})

describe('addresses', () => {
  test.each([
    ['https://remote.example/@vera/1', 'https://remote.example/@vera/1'],
    [['x', 'https://remote.example/a'], 'https://remote.example/a'],
    [{ type: 'Link', href: 'https://remote.example/h', mediaType: 'text/html' }, 'https://remote.example/h'],
    [
      [
        { type: 'Link', href: 'https://remote.example/v.mp4', mediaType: 'video/mp4' },
        { type: 'Link', href: 'https://remote.example/w', mediaType: 'text/html' },
      ],
      'https://remote.example/w',
    ],
    ['https://other.example/@vera/1', 'https://other.example/@vera/1'],
    [['https://other.example/1', 'https://remote.example/2'], 'https://remote.example/2'],
    ['javascript:alert(1)', id],
    [{ href: 'javascript:alert(1)' }, id],
    [undefined, id],
  ])('A015 I10: url %j is shown as %s', (url, shown) => {
    expect(noteOf({ url }).url).toBe(shown)
  })
  test.each([
    ['https://x.example/1', 'https://x.example/1'],
    [['https://x.example/1', 'https://x.example/2'], 'https://x.example/1'],
    [{ id: 'https://x.example/1', content: 'forged' }, 'https://x.example/1'],
    [null, null],
    [{ type: 'Note' }, null],
  ])('I9: inReplyTo %j', (inReplyTo, parent) => {
    expect(noteOf({ inReplyTo }).inReplyTo).toBe(parent)
  })
  test('I16: attributedTo may be an address, a list or objects', () => {
    expect(
      noteOf({
        attributedTo: [
          { type: 'Person', id: vera },
          { type: 'Group', id },
        ],
      }).attributedTo,
    ).toEqual([vera, id])
    expect(noteOf({ attributedTo: undefined }).attributedTo).toEqual([])
  })
  test('to and cc are those of the status, else of the activity; bto, bcc and audience are ignored', () => {
    const around = { addressing: { to: [id as never], cc: [] }, language: null }
    expect(noteOf({}, { around }).addressing).toEqual({ to: [id], cc: [] })
    expect(noteOf({ to: vera }, { around }).addressing).toEqual({ to: [vera], cc: [] })
    expect(noteOf({ bto: vera, bcc: vera, audience: vera }).addressing).toEqual({ to: [], cc: [] })
  })
})

describe('times and numbers', () => {
  test.each([
    ['2026-05-01T10:00:00Z', '2026-05-01T10:00:00.000Z'],
    ['2026-05-01T10:00:00.123456789Z', '2026-05-01T10:00:00.123Z'],
    ['2026-05-01T12:00:00+02:00', '2026-05-01T10:00:00.000Z'],
    ['2026-05-01T12:00:00+0200', '2026-05-01T10:00:00.000Z'],
    ['2026-05-01T10:00:00', '2026-05-01T10:00:00.000Z'],
    ['2026-05-01t10:00z', '2026-05-01T10:00:00.000Z'],
    ['2026-05-01 10:00:00', '2026-05-01T10:00:00.000Z'],
    ['2026-05-01', '2026-05-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
    ['9999-12-31T23:59:59-23:00', null],
    ['0000-01-01T00:00:00Z', null],
    ['0001-01-01T00:00:00+23:00', null],
    ['10000-01-01T00:00:00Z', null],
    ['+275760-09-13T00:00:00Z', null],
    ['-000001-01-01T00:00:00Z', null],
    ['2026-13-45T10:00:00Z', null],
    ['yesterday', null],
    [1777630000, '2026-05-01T10:06:40.000Z'],
    [`2026-05-01T10:00:00.${'1'.repeat(900_000)}Z`, null],
  ])('A037 I14 hostile 93: published %j', (published, read) => {
    expect(noteOf({ published }).published).toBe(read)
  })
  test('an `updated` equal to `published` is not an edit', () => {
    const published = '2026-05-01T10:00:00Z'
    expect(noteOf({ published, updated: published }).updated).toBeNull()
    const edit = readNote({ id: 'https://far.example/1', type: 'Note', published, updated: published }, { edit: true })
    expect(edit).toMatchObject({ note: { updated: '2026-05-01T10:00:00.000Z' } })
    expect(noteOf({ published, updated: '2026-05-01T10:00:01Z' }).updated).toBe('2026-05-01T10:00:01.000Z')
  })
  test.each([
    [true, true],
    ['false', false],
    ['true', true],
    [1, true],
    [0, false],
    [{ '@value': true }, true],
    [null, false],
    ['on', true],
    ['t', true],
    [2, true],
    [{}, true],
    [[false, true], true],
    ['', false],
    ['off', false],
    [[], false],
  ])('I13: sensitive %j', (sensitive, read) => {
    expect(noteOf({ sensitive }).sensitive).toBe(read)
  })

  const picture = { type: 'Document', url: 'https://remote.example/a.png' }
  test.each([
    [{ attachment: [picture, { ...picture, sensitive: true }] }, true],
    [{ attachment: { ...picture, sensitive: 'true' } }, true],
    [{ attachment: [{ ...picture, 'as:sensitive': true }], sensitive: false }, true],
    [{ 'as:sensitive': 1 }, true],
    [{ attachment: [{ ...picture, sensitive: false }], 'as:sensitive': 'false' }, false],
  ])('%j is sensitive: %j', (fields, read) => {
    expect(noteOf(fields).sensitive).toBe(read)
  })

  test.each([
    [{ totalItems: 3 }, 3],
    [{ totalItems: 2 ** 60 }, 2_147_483_647],
    [{ totalItems: -5 }, null],
    [{ totalItems: 1.5 }, null],
    [{ totalItems: '3' }, null],
    [{ totalItems: Number.POSITIVE_INFINITY }, null],
    ['https://remote.example/likes', null],
  ])('hostile 38: likes %j', (likes, read) => {
    expect(noteOf({ likes }).counts.likes).toBe(read)
  })
})

describe('tags', () => {
  const tags = (tag: unknown) => noteOf({ tag })
  test('a Mention needs an address or a full handle', () => {
    const { mentions } = tags([
      { type: 'Mention', href: vera },
      { type: 'Mention', href: vera, name: '@vera@remote.example' },
      { type: 'Mention', name: '@ada@x.example' },
      { type: 'Mention', name: '@ada' },
      { type: 'Mention', href: 5 },
      { type: 'Mention' },
    ])
    expect(mentions).toEqual([
      { href: vera, name: '@vera@remote.example' },
      { href: null, name: '@ada@x.example' },
    ])
  })
  test.each([
    ['#Caf\u00e9', 'Caf\u00e9'],
    ['no_hash', 'no_hash'],
    ['#\uff34ag', 'Tag'],
    ['#\u65e5\u672c\u30fb\u8a9e', '\u65e5\u672c\u30fb\u8a9e'],
    ['#123', undefined],
    ['#a b', 'ab'],
    ['#foo-bar', 'foobar'],
    ['#foo (bar)', 'foobar'],
    ['#--', undefined],
    [5, undefined],
    ['#(\u30fb\u03c9\u30fb)', '\u03c9'],
    ['#foo\u30fb', 'foo'],
    ['#\u00b7foo\u00b7bar\u00b7', 'foo\u00b7bar'],
    ['#\u0633\u0644\u0627\u0645\u200c', '\u0633\u0644\u0627\u0645'],
    ['#foo\u30fb\u00bc', 'foo\u30fb14'],
    ['#foo\u30fb\u{10107}', 'foo'],
    ['#\u30fb\u0301', undefined],
  ])('Hashtag %j', (name, read) => {
    expect(tags({ type: 'Hashtag', name }).hashtags[0]).toBe(read)
  })
  test('each hashtag that is read is a valid one, also in its normal form', () => {
    const characters = ['a', '\u00c9', '1', '_', '\u00b7', '\u30fb', '\u200c', '\u0301', '\u00bd', '(', '\u{10107}']
    let names = ['']
    for (let length = 1; length <= 4; length++) names = names.flatMap((name) => characters.map((one) => name + one))
    names.push('\ufdfa'.repeat(499))
    const read = names.flatMap((name) => tags({ type: 'Hashtag', name }).hashtags)
    expect(read.length).toBeGreaterThan(names.length / 3)
    expect(read.filter((name) => !isValidTag(name) || !isValidTag(normaliseTag(name)))).toEqual([])
  })
  test.each([
    [{ name: ':fox:', icon: { url: 'https://x.example/f.png' }, id: null }, 'fox'],
    [{ name: 'fox', icon: 'https://x.example/f.png' }, 'fox'],
    [{ name: ':../x:', icon: { url: 'https://x.example/f.png' } }, undefined],
    [{ name: ':<script>:', icon: { url: 'https://x.example/f.png' } }, undefined],
    [{ name: ':fox:', icon: { url: 'data:image/png;base64,x' } }, undefined],
    [{ name: ':fox:' }, undefined],
    [{ name: `:${'f'.repeat(3000)}:`, icon: 'https://x.example/f.png' }, undefined],
  ])('hostile 91: Emoji %j', (fields, shortcode) => {
    expect(tags({ type: 'Emoji', ...fields }).emojis[0]?.shortcode).toBe(shortcode)
  })
  test('A038 hostile 41: the number of tags is limited', () => {
    const many = Array.from({ length: 50_000 }, (_, at) => ({ type: 'Mention', href: `https://h${at}.example/u` }))
    expect(tags(many).mentions).toHaveLength(100)
  })
  test.each([null, 'x', 5, [null, ['x']], { type: 5 }])('tag %j is ignored', (tag) => {
    expect(tags(tag)).toMatchObject({ mentions: [], hashtags: [], emojis: [] })
  })
})
