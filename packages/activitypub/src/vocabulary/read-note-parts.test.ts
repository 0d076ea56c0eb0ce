/** Parsing of media, polls, votes and quotes of remote statuses. */

import { describe, expect, test } from 'vitest'
import { noteOf, vera } from '../../test/note-of.js'
import { voteOf } from './read-note.js'

describe('media', () => {
  const media = (attachment: unknown) => noteOf({ attachment }).attachments
  test('an entry with all properties', () => {
    const [it] = media({
      type: 'Video',
      url: [{ type: 'Link', href: 'https://x.example/v.mp4', mediaType: 'Video/MP4; codecs=x' }],
      summary: 'alt',
      name: 'name',
      focalPoint: [-0.5, 1],
      width: 10,
      height: '20',
      duration: 'PT1M2.5S',
      icon: { url: 'https://x.example/t.png' },
      blurhash: 'UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH',
    })
    expect(it).toEqual({
      url: 'https://x.example/v.mp4',
      mediaType: 'video/mp4',
      description: 'alt',
      blurhash: 'UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH',
      focus: { x: -0.5, y: 1 },
      width: 10,
      height: null,
      duration: 62.5,
      thumbnail: 'https://x.example/t.png',
    })
  })
  test.each([
    [{ type: 'Person', id: vera }],
    [5],
    [null],
    [{ url: [['https://x.example/a']] }],
    [{ url: 'javascript:alert(1)' }],
    [{ url: 'file:///etc/passwd' }],
  ])('A036: %j is no attachment', (entry) => {
    expect(media([entry])).toEqual([])
  })
  test.each([
    [{ blurhash: 'short' }, { blurhash: null }],
    [{ blurhash: '~'.repeat(36) }, { blurhash: null }],
    [{ focalPoint: [2, 0] }, { focus: null }],
    [{ focalPoint: ['0', 0] }, { focus: null }],
    [{ focalPoint: [0] }, { focus: null }],
    [{ duration: 'P1Y' }, { duration: null }],
    [{ name: 'a'.repeat(20_000) }, { description: 'a'.repeat(10_000) }],
    [{ name: { de: 'bild' } }, { description: 'bild' }],
    [{ type: 'constructor', url: 'https://x.example/a' }, { mediaType: null }],
  ])('%j', (fields, read) => {
    expect(media({ url: 'https://x.example/a.png', ...fields })[0]).toMatchObject(read)
  })
  const link = (name: string, mediaType?: string) => ({ type: 'Link', href: `https://x.example/${name}`, mediaType })
  const page = link('w/1', 'text/html')
  const playlist = link('m.m3u8', 'application/x-mpegURL')
  const torrent = link('v.torrent', 'application/x-bittorrent')
  test.each<[string, object, string, string | null]>([
    ['PeerTube', { type: 'Video', url: [page, playlist, torrent, link('v.mp4', 'video/mp4')] }, 'v.mp4', 'video/mp4'],
    ['Funkwhale', { type: 'Audio', url: [page, link('t.ogg', 'audio/ogg')] }, 't.ogg', 'audio/ogg'],
    ['Castopod', { type: 'Audio', url: { ...link('e.mp3', 'audio/mpeg'), size: 5 } }, 'e.mp3', 'audio/mpeg'],
    ['a playlist alone', { type: 'Video', url: [playlist] }, 'm.m3u8', 'application/vnd.apple.mpegurl'],
    ['a playlist of audio', { type: 'Audio', url: [link('a', 'audio/mpegurl')] }, 'a', 'application/vnd.apple.mpegurl'],
    ['a playlist by its name', { type: 'Video', url: link('m.m3u8') }, 'm.m3u8', 'application/vnd.apple.mpegurl'],
    ['a page and a film without a type', { type: 'Video', url: [page, link('v.webm')] }, 'v.webm', 'video/mp4'],
    [
      'a list of addresses',
      { type: 'Video', url: ['https://x.example/m.m3u8', 'https://x.example/v.mp4'] },
      'v.mp4',
      'video/mp4',
    ],
    ['Markdown beside a film', { type: 'Video', mediaType: 'text/markdown', url: link('v') }, 'v', 'video/mp4'],
    [
      'Markdown beside a typed film',
      { type: 'Video', mediaType: 'text/markdown', url: link('v', 'video/webm') },
      'v',
      'video/webm',
    ],
    ['a document', { type: 'Document', url: [page, link('d.pdf', 'application/pdf')] }, 'd.pdf', 'application/pdf'],
  ])('%s: the playable file is taken', (_, fields, name, mediaType) => {
    expect(media([{ ...fields }])[0]).toMatchObject({ url: `https://x.example/${name}`, mediaType })
  })
  test('hostile 43: the first four are kept, or the given number', () => {
    const attachment = Array.from({ length: 10_000 }, (_, at) => ({ url: `https://x.example/${at}` }))
    expect(media(attachment)).toHaveLength(4)
    expect(noteOf({ attachment }, { attachments: 32 }).attachments).toHaveLength(32)
  })
  test('a link among the attachments is the link of the preview card', () => {
    const note = noteOf({
      attachment: [{ type: 'Link', href: 'https://news.example/cat' }, { url: 'https://x.example/a.png' }],
    })
    expect([note.link, note.attachments.length]).toEqual(['https://news.example/cat', 1])
  })
})

