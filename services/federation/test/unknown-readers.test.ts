/** Readers that sign with an unknown key get a response at once, are verified afterwards, and receive edits and the Delete. */
import { app } from '@murmuration/accounts'
import { moderateAccount } from '@murmuration/contracts/accounts'
import { createStatus, deleteStatus, editStatus, statusRecords } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { beginInWindow } from '@murmuration/testkit'
import { request } from '@murmuration/testkit/outside/http-client'
import { makeRsaKeys, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer, SendOptions } from '@murmuration/testkit/outside/remote-server'
import { signHeaders } from '@murmuration/testkit/outside/signing'
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
const readersOf = (id: string) =>
  harness.db('federation').rows<{ url: string }>(sql`select i.url from readers r join inboxes i on i.id = r.inbox_id
    where r.status_id = ${id}`)
const reads = async (server: RemoteServer, uri: string, how: SendOptions) => {
  const { status } = await server.fetch(uri, how)
  await harness.waitForIdle()
  return status
}
const unknownServer = async () => {
  const server = await harness.server()
  return { server, tom: await server.addActor('tom') }
}

test.each(['cavage', 'rfc9421'] as const)(
  'a reader that signs by %s receives Update and Delete; another server receives nothing',
  async (scheme) => {
    const [{ server, tom }, other] = [await unknownServer(), await unknownServer()]
    const [status, rest] = [await write(), await write()]
    expect(await reads(server, status.uri, { as: tom, scheme })).toBe(200)
    expect(await reads(other.server, rest.uri, { as: other.tom, scheme })).toBe(200)
    expect(await readersOf(status.id)).toEqual([{ url: `${server.origin}/inbox` }])
    await harness.call(editStatus, { id: status.id, status: 'said otherwise' } as never, ada)
    await harness.waitForIdle()
    await harness.call(deleteStatus, { id: status.id }, ada)
    await harness.waitForIdle()
    expect([heard(server), heard(other.server)]).toEqual([['Update', 'Delete'], []])
    expect(server.inbox.all[0]?.activity).toMatchObject({ object: { id: status.uri } })
    expect(await readersOf(status.id)).toEqual([])
  },
)

test('a reader of a list of statuses is recorded for each of them, once however often it reads', async () => {
  const { server, tom } = await unknownServer()
  const root = await write()
  const answer = await write({ in_reply_to_id: root.id })
  expect(await reads(server, `${root.uri}/replies?page=true`, { as: tom })).toBe(200)
  const asked = server.requests.all.length
  for (const uri of [root.uri, `${root.uri}/activity`, root.uri])
    expect(await reads(server, uri, { as: tom })).toBe(200)
  expect([await readersOf(root.id), await readersOf(answer.id)]).toEqual([
    [{ url: `${server.origin}/inbox` }],
    [{ url: `${server.origin}/inbox` }],
  ])
  // Its key is stored by now.
  expect(server.requests.all.length).toBe(asked)
})

test('hostile 19 a signature with a wrong, foreign or missing key records no reader', async () => {
  const { server, tom } = await unknownServer()
  const evil = await unknownServer()
  const status = await write()
  const { privateKey } = await makeRsaKeys()
  const guises: RemoteActor[] = [
    { ...tom, privateKey },
    { ...evil.tom, keyId: tom.keyId },
    { ...tom, keyId: `${server.origin}/users/none#main-key` },
  ]
  for (const as of guises) expect(await reads(server, status.uri, { as })).toBe(200)
  // A key document that names an owner on another server is refused.
  const stolen = `${evil.server.origin}/keys/1`
  evil.server.publish('/keys/1', {
    '@context': 'https://w3id.org/security/v1',
    id: stolen,
    owner: tom.id,
    publicKeyPem: evil.tom.publicKey,
  })
  expect(await reads(evil.server, status.uri, { as: { ...evil.tom, keyId: stolen } })).toBe(200)
  expect(await readersOf(status.id)).toEqual([])
  await harness.call(deleteStatus, { id: status.id }, ada)
  await harness.waitForIdle()
  expect([heard(server), heard(evil.server)]).toEqual([[], []])
})

test('hostile 19 private addresses and blocked servers are not requested for keys', async () => {
  const { server, tom } = await unknownServer()
  const status = await write()
  for (const host of ['10.0.0.1', '169.254.169.254', '[::1]'])
    expect(await reads(server, status.uri, { as: { ...tom, keyId: `http://${host}/key` } })).toBe(200)
  const blocked = { domain: '127.0.0.1', severity: 'suspend', reject_media: false, reject_reports: false } as never
  await harness.policy({ blocks: [blocked] })
  expect(await reads(server, status.uri, { as: tom })).toBe(403)
  await harness.policy({})
  expect(server.requests.all).toEqual([])
  expect(await readersOf(status.id)).toEqual([])
})

test('an old signature, and one for another address, record no reader', async () => {
  const { server, tom } = await unknownServer()
  const [status, other] = [await write(), await write()]
  const now = new Date(Date.now() - 7_200_000)
  for (const scheme of ['cavage', 'rfc9421'] as const)
    expect(await reads(server, status.uri, { as: tom, scheme, now })).toBe(200)
  const elsewhere = { scheme: 'cavage', method: 'GET', url: other.uri, ...tom } as const
  const { status: answer } = await request(status.uri, { method: 'GET', headers: signHeaders(elsewhere) })
  expect(answer).toBe(200)
  await harness.waitForIdle()
  expect(await readersOf(status.id)).toEqual([])
  expect(await reads(server, other.uri, { as: tom })).toBe(200)
  expect(await readersOf(other.id)).toHaveLength(1)
})

