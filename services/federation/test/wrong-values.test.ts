/** Statuses with invalid values in every property, through the real inbox: no 5xx, no dead letter, and stored ones can be shown. */
import { showAccount } from '@murmuration/contracts/accounts'
import { homeTimeline, showHistory, showStatus } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import type { Document } from '@murmuration/testkit/outside/remote-actor'
import { makeActivity } from '@murmuration/testkit/outside/remote-actor'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fixture, startFixture } from './fixture.js'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture.harness.stop())

const OBJECT = {
  type: 'Image',
  id: 'https://[::1',
  url: 'javascript:1',
  name: { a: [] },
  width: -1.5,
  focalPoint: ['x', null],
}
/** Values of all types that a property should not have. */
const values: unknown[] = [
  null,
  false,
  0,
  -1,
  2 ** 60,
  1.5,
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e\u2066x',
  '𝒳'.repeat(40_000),
  'https://',
  'https://x:99999/',
  'https://ex ample/\u0000',
  'data:text/html,x',
  '+275760-09-13T00:00:00Z',
  '0000-00-00T99:99:99Z',
  [],
  [[]],
  [null, 1, '', {}],
  {},
  { type: 'Link', href: 'https://\ud800/' },
  { en: 5, '\u0000': 'x', ['a'.repeat(300)]: 'y', de: '\u0000' },
  [
    OBJECT,
    { ...OBJECT, type: 'Hashtag', name: '#\u0000\ud800' },
    { ...OBJECT, type: 'Mention', href: 'https://x', name: '@@' },
  ],
  [
    { type: 'Emoji', name: ':\u0000:', icon: { type: 'Image', url: 'https://x/\u0000' } },
    { type: 'Hashtag', name: '#'.repeat(5_000) },
    { type: 'Hashtag', name: '#\u202eabc' },
  ],
  Array.from({ length: 20 }, (_, i) => ({
    type: 'Note',
    name: i % 2 ? '\u0000' : 'same',
    replies: { totalItems: -(2 ** 53) },
  })),
]
const fields = {
  Note: [
    'content',
    'contentMap',
    'summary',
    'summaryMap',
    'name',
    'tag',
    'attachment',
    'published',
    'updated',
    'url',
    'inReplyTo',
    'quote',
    '_misskey_quote',
    'quoteAuthorization',
    'sensitive',
    'to',
    'cc',
    'conversation',
    'context',
    'likes',
    'shares',
    'replies',
    'interactionPolicy',
    'icon',
    'image',
    'language',
    'attributedTo',
    'mediaType',
    'id',
  ],
  Question: ['oneOf', 'anyOf', 'endTime', 'closed', 'votersCount', 'published'],
  Article: ['name', 'url', 'icon', 'summary', 'preview'],
} as const
const poll = { oneOf: ['a', 'b'].map((name) => ({ type: 'Note', name, replies: { totalItems: 1 } })) }

const answersOf = (documents: readonly Document[]) =>
  Promise.all(documents.map((one) => fixture.harness.deliver(fixture.remote, one, { as: fixture.rita }))).then((all) =>
    all.map((one) => one.status),
  )
/** Delivers a few at a time, so that the inbox is busy but accepts them. */
const deliverAll = async (documents: readonly Document[]): Promise<number[]> => {
  const statuses: number[] = []
  for (let at = 0; at < documents.length; at += 20) statuses.push(...(await answersOf(documents.slice(at, at + 20))))
  await fixture.harness.waitForIdle()
  return statuses
}
const deadLetters = async (): Promise<unknown[]> => {
  const services = ['accounts', 'statuses', 'federation', 'media'] as const
  const found = await Promise.all(services.map((one) => fixture.harness.db(one).rows(sql`select * from dead_letters`)))
  return found.flat()
}
const kept = () =>
  fixture.harness
    .db('statuses')
    .rows<{ id: string }>(sql`select id from statuses where not local and deleted_at is null`)

test.each(Object.entries(fields))('hostile 36 37 38 39 every field of a %s', async (type, names) => {
  // A fifth of the values for each field, another fifth for the next.
  const odd = names.flatMap((field, at) =>
    values
      .filter((_value, i) => (i + at) % 5 === 0)
      .map((value) => {
        const sound = fixture.note(fixture.rita, { type, ...(type === 'Question' ? poll : {}) })
        return { sound, field, odd: { ...sound, [field]: value } as Document }
      }),
  )
  const created = await deliverAll(odd.map((one) => makeActivity(fixture.rita, 'Create', one.odd)))
  expect(created.filter((one) => one !== 202 && one !== 400)).toEqual([])
  // And as Update of a valid status.
  const edits = odd.filter((_one, i) => i % 4 === 0)
  await deliverAll(edits.map(({ sound }) => makeActivity(fixture.rita, 'Create', sound)))
  const updated = new Date(Date.now() + 60_000).toISOString()
  const edited = await deliverAll(edits.map((one) => makeActivity(fixture.rita, 'Update', { updated, ...one.odd })))
  expect(edited.filter((one) => one !== 202 && one !== 400)).toEqual([])
  expect(await deadLetters()).toEqual([])
  const rows = await fixture.harness.inboxRows()
  expect(rows.filter((row) => row.outcome === null)).toEqual([])
  const shown = await Promise.all(
    (await kept()).map(({ id }) =>
      fixture.harness.request(showStatus, { id }, fixture.bob).then((answer) => answer.meta.status),
    ),
  )
  expect(shown.length).toBeGreaterThan(0)
  expect(shown.filter((status) => status !== 200 && status !== 404)).toEqual([])
  const [some] = await kept()
  expect((await fixture.harness.request(showHistory, { id: some?.id ?? '' }, fixture.bob)).meta.status).toBe(200)
  expect((await fixture.harness.request(homeTimeline, { limit: 40 }, fixture.bob)).meta.status).toBe(200)
})

const parts = [
  'name',
  'summary',
  'attachment',
  'icon',
  'image',
  'tag',
  'published',
  'alsoKnownAs',
  'movedTo',
  'url',
  'attributionDomains',
  'endpoints',
  'featured',
  'followers',
  'preferredUsername',
  'webfinger',
  'discoverable',
  'publicKey',
  'assertionMethod',
  'type',
]

test('hostile 36 37 39 44 every part of a profile', async () => {
  const { document } = fixture.rita
  const sound = { ...document }
  // Some of the values for each part, others for the next.
  const list = parts.flatMap((part, at) =>
    values.filter((_value, i) => (i + at) % 9 === 0).map((value) => ({ part, value })),
  )
  const answers: number[] = []
  // One after the other, because the same address has another document each time.
  for (const [at, { part, value }] of list.entries()) {
    // So many activities of one server exceed its rate limit per minute.
    if (at % 25 === 0) await fixture.harness.clear()
    Object.assign(document, sound, { [part]: value })
    const { status } = await fixture.harness.deliver(
      fixture.remote,
      makeActivity(fixture.rita, 'Update', { ...document }),
      {
        as: fixture.rita,
      },
    )
    answers.push(status)
    await fixture.harness.waitForIdle()
  }
  Object.assign(document, sound)
  expect(answers.filter((one) => one !== 202 && one !== 400)).toEqual([])
  expect(await deadLetters()).toEqual([])
  const account = await fixture.harness.account(fixture.rita.id)
  expect((await fixture.harness.request(showAccount, { id: account?.id ?? '' }, fixture.bob)).meta.status).toBe(200)
})
