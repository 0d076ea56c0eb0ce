/** A status that is known before its Create arrives still reaches the home feeds of followers and the people it mentions, once each. */
import { listNotifications } from '@murmuration/contracts/notifications'
import { homeTimeline, publicTimeline, search } from '@murmuration/contracts/statuses'
import { app as notifications } from '@murmuration/notifications'
import { type Document, makeActivity, PUBLIC } from '@murmuration/testkit/outside/remote-actor'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Stage, startStage } from './stage.js'

let stage: Stage
let alice: Awaited<ReturnType<Stage['world']['person']>>

beforeAll(async () => {
  stage = await startStage({}, [notifications])
  alice = await stage.world.person('alice')
  // Feeds are stored only for accounts that requested their home feed.
  await home()
})
afterAll(() => stage.world.stop())

const home = async () => (await stage.world.call(homeTimeline, {}, stage.bob)).map((one) => one.uri)
const mentioned = async (uri: string) =>
  (await stage.world.call(listNotifications, { types: ['mention'] }, stage.bob)).filter(
    (one) => 'status' in one && one.status?.uri === uri,
  ).length

/** A status of rita at its address, which mentions bob. */
const published = (extra: Document = {}) => {
  const note = stage.note(stage.rita, {
    tag: [{ type: 'Mention', href: stage.bob.uri, name: '@bob' }],
    cc: [stage.rita.followers, stage.bob.uri],
    ...extra,
  })
  stage.remote.publish(new URL(note.id).pathname, note)
  return note
}

const find = (uri: string) => stage.world.call(search, { q: uri, resolve: true }, alice)

const ways: Record<string, (note: Document & { id: string }) => Promise<unknown>> = {
  'found by search': ({ id }) => find(id),
  boosted: ({ id }) => stage.say(stage.rita, 'Announce', id, { to: [PUBLIC] }),
  answered: ({ id }) =>
    stage.say(
      stage.vera,
      'Create',
      stage.note(stage.vera, { inReplyTo: id, cc: [alice.uri], tag: [{ type: 'Mention', href: alice.uri }] }),
    ),
  quoted: ({ id }) =>
    stage.say(
      stage.vera,
      'Create',
      stage.note(stage.vera, { quote: id, cc: [alice.uri], tag: [{ type: 'Mention', href: alice.uri }] }),
    ),
}

test.each(Object.keys(ways))('a status that was first %s is added to home feeds and notifies once', async (way) => {
  const note = published()
  await ways[way]?.(note)
  await stage.world.settle()
  await stage.say(stage.rita, 'Create', note)
  await stage.say(stage.rita, 'Create', note)
  expect((await home()).filter((uri) => uri === note.id)).toHaveLength(1)
  expect(await mentioned(note.id)).toBe(1)
})

test('a recent fetched status is distributed, an old one is not', async () => {
  const [young, old] = [published(), published({ published: new Date(Date.now() - 7 * 3_600_000).toISOString() })]
  await find(young.id)
  await find(old.id)
  await stage.world.settle()
  expect(await mentioned(young.id)).toBe(1)
  expect(await mentioned(old.id)).toBe(0)
  expect(await home()).toContain(young.id)
  expect(await home()).not.toContain(old.id)
})

test('a fetched followers-only status reaches followers and no other feed', async () => {
  const note = published({ to: [stage.rita.followers], cc: [stage.bob.uri] })
  await stage.say(stage.rita, 'Announce', note.id, { to: [stage.rita.followers] })
  await stage.world.settle()
  expect(await home()).toContain(note.id)
  const others = (await stage.world.call(homeTimeline, {}, alice)).map((one) => one.uri)
  expect(others).not.toContain(note.id)
})

test('a thread whose replies arrive before their parents reaches home feeds and the public timeline', async () => {
  const first = stage.note(stage.rita)
  const second = stage.note(stage.rita, { inReplyTo: first.id })
  const third = stage.note(stage.rita, { inReplyTo: second.id })
  for (const note of [third, second, first]) await stage.say(stage.rita, 'Create', note)
  await stage.world.settle()
  const all = [third.id, second.id, first.id]
  const open = (await stage.world.call(publicTimeline, {}, stage.bob)).map((one) => one.uri)
  for (const places of [await home(), open])
    expect(places.filter((uri) => all.includes(uri)).sort()).toEqual(all.sort())
})

test('two Creates of a fetched status notify once', async () => {
  const note = published()
  await find(note.id)
  await stage.say(stage.rita, 'Create', note)
  const again = makeActivity(stage.rita, 'Create', note)
  await stage.world.outcome(stage.remote, again, { as: stage.rita })
  expect(await mentioned(note.id)).toBe(1)
})