test('hostile 106 sixty requests with keys of one host are verified in ten minutes', async () => {
  const server = await harness.server({ name: 'localhost' })
  const tom = await server.addActor('tom')
  const status = await write()
  const fetchAs = (n: number) => server.fetch(status.uri, { as: { ...tom, keyId: `${server.origin}/keys/${n}` } })
  await beginInWindow(10)
  for (let n = 0; n < 7; n++) await Promise.all(Array.from({ length: 10 }, (_, i) => fetchAs(10 * n + i)))
  await harness.waitForIdle()
  const asked = server.requests.all.filter((it) => it.path.startsWith('/keys/'))
  expect(asked.length).toBeGreaterThan(0)
  expect(asked.length).toBeLessThanOrEqual(60)
  expect(await readersOf(status.id)).toEqual([])
})

test('requests do not wait for an unavailable key; it is fetched again, and a meanwhile Delete is sent', async () => {
  const { server, tom } = await unknownServer()
  const [status, ended] = [await write(), await write()]
  server.behave({ kind: 'hang' }, { path: '/users/tom' })
  const began = Date.now()
  for (const { uri } of [status, ended]) expect((await server.fetch(uri, { as: tom })).status).toBe(200)
  // The fetch of the key has a time-out of nine seconds.
  expect(Date.now() - began).toBeLessThan(5_000)
  await server.requests.next((it) => it.path === '/users/tom')
  expect(await readersOf(status.id)).toEqual([])
  await harness.call(deleteStatus, { id: ended.id }, ada)
  server.repair()
  await harness.waitForIdle()
  expect([await readersOf(status.id), await readersOf(ended.id)]).toEqual([[{ url: `${server.origin}/inbox` }], []])
  expect(server.inbox.all.map(({ activity }) => [activity.type, (activity.object as { id: string }).id])).toEqual([
    ['Delete', ended.uri],
  ])
})

test('a reader that is verified after the author left receives the deletion', async () => {
  const [{ server, tom }, other] = [await unknownServer(), await unknownServer()]
  const eva = await harness.createAccount('eva')
  const { id } = await harness.call(createStatus, { status: 'soon gone' }, eva)
  const uri = (await harness.call(statusRecords, { ids: [id] })).records[0]?.uri as string
  await harness.waitForIdle()
  server.behave({ kind: 'hang' }, { path: '/users/tom' })
  expect((await server.fetch(uri, { as: tom })).status).toBe(200)
  await server.requests.next((it) => it.path === '/users/tom')
  await harness.call(moderateAccount, { id: eva.id, action: 'suspend', stamp: 'staff' })
  const accounts = harness.host.running.find((one) => one.service === 'accounts')?.ctx
  accounts?.clock.moveTo(31 * 86_400_000)
  await app.manifest.ticks.find((one) => one.name === 'accounts.remove-suspended')?.run(accounts as never)
  accounts?.clock.moveTo(0)
  server.repair()
  await harness.waitForIdle()
  expect([heard(server), heard(other.server)]).toEqual([['Delete'], []])
  expect(server.inbox.all[0]?.activity).toMatchObject({ object: eva.uri })
})

test('a reader at the time of the deletion receives it, in either order', async () => {
  const known = await unknownServer()
  // This request stores the actor.
  await reads(known.server, (await write()).uri, { as: known.tom })
  const statuses = await Promise.all(Array.from({ length: 24 }, () => write()))
  const read = new Set<string>()
  const readAndDelete = async ({ id, uri }: { id: string; uri: string }, n: number) => {
    const reading = known.server.fetch(uri, { as: known.tom })
    // Some statuses are fetched before the deletion, the others during it.
    if (n % 3 === 0) await reading
    const [{ status }] = await Promise.all([reading, harness.call(deleteStatus, { id }, ada)])
    if (status === 200) read.add(uri)
  }
  // Six at a time, so that a busy machine handles each within its deadline.
  for (let at = 0; at < statuses.length; at += 6) await Promise.all(statuses.slice(at, at + 6).map(readAndDelete))
  await harness.waitForIdle()
  const received = known.server.inbox.all.map(({ activity }) => (activity.object as { id: string }).id)
  expect(read.size).toBeGreaterThan(0)
  expect([...read].filter((uri) => !received.includes(uri))).toEqual([])
  expect(new Set(received).size).toBe(received.length)
  expect(
    await harness.db('federation').rows(sql`select 1 from readers
    where status_id = any(${statuses.map((it) => it.id)}::bigint[])`),
  ).toEqual([])
})

test('a server whose keys are unavailable can read like one that does not sign', async () => {
  const { server, tom } = await unknownServer()
  server.behave({ kind: 'status', status: 500 }, { method: 'GET' })
  const status = await write()
  const answers: number[] = []
  for (let n = 0; n < 26; n++) {
    const five = await Promise.all(Array.from({ length: 5 }, () => server.fetch(status.uri, { as: tom })))
    answers.push(...five.map((one) => one.status))
  }
  expect(new Set(answers)).toEqual(new Set([200]))
})
