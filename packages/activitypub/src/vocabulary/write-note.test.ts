/** A status with all properties is written, and parsed back. */

import { describe, expect, test } from 'vitest'
import { ada, addressing, emoji, note, vera, web } from '../../test/outgoing.js'
import { readNote } from './read-note.js'
import { everybody, type NoteSource, writeNote } from './write-note.js'

describe('the note', () => {
  const back = (source: NoteSource) => {
    const read = readNote(JSON.parse(JSON.stringify(writeNote(source))), { fetched: true })
    if (!read.ok) throw new Error(read.reason)
    return read.note
  }
  test('O5 O13 O14 O15: all properties are parsed back', () => {
    expect(back(note)).toMatchObject({
      uri: note.uri,
      kind: 'Note',
      url: note.url,
      attributedTo: [ada],
      html: note.html,
      warning: 'careful',
      language: 'en',
      published: '2026-05-01T10:11:12.131Z',
      updated: null,
      sensitive: true,
      inReplyTo: note.inReplyTo,
      addressing,
      mentions: [{ href: vera, name: '@vera@remote.example' }],
      hashtags: ['test'],
      emojis: [{ shortcode: 'wave', url: emoji.url }],
      attachments: [{ url: `${web}/m.jpg`, description: 'alt', focus: { x: -0.5, y: 0.5 }, width: 10, height: 20 }],
      link: note.link,
      conversation: note.conversation,
      policy: { quote: { automatic: everybody, manual: [] } },
      counts: { likes: 1, shares: 2, replies: null },
    })
  })
  test('O10: times have milliseconds, in UTC', () => {
    expect(writeNote({ ...note, publishedAt: '2026-05-01T12:11:12.9+02:00' }).published).toBe(
      '2026-05-01T10:11:12.900Z',
    )
  })
  test('O22: an edited status has the time of the edit', () => {
    expect(back({ ...note, editedAt: '2026-05-01T11:00:00.5Z' }).updated).toBe('2026-05-01T11:00:00.500Z')
  })
  test('an open and an ended poll', () => {
    const poll = {
      multiple: true,
      options: [
        { title: 'Red', votes: 3 },
        { title: 'Blue', votes: 1 },
      ],
      voters: 4,
      endsAt: '2026-05-02T10:00:00Z',
      over: false,
      hidden: false,
    }
    expect(back({ ...note, poll })).toMatchObject({
      kind: 'Question',
      poll: { multiple: true, options: poll.options, voters: 4, endsAt: '2026-05-02T10:00:00.000Z' },
    })
    expect(writeNote({ ...note, poll })).not.toHaveProperty('closed')
    expect(writeNote({ ...note, poll: { ...poll, over: true } })).toMatchObject({ closed: '2026-05-02T10:00:00.000Z' })
    expect(writeNote({ ...note, poll: { ...poll, multiple: false } })).toHaveProperty('oneOf')
  })
  test('O16: a quote in all its properties, and a deleted one', () => {
    const quote = { uri: `${vera}/1`, authorization: 'https://remote.example/stamps/1' }
    const document = writeNote({ ...note, quote })
    expect(document).toMatchObject({
      quote: quote.uri,
      _misskey_quote: quote.uri,
      quoteUri: quote.uri,
      quoteUrl: quote.uri,
    })
    expect(back({ ...note, quote }).quote).toEqual({ ...quote, legacy: false })
    expect(back({ ...note, quote: { uri: null, authorization: null } }).quote).toMatchObject({ uri: null })
  })
})
