/** A status that is known before its Create arrives still reaches the home feeds of followers and the people it mentions, once each. */
import { listNotifications } from '@murmuration/contracts/notifications'
import { homeTimeline, publicTimeline, search, statusRecords } from '@murmuration/contracts/statuses'
import { app as notifications } from '@murmuration/notifications'
import { type Document, makeActivity, PUBLIC } from '@murmuration/testkit/outside/remote-actor'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fixture, startFixture } from './fixture.js'

let fixture: Fixture
let alice: Awaited<ReturnType<Fixture['harness']['createAccount']>>

beforeAll(async () => {
  fixture = await startFixture({}, [notifications])
  alice = await fixture.harness.createAccount('alice')
  // Feeds are stored only for accounts that requested their home feed.
  await home()
})
afterAll(() => fixture.harness.stop())

const home = async () => (await fixture.harness.call(homeTimeline, {}, fixture.bob)).map((one) => one.uri)
const mentioned = async (uri: string) =>
  (await fixture.harness.call(listNotifications, { types: ['mention'] }, fixture.bob)).filter(
    (one) => 'status' in one && one.status?.uri === uri,
  ).length

/** A status of rita at its address, which mentions bob. */
const published = (extra: Document = {}) => {
  const note = fixture.note(fixture.rita, {
    tag: [{ type: 'Mention', href: fixture.bob.uri, name: '@bob' }],
    cc: [fixture.rita.followers, fixture.bob.uri],
    ...extra,
  })
  fixture.remote.publish(new URL(note.id).pathname, note)
  return note
}

const find = (uri: string) => fixture.harness.call(search, { q: uri, resolve: true }, alice)

const ways: Record<string, (note: Document & { id: string }) => Promise<unknown>> = {
  'found by search': ({ id }) => find(id),
  boosted: ({ id }) => fixture.sendActivity(fixture.rita, 'Announce', id, { to: [PUBLIC] }),
  answered: ({ id }) =>
    fixture.sendActivity(
      fixture.vera,
      'Create',
      fixture.note(fixture.vera, { inReplyTo: id, cc: [alice.uri], tag: [{ type: 'Mention', href: alice.uri }] }),
    ),
  quoted: ({ id }) =>
    fixture.sendActivity(
      fixture.vera,
      'Create',
      fixture.note(fixture.vera, { quote: id, cc: [alice.uri], tag: [{ type: 'Mention', href: alice.uri }] }),
    ),
}

test.each(Object.keys(ways))('a status that was first %s is added to home feeds and notifies once', async (way) => {
  const note = published()
  await ways[way]?.(note)
  await fixture.harness.waitForIdle()
  await fixture.sendActivity(fixture.rita, 'Create', note)
  await fixture.sendActivity(fixture.rita, 'Create', note)
  expect((await home()).filter((uri) => uri === note.id)).toHaveLength(1)
  expect(await mentioned(note.id)).toBe(1)
})

test('a recent fetched status is distributed, an old one is not', async () => {
  const [young, old] = [published(), published({ published: new Date(Date.now() - 7 * 3_600_000).toISOString() })]
  await find(young.id)
  await find(old.id)
  await fixture.harness.waitForIdle()
  expect(await mentioned(young.id)).toBe(1)
  expect(await mentioned(old.id)).toBe(0)
  expect(await home()).toContain(young.id)
  expect(await home()).not.toContain(old.id)
})

test('a fetched followers-only status reaches followers and no other feed', async () => {
  const note = published({ to: [fixture.rita.followers], cc: [fixture.bob.uri] })
  await fixture.sendActivity(fixture.rita, 'Announce', note.id, { to: [fixture.rita.followers] })
  await fixture.harness.waitForIdle()
  expect(await home()).toContain(note.id)
  const others = (await fixture.harness.call(homeTimeline, {}, alice)).map((one) => one.uri)
  expect(others).not.toContain(note.id)
})

