// Forms in which servers write a document that the vocabulary's specification allows, or that they send all the same.
import { describe, expect, test } from 'vitest'
import { httpDateToMs } from '../signatures/window.js'
import { readNote } from './read-note.js'
import { readTags } from './read-tag.js'

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
    [{ type: 'Image', url, mediaType: 'image/png' }, 'image/png'],
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

test.each(['_misskey_quote', 'quoteUrl', 'quoteUri'])('%s as a list, and inReplyTo as a Link', (name) => {
  const other = 'https://remote.example/notes/2'
  expect(noteOf({ [name]: [other] }).quote?.uri).toBe(other)
  expect(noteOf({ inReplyTo: { type: 'Link', href: other } }).inReplyTo).toBe(other)
})

test.each(['Sun, 01 Nov 2026 08:00:00 GMT', 'Sun, 01 Nov 2026 08:00:00 +0000', 'Sunday, 01-Nov-26 08:00:00 GMT'])(
  'the date header %j',
  (text) => {
    expect(httpDateToMs(text)).toBe(Date.UTC(2026, 10, 1, 8))
  },
)
