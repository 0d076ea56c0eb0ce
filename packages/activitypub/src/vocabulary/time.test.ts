/** Forms of times in received documents, and every field that has a time. */

import { expect, test } from 'vitest'
import { readActivity } from './read-activity.js'
import { readActor } from './read-actor.js'
import { readFeaturedCollection } from './read-featured-collection.js'
import { readNote } from './read-note.js'
import { timeOf } from './time.js'

const TIME = '2026-01-02T03:04:05.000Z'
const WITH_MS = '2026-01-02T03:04:05.678Z'

/** Forms of a time in received documents, and how they are read. */
const forms: [unknown, string | null][] = [
  // Unix time.
  [1767323045, TIME],
  [1767323045.678, WITH_MS],
  [1767323045678, WITH_MS],
  [1767323045678.9, WITH_MS],
  ['1767323045', TIME],
  ['1767323045.678', WITH_MS],
  ['1767323045678', WITH_MS],
  [' 1767323045\n', TIME],
  [[1767323045], TIME],
  [{ '@value': 1767323045, '@type': 'http://www.w3.org/2001/XMLSchema#integer' }, TIME],
  [{ '@value': '1767323045' }, TIME],
  [100000000, '1973-03-03T09:46:40.000Z'],
  [9999999999, '2286-11-20T17:46:39.000Z'],
  [100000000000, '1973-03-03T09:46:40.000Z'],
  [9999999999999, '2286-11-20T17:46:39.999Z'],
  // Numbers outside both ranges: dates as digits, microseconds, and others.
  [0, null],
  [1, null],
  [-1767323045, null],
  [99999999, null],
  [10000000000, null],
  [20260102, null],
  [20260102030405, null],
  [1767323045678901, null],
  [1e300, null],
  [Number.POSITIVE_INFINITY, null],
  ['-1767323045', null],
  ['1767323045s', null],
  ['1.767323045e9', null],
  ['0x69573425', null],
  // Texts of programming languages.
  ['Fri Jan 02 2026 03:04:05 GMT+0000 (Coordinated Universal Time)', TIME],
  ['Fri Jan 02 2026 04:04:05 GMT+0100', TIME],
  ['2026-01-02 03:04:05.678 +0000 UTC', WITH_MS],
  ['2026-01-02 04:04:05.678901234 +0100 CET', WITH_MS],
  ['2026-01-02 03:04:05 +0000', TIME],
  ['20260102', '2026-01-02T00:00:00.000Z'],
  // No times.
  [true, null],
  [{ seconds: 1767323045 }, null],
  [{ date: '2026-01-02 03:04:05.000000', timezone_type: 3, timezone: 'UTC' }, null],
  [null, null],
  [[], null],
  ['', null],
]

test.each(forms)('the time %j is read as %j', (form, time) => {
  expect(timeOf(form)).toBe(time)
})

const id = 'https://remote.example/1'
const vera = 'https://remote.example/users/vera'

test.each(forms)('every time of a document may be %j', (form, time) => {
  const poll = { oneOf: [{ name: 'a' }], endTime: form }
  const icon = { type: 'Image', url: 'https://remote.example/b.png' }
  const tag = { type: 'Emoji', name: ':b:', icon, updated: form }
  const note = { id, type: 'Question', published: form, updated: form, tag, ...poll }
  expect(readNote(note, { edit: true })).toMatchObject({
    ok: true,
    note: { published: time, updated: time, emojis: [{ updated: time }], poll: { endsAt: time } },
  })
  const actor = { id: vera, type: 'Person', inbox: `${vera}/inbox`, preferredUsername: 'vera', published: form }
  expect(readActor(actor)).toMatchObject({ ok: true, actor: { published: time } })
  const announce = { id, type: 'Announce', actor: vera, object: 'https://other.example/1', published: form }
  const activity = readActivity({ '@context': 'https://www.w3.org/ns/activitystreams', ...announce })
  expect(activity).toMatchObject({ ok: true, activity: { published: time } })
  const collection = { id, type: 'FeaturedCollection', attributedTo: vera, name: 'c', published: form, updated: form }
  expect(readFeaturedCollection(collection)).toMatchObject({ published: time, updated: time })
})

test.each<[unknown, { endsAt: string | null; closed: boolean }]>([
  [1767323045, { endsAt: TIME, closed: false }],
  ['1767323045678', { endsAt: WITH_MS, closed: false }],
  [20260102, { endsAt: null, closed: true }],
  [1, { endsAt: null, closed: true }],
  [0, { endsAt: null, closed: false }],
])('`closed` of a poll may be %j', (closed, read) => {
  const note = readNote({ id, type: 'Question', oneOf: [{ name: 'a' }], closed })
  expect(note).toMatchObject({ ok: true, note: { poll: read } })
})