describe('polls', () => {
  const option = (name: string, totalItems?: unknown) => ({ type: 'Note', name, replies: { totalItems } })
  test.each([
    [
      { oneOf: [option('a', 3), option('b')], endTime: '2026-05-02T10:00:00Z', votersCount: 4 },
      { multiple: false, voters: 4, closed: false },
    ],
    [
      { anyOf: [option('a')], oneOf: [], closed: true },
      { multiple: true, endsAt: null, closed: true },
    ],
    [
      { oneOf: option('a'), closed: 'false' },
      { endsAt: null, closed: false },
    ],
    [
      { oneOf: option('a'), closed: '2026-05-02T10:00:00Z' },
      { endsAt: '2026-05-02T10:00:00.000Z', closed: false },
    ],
    [
      { oneOf: [{ content: 'c' }, {}, true, null] },
      { options: [{ title: 'c', markup: true, votes: 0 }], voters: null },
    ],
    [{ oneOf: [option('a', -1)] }, { options: [{ title: 'a', markup: false, votes: 0 }] }],
  ])('%j', (fields, read) => {
    expect(noteOf({ type: 'Question', ...fields }).poll).toMatchObject(read)
  })
  test('a Question without options has no poll', () => {
    expect(noteOf({ type: 'Question', oneOf: [] }).poll).toBeNull()
  })
  test('hostile 42: options are cut', () => {
    const oneOf = Array.from({ length: 100_000 }, (_, at) => option(`o${at}`))
    expect(noteOf({ oneOf }).poll?.options).toHaveLength(500)
  })
  test('a vote has the name of an option and no content', () => {
    const vote = { name: 'Blue', inReplyTo: 'https://local.example/s/100' }
    expect(voteOf(noteOf(vote))).toEqual({ poll: 'https://local.example/s/100', option: 'Blue' })
    expect(voteOf(noteOf({ ...vote, content: 'hi' }))).toBeNull()
    expect(voteOf(noteOf({ ...vote, inReplyTo: null }))).toBeNull()
    expect(voteOf(noteOf({ ...vote, name: undefined }))).toBeNull()
    expect(voteOf(noteOf({ ...vote, type: 'Question' }))).toBeNull()
  })
})

describe('quotes', () => {
  const quoted = 'https://x.example/5'
  test.each([
    [{ quote: quoted }, { uri: quoted, legacy: false, authorization: null }],
    [{ quote: { id: quoted, type: 'Note' } }, { uri: quoted, legacy: false }],
    [{ quote: { type: 'Tombstone' } }, { uri: null, legacy: false }],
    [{ quote: quoted, quoteAuthorization: 'https://x.example/stamp' }, { authorization: 'https://x.example/stamp' }],
    [
      { _misskey_quote: quoted, quoteUrl: 'https://y.example' },
      { uri: quoted, legacy: true },
    ],
    [{ quoteUrl: quoted }, { uri: quoted, legacy: true }],
    [{ quoteUri: quoted }, { uri: quoted, legacy: true }],
    [
      { quote: null, quoteUri: quoted },
      { uri: quoted, legacy: true },
    ],
  ])('%j', (fields, read) => {
    expect(noteOf(fields).quote).toMatchObject(read)
  })
  test('a link tag is a quote only with a quote relation', () => {
    const link = {
      type: 'Link',
      href: quoted,
      rel: 'https://misskey-hub.net/ns#_misskey_quote',
      mediaType: 'application/activity+json',
    }
    expect(noteOf({ tag: link }).quote).toMatchObject({ uri: quoted, legacy: true })
    expect(noteOf({ tag: { ...link, rel: 'x' } }).quote).toBeNull()
  })
  test('policies are parsed with current and older property names', () => {
    const everybody = 'https://www.w3.org/ns/activitystreams#Public'
    const interactionPolicy = {
      canQuote: { automaticApproval: 'as:Public' },
      canReply: { always: [vera], approvalRequired: [everybody] },
    }
    expect(noteOf({ interactionPolicy }).policy).toEqual({
      quote: { automatic: [everybody], manual: [] },
      reply: { automatic: [vera], manual: [everybody] },
      like: null,
      announce: null,
    })
  })
})

test('the approval of a reply is parsed with its current and its older property name', () => {
  const [now, before] = ['https://far.example/authorizations/1', 'https://far.example/approvals/1']
  const approvals = [
    { replyAuthorization: now, approvedBy: before },
    { approvedBy: before },
    { replyAuthorization: {} },
  ]
  expect(approvals.map((fields) => noteOf(fields).approvedBy)).toEqual([now, before, null])
})
