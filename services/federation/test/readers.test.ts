/** A Delete is sent to servers that received or fetched the status, and to no other. */
import { addPin, createStatus, deleteStatus } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { makeActivity, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../src/context.js'
import { deleteDeliveries } from '../src/delivery/ticks.js'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
let reader: RemoteServer
let other: RemoteServer
let rita: RemoteActor
let ada: Awaited<ReturnType<Harness['createAccount']>>

beforeAll(async () => {
  harness = await startHarness()
  reader = await harness.server()
  other = await harness.server()
  rita = await reader.addActor('rita')
  const olaf = await other.addActor('olaf')
  ada = await harness.createAccount('ada')
  // Both actors are stored, and there are no follows.
  for (const [server, as] of [
    [reader, rita],
    [other, olaf],
  ] as const)
    await harness.outcome(server, makeActivity(as, 'Like', `${ada.uri}/statuses/1`), { as })
})
afterAll(() => harness.stop())

const write = async (in_reply_to_id: string | null = null) => {
  const words = { status: 'read by one', visibility: 'public' as const, ...(in_reply_to_id ? { in_reply_to_id } : {}) }
  const status = await harness.call(createStatus, words, ada)
  if (!('uri' in status)) throw new Error('it was put off')
  await harness.waitForIdle()
  return status
}
const heard = (server: RemoteServer) => server.inbox.all.map((it) => it.activity.type)
const federation = () => harness.host.running.find((one) => one.service === 'federation')?.ctx as unknown as Context
/** Runs the upkeep so many days from now. */
const daysLater = async (days: number) => {
  federation().clock.moveTo(days * 86_400_000)
  await deleteDeliveries.run(federation())
  federation().clock.moveTo(0)
}
const readers = async () =>
  (await harness.db('federation').row<{ n: number }>(sql`select count(*)::int as n from readers`))?.n

test('a server that fetched a status receives its Delete; one that did not receives nothing', async () => {
  const [read, unread] = [await write(), await write()]
  for (let n = 0; n < 2; n++) expect((await reader.fetch(read.uri, { as: rita })).status).toBe(200)
  expect(await readers()).toBe(1)
  await harness.call(deleteStatus, { id: read.id }, ada)
  await harness.call(deleteStatus, { id: unread.id }, ada)
  await harness.waitForIdle()
  expect([heard(reader), heard(other)]).toEqual([['Delete'], []])
  expect(reader.inbox.all[0]?.activity).toMatchObject({ object: { id: read.uri, type: 'Tombstone' } })
  expect(await readers()).toBe(0)
})

test('a reader of a status in a collection, or of its activity, receives its Updates too', async () => {
  const root = await write()
  const answer = await write(root.id)
  await harness.call(addPin, { id: root.id }, ada)
  const ways = [
    `${ada.uri}/outbox?page=true`,
    `${ada.uri}/collections/featured`,
    `${root.uri}/replies?page=true`,
    `${answer.uri}/activity`,
  ]
  const read: (number | undefined)[] = []
  for (const way of ways) {
    await harness.db('federation').run(sql`delete from readers`)
    expect((await reader.fetch(way, { as: rita })).status, way).toBe(200)
    read.push(await readers())
  }
  expect(read).toEqual([expect.any(Number), 1, 1, 1])
  expect(read[0]).toBeGreaterThanOrEqual(2)
  const before = heard(reader).length
  await harness.call(deleteStatus, { id: answer.id }, ada)
  await harness.waitForIdle()
  expect(heard(reader).slice(before)).toEqual(['Delete'])
  expect(heard(other)).toEqual([])
})

test('old readers are folded into one row, and receive the Delete as well', async () => {
  const read = await write()
  expect((await reader.fetch(read.uri, { as: rita })).status).toBe(200)
  await daysLater(31)
  expect(await readers()).toBe(0)
  // A second request stores no new reader.
  expect((await reader.fetch(read.uri, { as: rita })).status).toBe(200)
  expect(await readers()).toBe(0)
  const before = heard(reader).length
  await harness.call(deleteStatus, { id: read.id }, ada)
  await harness.waitForIdle()
  expect(heard(reader).slice(before)).toEqual(['Delete'])
  expect(await harness.db('federation').rows(sql`select 1 from old_readers where status_id = ${read.id}`)).toEqual([])
})

test('hostile 19 one host with many inboxes is stored a few times', async () => {
  const read = await write()
  for (let n = 0; n < 8; n++) {
    const as = await other.addActor(`one${n}`, { endpoints: {} })
    await harness.outcome(other, makeActivity(as, 'Like', `${ada.uri}/statuses/1`), { as })
    expect((await other.fetch(read.uri, { as })).status).toBe(200)
  }
  expect(await readers()).toBe(5)
  await harness.call(deleteStatus, { id: read.id }, ada)
  await harness.waitForIdle()
})

test('with very many readers, all delivery recipients of the author receive the Delete', async () => {
  const read = await write()
  await harness.db('federation').run(sql`insert into readers (status_id, inbox_id, author_id)
    select ${read.id}::bigint, -n, ${ada.id}::bigint from generate_series(1, 500) as n`)
  for (let n = 0; n < 2; n++) expect((await reader.fetch(read.uri, { as: rita })).status).toBe(200)
  expect(await readers()).toBe(501)
  const before = heard(reader).length
  await harness.call(deleteStatus, { id: read.id }, ada)
  await harness.waitForIdle()
  expect(heard(reader).slice(before)).toEqual(['Delete'])
})

test('readers of statuses of deleted authors are deleted', async () => {
  const [old, young] = [await write(), await write()]
  await reader.fetch(old.uri, { as: rita })
  await daysLater(31)
  await reader.fetch(young.uri, { as: rita })
  expect(await readers()).toBe(1)
  await harness.db('federation').run(sql`insert into gone_actors (account_id, uri) values (${ada.id}, ${ada.uri})`)
  await daysLater(0)
  expect(await readers()).toBe(0)
  expect(await harness.db('federation').rows(sql`select 1 from old_readers`)).toEqual([])
})
