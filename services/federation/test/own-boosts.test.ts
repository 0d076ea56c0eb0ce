/** A reblog of an own followers-only status contains the status, because other servers cannot fetch it. */
import { addReblog, createStatus, deleteStatus, removeReblog, statusRecords } from '@murmuration/contracts/statuses'
import { type Document, makeActivity } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
let ada: Awaited<ReturnType<Harness['createAccount']>>
let early: RemoteServer
let late: RemoteServer
let other: RemoteServer

beforeAll(async () => {
  harness = await startHarness()
  ada = await harness.createAccount('ada')
  ;[early, late, other] = [await harness.server(), await harness.server(), await harness.server()]
})
afterAll(() => harness.stop())
beforeEach(() => {
  for (const server of [early, late, other]) server.inbox.clear()
})

const follows = async (server: RemoteServer, name: string) => {
  const as = await server.addActor(name)
  await harness.outcome(server, makeActivity(as, 'Follow', ada.uri), { as })
  return as
}
const heard = (server: RemoteServer, type: string): Document[] =>
  server.inbox.all.map((it) => it.activity).filter((it) => it.type === type)
const write = async (visibility: string) => {
  const { id } = await harness.call(createStatus, { status: 'for you', visibility } as never, ada)
  const uri = (await harness.call(statusRecords, { ids: [id] })).records[0]?.uri as string
  await harness.waitForIdle()
  return { id, uri }
}

test('a new follower can read the whole reblog, and receives its Undo', async () => {
  await follows(early, 'eve')
  const status = await write('private')
  expect(heard(early, 'Create')).toHaveLength(1)
  const lea = await follows(late, 'lea')
  const boost = await harness.call(addReblog, { id: status.id }, ada)
  await harness.waitForIdle()
  const followers = `${ada.uri}/followers`
  for (const server of [early, late])
    expect(heard(server, 'Announce')).toMatchObject([
      {
        actor: ada.uri,
        to: [followers],
        cc: [ada.uri],
        object: { id: status.uri, type: 'Note', attributedTo: ada.uri, content: '<p>for you</p>', to: [followers] },
      },
    ])
  expect(heard(other, 'Announce')).toEqual([])
  const read = await late.fetch(`${ada.uri}/statuses/${boost.id}/activity`, { as: lea })
  expect(JSON.parse(read.text)).toMatchObject({ type: 'Announce', object: { id: status.uri, type: 'Note' } })
  const blind = await fetch(`${ada.uri}/statuses/${boost.id}/activity`, {
    headers: { accept: 'application/activity+json' },
  })
  expect(blind.status).toBe(404)

  await harness.call(removeReblog, { id: status.id }, ada)
  await harness.waitForIdle()
  for (const server of [early, late])
    expect(heard(server, 'Undo')).toMatchObject([{ object: { type: 'Announce', actor: ada.uri, object: status.uri } }])
  await harness.call(deleteStatus, { id: status.id }, ada)
  await harness.waitForIdle()
  for (const server of [early, late])
    expect(heard(server, 'Delete')).toMatchObject([{ object: { id: status.uri, type: 'Tombstone' } }])
  expect(other.inbox.all).toEqual([])
})

test('a public status is reblogged by its address only', async () => {
  await follows(early, 'eli')
  for (const visibility of ['public', 'unlisted']) {
    early.inbox.clear()
    const status = await write(visibility)
    for (const audience of ['public', 'private']) {
      await harness.call(addReblog, { id: status.id, visibility: audience } as never, ada)
      await harness.waitForIdle()
      expect(heard(early, 'Announce').at(-1)?.object).toBe(status.uri)
      await harness.call(removeReblog, { id: status.id }, ada)
      await harness.waitForIdle()
    }
  }
})
