/** Effect of each severity of a domain block at every entry point. */
import { createFollow, listRelationships } from '@murmuration/contracts/accounts'
import { fetchActor, fetchObject } from '@murmuration/contracts/federation'
import { createStatus } from '@murmuration/contracts/statuses'
import { makeActivity, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
let bob: Awaited<ReturnType<Harness['createAccount']>>
let server: RemoteServer
let rita: RemoteActor
let count = 0

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())
beforeEach(async () => {
  bob = await harness.createAccount(`bob${++count}`)
  server = await harness.server()
  rita = await server.addActor('rita')
})
afterEach(() => harness.policy({}))

const rule = (severity: 'noop' | 'silence' | 'suspend', more: { reject_reports?: boolean } = {}) =>
  harness.policy({
    blocks: [{ domain: '127.0.0.1', severity, reject_media: false, reject_reports: false, stamp: 'block 1', ...more }],
  })
const from = (type: string, object: string) => makeActivity(rita, type, object)
const follow = () => harness.deliver(server, from('Follow', bob.uri), { as: rita })

describe.each(['noop', 'silence'] as const)('moderation 1: %s', (severity) => {
  test('activities are accepted, documents served, and objects fetched', async () => {
    await rule(severity)
    expect((await follow()).status).toBe(202)
    expect((await server.fetch(bob.uri, { as: rita })).status).toBe(200)
    const note = server.addNote(rita, 'Read me')
    expect(await harness.call(fetchObject, { url: note.id })).toMatchObject({ outcome: 'ok' })
  })

  test('statuses are delivered to followers there', async () => {
    await follow()
    await harness.waitForIdle()
    await rule(severity)
    await harness.call(createStatus, { status: 'hello' }, bob)
    await server.inbox.next(({ activity }) => activity.type === 'Create')
  })
})

test('moderation 1: accounts of a limited server are limited, and their follows need approval', async () => {
  await rule('silence')
  expect(await harness.outcome(server, from('Follow', bob.uri), { as: rita })).toBe('done pending')
  const account = await harness.account(rita.id)
  expect(account).toMatchObject({ silenced: true, suspended: false })
  const [relation] = await harness.call(listRelationships, { id: [account?.id ?? ''] }, bob)
  expect(relation).toMatchObject({ followed_by: false, requested_by: true })
})

test('moderation 1: accounts of a server with severity noop are not restricted', async () => {
  await rule('noop')
  expect(await harness.outcome(server, from('Follow', bob.uri), { as: rita })).toBe('done')
  expect(await harness.account(rita.id)).toMatchObject({ silenced: false })
})

test('moderation 1: a suspended server: no activities, no new accounts, no documents, no fetches', async () => {
  await rule('suspend')
  expect((await follow()).status).toBe(403)
  expect((await server.fetch(bob.uri, { as: rita })).status).toBe(403)
  expect((await fetch(bob.uri, { headers: { accept: 'application/activity+json' } })).status).toBe(200)
  const note = server.addNote(rita, 'Read me')
  expect(await harness.call(fetchObject, { url: note.id })).toMatchObject({ outcome: 'blocked' })
  expect(await harness.call(fetchActor, { uri: rita.id })).toMatchObject({ outcome: 'blocked' })
  expect(server.requests.all).toEqual([])
  expect(await harness.account(rita.id)).toBeNull()
})

test('moderation 1: nothing is delivered to a suspended server, and follows of its accounts are refused', async () => {
  await follow()
  await harness.waitForIdle()
  await server.inbox.next(({ activity }) => activity.type === 'Accept')
  const account = await harness.account(rita.id)
  await rule('suspend')
  const arrived = server.inbox.all.length
  await harness.call(createStatus, { status: 'not for them' }, bob)
  await harness.call(createFollow, { id: account?.id ?? '' }, bob).catch(() => undefined)
  await harness.waitForIdle()
  expect(server.inbox.all).toHaveLength(arrived)
})

test('moderation 1: reports are dropped with reject_reports, at any severity', async () => {
  await rule('silence', { reject_reports: true })
  const flag = makeActivity(rita, 'Flag', bob.uri, { object: [bob.uri] })
  expect(await harness.outcome(server, flag, { as: rita })).toBe('ignored reports-rejected')
  await rule('silence')
  expect(await harness.outcome(server, makeActivity(rita, 'Flag', bob.uri, { object: [bob.uri] }), { as: rita })).toBe(
    'done',
  )
})
