/** Conversion of remote statuses to the stored form. */

import { readNote } from '@murmuration/activitypub/vocabulary/read-note'
import type { Uri } from '@murmuration/activitypub/vocabulary/uri'
import { expect, test } from 'vitest'
import { remoteNote } from './note.rules.js'
import { oneLineText } from './plain-name.rules.js'

const author = 'https://masto.example/users/alice' as Uri
const own = {
  ownHosts: new Set(['local.example']),
  ownDomains: new Set(['local.example']),
  instanceActor: 'https://local.example/actor',
}

const read = (extra: object) => {
  const note = readNote({
    id: 'https://masto.example/1',
    type: 'Note',
    attributedTo: author,
    content: '<p>x</p>',
    to: ['https://www.w3.org/ns/activitystreams#Public'],
    ...extra,
  })
  if (!note.ok) throw new Error(note.reason)
  return note.note
}
const kept = (extra: object) =>
  remoteNote(read(extra), { author, followers: `${author}/followers` as Uri, own, now: 0 })

test.each([
  [{}, 'public'],
  [{ to: [`${author}/followers`], cc: ['Public'] }, 'unlisted'],
  [{ to: [`${author}/followers`] }, 'private'],
  [{ to: ['https://masto.example/users/other/followers'] }, 'direct'],
  [{ to: [] }, 'direct'],
])('%j is %s', (extra, visibility) => {
  expect(kept(extra).visibility).toBe(visibility)
})

test('local accounts that are addressed without a mention get a silent mention', () => {
  const bob = 'https://local.example/ap/users/1'
  const carol = 'https://local.example/ap/users/2'
  const note = kept({ to: [bob, carol], tag: { type: 'Mention', href: bob } })
  expect(note.mentionUris).toEqual([
    { uri: bob, silent: false },
    { uri: carol, silent: true },
  ])
})

test('missing properties get safe values', () => {
  expect(kept({ published: 'nonsense' })).toMatchObject({
    published: '1970-01-01T00:00:00.000Z',
    edited_at: null,
    spoiler_text: '',
    sensitive: false,
    language: null,
    in_reply_to: null,
    poll: null,
    quote: null,
    quote_policy: { automatic: [], manual: [] },
  })
})

test('an empty content warning marks the status as sensitive', () => {
  expect(kept({ summary: '\u200b' })).toMatchObject({ spoiler_text: '', sensitive: true })
})

test('hashtags that normalise to the same name are stored once', () => {
  const tag = ['#Café', '#CAFE', '#2024', '#ok'].map((name) => ({ type: 'Hashtag', name }))
  expect(kept({ tag }).tags).toEqual([
    { name: 'cafe', display: 'CAFE' },
    { name: 'ok', display: 'ok' },
  ])
})

test('a poll that is closed without the time of it ends now, unless it ended before', () => {
  const oneOf = [
    { type: 'Note', name: 'A' },
    { type: 'Note', name: 'B' },
  ]
  expect(kept({ type: 'Question', oneOf, closed: true }).poll).toMatchObject({ expires_at: '1970-01-01T00:00:00.000Z' })
  expect(kept({ type: 'Question', oneOf }).poll).toMatchObject({ expires_at: null, multiple: false })
  const [before, after] = ['1969-01-01T00:00:00.000Z', '1971-01-01T00:00:00.000Z']
  for (const [endTime, end] of [
    [before, before],
    [after, '1970-01-01T00:00:00.000Z'],
  ]) {
    const poll = { expires_at: end, closed: true }
    expect(kept({ type: 'Question', oneOf, closed: 'true', endTime }).poll).toMatchObject(poll)
    expect(kept({ type: 'Question', oneOf, closed: false, endTime }).poll).toMatchObject({ expires_at: endTime })
  }
})

test('mentions by handle and by profile page', () => {
  const tag = [
    { type: 'Mention', name: '@Bob@local.example' },
    { type: 'Mention', name: '@vera@remote.example' },
    { type: 'Mention', href: 'https://local.example/@Carol' },
    { type: 'Mention', href: 'https://local.example/ap/users/1' },
    { type: 'Mention', name: '@nobody' },
  ]
  const { mentionUris, mentionHandles } = kept({ tag })
  const uris = ['@bob', '@carol', 'ap/users/1'].map((path) => `https://local.example/${path}`)
  expect(mentionUris).toEqual(uris.map((uri) => ({ uri, silent: false })))
  expect(mentionHandles).toEqual(['vera@remote.example'])
})

test('hostile 86 names are one line without controls or turned directions', () => {
  expect(oneLineText('  a\u202eb\n\tc\u0000d\u2066 ')).toBe('a b c d')
})
