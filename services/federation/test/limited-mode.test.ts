/** Limited federation mode: an unlisted server is handled like a suspended one. */
import { NodeInfo } from '@murmuration/contracts/entities'
import { fetchActor, fetchObject } from '@murmuration/contracts/federation'
import { createStatus } from '@murmuration/contracts/statuses'
import { makeActivity, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
let bob: Awaited<ReturnType<Harness['createAccount']>>
let listed: { server: RemoteServer; actor: RemoteActor }
let other: { server: RemoteServer; actor: RemoteActor }

const allow = async (...domains: string[]): Promise<void> => {
  await harness.policy({ allows: domains })
  const policy = harness.host.running.find((one) => one.service === 'federation')?.ctx.policy
  const isThere = () =>
    ['127.0.0.1', '127.0.0.2'].every((domain) => policy?.allows(domain) === domains.includes(domain))
  await vi.waitUntil(isThere, { timeout: 30_000 })
}
const make = async (host: string) => {
  const server = await harness.server({ host })
  return { server, actor: await server.addActor('rita') }
}
const follows = ({ server, actor }: typeof listed) =>
  harness.deliver(server, makeActivity(actor, 'Follow', bob.uri), { as: actor })

beforeAll(async () => {
  harness = await startHarness({ LIMITED_FEDERATION_MODE: 'true' })
  bob = await harness.createAccount('bob')
  listed = await make('127.0.0.1')
  other = await make('127.0.0.2')
  await allow('127.0.0.1')
})
afterAll(() => harness.stop())

test('moderation 4: activities of unlisted servers are refused without a fetch, those of listed ones accepted', async () => {
  expect((await follows(other)).status).toBe(403)
  expect(other.server.requests.all).toEqual([])
  expect((await follows(listed)).status).toBe(202)
  await harness.waitForIdle()
  expect(await harness.account(other.actor.id)).toBeNull()
  expect(await harness.account(listed.actor.id)).not.toBeNull()
})

test('moderation 4: documents are served only to signed requests of listed servers', async () => {
  const unsigned = await fetch(bob.uri, { headers: { accept: 'application/activity+json' } })
  expect(unsigned.status).toBe(401)
  expect((await other.server.fetch(bob.uri, { as: other.actor })).status).toBe(403)
  expect((await listed.server.fetch(bob.uri, { as: listed.actor })).status).toBe(200)
})

test('moderation 4: nothing is fetched from unlisted servers, by address or by handle', async () => {
  const note = other.server.addNote(other.actor, 'Read me')
  expect(await harness.call(fetchObject, { url: note.id })).toMatchObject({ outcome: 'blocked', note: null })
  expect(await harness.call(fetchActor, { uri: other.actor.id })).toMatchObject({ outcome: 'blocked', actor: null })
  const handle = `rita@${new URL(other.server.origin).host}`
  expect(await harness.call(fetchActor, { handle })).toMatchObject({ outcome: 'blocked', actor: null })
  expect(other.server.requests.all).toEqual([])
  const read = listed.server.addNote(listed.actor, 'Read me')
  expect(await harness.call(fetchObject, { url: read.id })).toMatchObject({ outcome: 'ok' })
})

test('moderation 4: nothing is sent to a follower whose server left the list', async () => {
  await allow('127.0.0.1', '127.0.0.2')
  expect((await follows(other)).status).toBe(202)
  await harness.waitForIdle()
  await other.server.inbox.next(({ activity }) => activity.type === 'Accept')
  await allow('127.0.0.1')
  const arrived = other.server.inbox.all.length
  await harness.call(createStatus, { status: 'for those on the list' }, bob)
  await listed.server.inbox.next(({ activity }) => activity.type === 'Create')
  await harness.waitForIdle()
  expect(other.server.inbox.all).toHaveLength(arrived)
})

test('moderation 4: WebFinger names no avatar', async () => {
  const answer = await fetch(`${harness.origin}/.well-known/webfinger?resource=${encodeURIComponent(bob.uri)}`)
  const { links } = (await answer.json()) as { links: { rel: string }[] }
  expect(links.map((link) => link.rel)).not.toContain('http://webfinger.net/rel/avatar')
})

test('moderation 4: NodeInfo has the software and no counts', async () => {
  const info = NodeInfo.parse(await (await fetch(`${harness.origin}/nodeinfo/2.0`)).json())
  expect(info).toMatchObject({ software: { name: 'murmuration' }, usage: { users: {} } })
  expect([info.usage, info.metadata]).toEqual([
    { users: {} },
    { nodeName: 'Murmuration', upstream: { name: 'mastodon' }, source: `${harness.origin}/about#source` },
  ])
})
