/** A deletion goes to those who got the status or read it, and to nobody else. */
import { addPin, createStatus, deleteStatus } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { makeActivity, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from './world.js'

let world: World
let reader: RemoteServer
let other: RemoteServer
let rita: RemoteActor
let ada: Awaited<ReturnType<World['person']>>

beforeAll(async () => {
  world = await startWorld()
  reader = await world.server()
  other = await world.server()
  rita = await reader.addActor('rita')
  const olaf = await other.addActor('olaf')
  ada = await world.person('ada')
  // Both are known here, and nobody follows anybody.
  for (const [server, as] of [
    [reader, rita],
    [other, olaf],
  ] as const)
    await world.outcome(server, makeActivity(as, 'Like', `${ada.uri}/statuses/1`), { as })
})
afterAll(() => world.stop())

const write = async (in_reply_to_id: string | null = null) => {
  const words = { status: 'read by one', visibility: 'public' as const, ...(in_reply_to_id ? { in_reply_to_id } : {}) }
  const status = await world.call(createStatus, words, ada)
  if (!('uri' in status)) throw new Error('it was put off')
  await world.settle()
  return status
}
const heard = (server: RemoteServer) => server.inbox.all.map((it) => it.activity.type)
const readers = async () =>
  (await world.db('federation').row<{ n: number }>(sql`select count(*)::int as n from readers`))?.n

test('a server that read a status hears when it is deleted; one that did not hears nothing', async () => {
  const [read, unread] = [await write(), await write()]
  for (let n = 0; n < 2; n++) expect((await reader.fetch(read.uri, { as: rita })).status).toBe(200)
  expect(await readers()).toBe(1)
  await world.call(deleteStatus, { id: read.id }, ada)
  await world.call(deleteStatus, { id: unread.id }, ada)
  await world.settle()
  expect([heard(reader), heard(other)]).toEqual([['Delete'], []])
  expect(reader.inbox.all[0]?.activity).toMatchObject({ object: { id: read.uri, type: 'Tombstone' } })
  expect(await readers()).toBe(0)
})

test('who read a status inside a list, or as its activity, hears as well', async () => {
  const root = await write()
  const answer = await write(root.id)
  await world.call(addPin, { id: root.id }, ada)
  const ways = [
    `${ada.uri}/outbox?page=true`,
    `${ada.uri}/collections/featured`,
    `${root.uri}/replies?page=true`,
    `${answer.uri}/activity`,
  ]
  const read: (number | undefined)[] = []
  for (const way of ways) {
    await world.db('federation').run(sql`delete from readers`)
    expect((await reader.fetch(way, { as: rita })).status, way).toBe(200)
    read.push(await readers())
  }
  expect(read).toEqual([expect.any(Number), 1, 1, 1])
  expect(read[0]).toBeGreaterThanOrEqual(2)
  const before = heard(reader).length
  await world.call(deleteStatus, { id: answer.id }, ada)
  await world.settle()
  expect(heard(reader).slice(before)).toEqual(['Delete'])
  expect(heard(other)).toEqual([])
})
