/** Servers whose accounts favourite, reblog, reply to, quote or vote receive the Updates and the Delete of the status. */
import { createStatus, deleteStatus, editStatus, statusRecords } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { type Document, makeActivity, PUBLIC, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
let ada: Awaited<ReturnType<Harness['createAccount']>>

beforeAll(async () => {
  harness = await startHarness()
  ada = await harness.createAccount('ada')
})
afterAll(() => harness.stop())

const write = async (more: object = {}) => {
  const made = await harness.call(createStatus, { status: 'found by a search', ...more } as never, ada)
  const [record] = (await harness.call(statusRecords, { ids: [made.id] })).records
  await harness.waitForIdle()
  return { id: made.id, uri: record?.uri as string }
}
const heard = (server: RemoteServer) => server.inbox.all.map((it) => it.activity.type)
const endOf = async (id: string) => {
  await harness.call(editStatus, { id, status: 'said otherwise' } as never, ada)
  await harness.waitForIdle()
  await harness.call(deleteStatus, { id }, ada)
  await harness.waitForIdle()
}
const noteBy = (tom: RemoteActor, more: object): Document => ({
  '@context': 'https://www.w3.org/ns/activitystreams',
  id: `${tom.id}/statuses/1`,
  type: 'Note',
  attributedTo: tom.id,
  content: 'hi',
  to: [PUBLIC],
  cc: [ada.uri],
  ...more,
})

const ways: [string, (tom: RemoteActor, uri: string) => Document][] = [
  ['Like', (tom, uri) => makeActivity(tom, 'Like', uri)],
  ['EmojiReact', (tom, uri) => ({ ...makeActivity(tom, 'EmojiReact', uri), content: '🐦' })],
  ['Announce', (tom, uri) => makeActivity(tom, 'Announce', uri, { to: [PUBLIC] })],
  ['answer', (tom, uri) => makeActivity(tom, 'Create', noteBy(tom, { inReplyTo: uri }), { to: [PUBLIC] })],
  ['quote', (tom, uri) => makeActivity(tom, 'Create', noteBy(tom, { quote: uri }), { to: [PUBLIC] })],
]
test.each(ways)('after a %s its server receives Update and Delete, another one nothing', async (_, made) => {
  const [third, other] = [await harness.server(), await harness.server()]
  const [tom, olaf] = [await third.addActor('tom'), await other.addActor('olaf')]
  const status = await write()
  const rest = await write()
  await harness.outcome(other, makeActivity(olaf, 'Like', rest.uri), { as: olaf })
  expect(await harness.outcome(third, made(tom, status.uri), { as: tom })).toBe('done')
  third.inbox.clear()
  await endOf(status.id)
  expect([heard(third), heard(other)]).toEqual([['Update', 'Delete'], []])
  expect(third.inbox.all[0]?.activity).toMatchObject({ object: { id: status.uri } })
})

test.each(ways)('a %s received after the Delete was sent causes the Delete to its server', async (_, made) => {
  const third = await harness.server()
  const tom = await third.addActor('tom')
  const status = await write()
  await harness.call(deleteStatus, { id: status.id }, ada)
  await harness.waitForIdle()
  expect(heard(third)).toEqual([])
  await harness.outcome(third, made(tom, status.uri), { as: tom })
  await harness.waitForIdle()
  expect(heard(third)).toEqual(['Delete'])
  expect(third.inbox.all[0]?.activity).toMatchObject({ object: { id: status.uri } })
})

test.each(ways)('after a %s of a hidden status by a guessed address its server receives nothing', async (_, made) => {
  const third = await harness.server()
  const tom = await third.addActor('tom')
  for (const visibility of ['private', 'direct']) {
    const status = await write({ visibility })
    const activity = made(tom, status.uri)
    await harness.outcome(third, activity, { as: tom })
    await endOf(status.id)
    // The same again, after the deletion.
    await harness.outcome(third, { ...activity, id: `${tom.id}/again/${visibility}` }, { as: tom })
    await harness.waitForIdle()
  }
  expect(heard(third)).toEqual([])
})

test('after a vote its server receives the Delete', async () => {
  const third = await harness.server()
  const tom = await third.addActor('tom')
  const status = await write({ poll: { options: ['a', 'b'], expires_in: 3600 } })
  const vote = {
    id: `${tom.id}/v1`,
    type: 'Note',
    name: 'a',
    attributedTo: tom.id,
    inReplyTo: status.uri,
    to: [ada.uri],
  }
  expect(await harness.outcome(third, makeActivity(tom, 'Create', vote, { to: [ada.uri] }), { as: tom })).toBe('done')
  await harness.call(deleteStatus, { id: status.id }, ada)
  await harness.waitForIdle()
  expect(heard(third)).toContain('Delete')
})

test('a reader with a known key receives the edit too', async () => {
  const third = await harness.server()
  const tom = await third.addActor('tom')
  await harness.outcome(third, makeActivity(tom, 'Like', `${ada.uri}/statuses/1`), { as: tom })
  const status = await write()
  expect((await third.fetch(status.uri, { as: tom })).status).toBe(200)
  await endOf(status.id)
  expect(heard(third)).toEqual(['Update', 'Delete'])
})

test('a former follower that read a followers-only status receives its Delete and no later edits', async () => {
  const third = await harness.server()
  const tom = await third.addActor('tom')
  const follow = makeActivity(tom, 'Follow', ada.uri)
  const status = await write({ visibility: 'private' })
  await harness.outcome(third, follow, { as: tom })
  expect((await third.fetch(status.uri, { as: tom })).status).toBe(200)
  await harness.outcome(third, makeActivity(tom, 'Undo', follow), { as: tom })
  third.inbox.clear()
  await endOf(status.id)
  expect(heard(third)).toEqual(['Delete'])
})

test('a recipient is not recorded as a reader', async () => {
  const third = await harness.server()
  const tom = await third.addActor('tom')
  await harness.outcome(third, makeActivity(tom, 'Follow', ada.uri), { as: tom })
  const status = await write()
  expect(heard(third)).toContain('Create')
  expect(await harness.outcome(third, makeActivity(tom, 'Like', status.uri), { as: tom })).toBe('done')
  expect(await harness.db('federation').rows(sql`select 1 from readers where status_id = ${status.id}`)).toEqual([])
  third.inbox.clear()
  await endOf(status.id)
  expect(heard(third)).toEqual(['Update', 'Delete'])
})