test('a thread whose replies arrive before their parents reaches home feeds and the public timeline', async () => {
  const first = fixture.note(fixture.rita)
  const second = fixture.note(fixture.rita, { inReplyTo: first.id })
  const third = fixture.note(fixture.rita, { inReplyTo: second.id })
  for (const note of [third, second, first]) await fixture.sendActivity(fixture.rita, 'Create', note)
  await fixture.harness.waitForIdle()
  const all = [third.id, second.id, first.id]
  const open = (await fixture.harness.call(publicTimeline, {}, fixture.bob)).map((one) => one.uri)
  for (const places of [await home(), open])
    expect(places.filter((uri) => all.includes(uri)).sort()).toEqual(all.sort())
})

test('two Creates of a fetched status notify once', async () => {
  const note = published()
  await find(note.id)
  await fixture.sendActivity(fixture.rita, 'Create', note)
  const again = makeActivity(fixture.rita, 'Create', note)
  await fixture.harness.outcome(fixture.remote, again, { as: fixture.rita })
  expect(await mentioned(note.id)).toBe(1)
})

test.each(['found by search', 'boosted', 'answered', 'quoted'])(
  'a status without to and cc that was first %s has the addressing of its Create',
  async (way) => {
    const { to, cc, ...note } = published()
    fixture.remote.publish(new URL(note.id).pathname, note)
    await ways[way]?.(note)
    await fixture.harness.waitForIdle()
    expect(await fixture.shown(note.id)).toBeNull()
    await fixture.sendActivity(fixture.rita, 'Create', note, { to, cc })
    expect(await fixture.shown(note.id)).toMatchObject({ visibility: 'public' })
    expect(await home()).toContain(note.id)
    expect(await mentioned(note.id)).toBe(1)
  },
)

describe('a status without to and cc, named by its id in a Create', () => {
  const bare = (extra: Document = {}) => {
    const { to, cc, ...note } = published(extra)
    fixture.remote.publish(new URL(note.id).pathname, note)
    return { note, addressing: { to, cc } }
  }

  test('has the addressing of the Create', async () => {
    const { note, addressing } = bare()
    expect(await fixture.sendActivity(fixture.rita, 'Create', note.id, addressing)).toBe('done')
    expect(await fixture.shown(note.id)).toMatchObject({ visibility: 'public' })
    expect(await mentioned(note.id)).toBe(1)
  })

  test('is for followers if the Create is, and may be read by local addressees', async () => {
    const { note } = bare({ tag: [] })
    const addressing = { to: [fixture.rita.followers], cc: [`${alice.uri}/`] }
    expect(await fixture.sendActivity(fixture.rita, 'Create', note.id, addressing)).toBe('done')
    expect(await fixture.shown(note.id)).toMatchObject({ visibility: 'private' })
    const { records } = await fixture.harness.call(statusRecords, { uris: [note.id] })
    expect(records[0]?.mentions).toEqual([alice.id])
  })

  test('has its present text, and the addressing of its copy, if it was edited before its old Create', async () => {
    const { note, addressing } = bare({ published: new Date(Date.now() - 2 * 86_400_000).toISOString() })
    const current = { ...note, content: '<p>corrected</p>', updated: new Date().toISOString() }
    const edit = { ...current, ...addressing }
    fixture.remote.publish(new URL(note.id).pathname, current)
    expect(await fixture.sendActivity(fixture.rita, 'Update', edit)).toBe('ignored unknown-object')
    const none = { to: undefined, cc: undefined }
    expect(await fixture.sendActivity(fixture.rita, 'Create', { ...note, ...addressing }, none)).toBe('done')
    expect(await fixture.shown(note.id)).toMatchObject({ visibility: 'public', content: '<p>corrected</p>' })
  })

  test('is found by the address of the Create', async () => {
    const { note, addressing } = bare()
    const create = makeActivity(fixture.rita, 'Create', note.id, addressing)
    fixture.remote.publish(new URL(create.id as string).pathname, create)
    await find(create.id as string)
    await fixture.harness.waitForIdle()
    expect(await fixture.shown(note.id)).toMatchObject({ visibility: 'public' })
  })
})
