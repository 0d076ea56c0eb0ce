/** AUTHORIZED_FETCH: documents only for signed requests; discovery and the instance actor for every client. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createBlock } from '@murmuration/contracts/accounts'
import { routedOperations } from '@murmuration/contracts/registry'
import { createStatus, statusRecords } from '@murmuration/contracts/statuses'
import { repository } from '@murmuration/testkit'
import type { RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

let harness: Harness
let bob: Awaited<ReturnType<Harness['createAccount']>>
let remote: RemoteServer
let rita: RemoteActor

const get = (url: string, headers: Record<string, string> = { accept: 'application/activity+json' }) =>
  fetch(url, { headers, redirect: 'manual' })

beforeAll(async () => {
  harness = await startHarness({ AUTHORIZED_FETCH: 'true' })
  bob = await harness.createAccount('bob')
  remote = await harness.server()
  rita = await remote.addActor('rita')
})
afterAll(() => harness.stop())

test('without a signature: 401, except for the instance actor and discovery', async () => {
  for (const path of ['', '/outbox', '/followers', '/collections/featured'])
    expect((await get(`${bob.uri}${path}`)).status).toBe(401)
  expect((await get(`${harness.origin}/actor`)).status).toBe(200)
  expect((await get(`${harness.origin}/.well-known/webfinger?resource=${encodeURIComponent(bob.uri)}`)).status).toBe(
    200,
  )
  expect((await get(`${harness.origin}/.well-known/nodeinfo`)).status).toBe(200)
})

test('FEDERATION.md names all documents that need no signature', async () => {
  const paths = routedOperations()
    .filter(({ service, viewer }) => service === 'federation' && viewer.kind === 'anyone')
    .flatMap(({ http }) => http.filter(({ method }) => method === 'GET').map(({ path }) => path))
  const answers = await Promise.all(paths.map((path) => get(`${harness.origin}${path.replaceAll(/:\w+/g, '1')}`)))
  const open = paths.filter((_, i) => answers[i]?.status !== 401)
  expect(new Set(open)).toEqual(
    new Set([
      ...['/actor', '/actor/outbox', '/emojis/:shortcode', '/.well-known/webfinger'],
      ...['/.well-known/host-meta', '/.well-known/host-meta.json', '/.well-known/nodeinfo', '/nodeinfo/2.0'],
    ]),
  )
  expect(readFileSync(join(repository(), 'FEDERATION.md'), 'utf8').replaceAll(/\s+/g, ' ')).toContain(
    'The exceptions are the instance actor and its outbox, custom emoji, WebFinger, host-meta and NodeInfo.',
  )
})

test.each(['cavage', 'rfc9421'] as const)('with a valid %s signature: 200, not cacheable', async (scheme) => {
  const actor = await remote.addActor(`reader${scheme}`)
  const answer = await remote.fetch(bob.uri, { as: actor, scheme })
  expect(answer.status).toBe(200)
  expect(answer.headers['cache-control']).toBe('private, no-store')
})

test('an invalid signature: 401', async () => {
  const other = await remote.addActor('other')
  expect((await remote.fetch(bob.uri, { as: { ...rita, privateKey: other.privateKey } })).status).toBe(401)
  expect(
    (await remote.fetch(bob.uri, { as: { ...rita, keyId: `${remote.origin}/users/unknown#main-key` } })).status,
  ).toBe(401)
})

test('browsers are sent to the page all the same', async () => {
  expect((await get(bob.uri, { accept: BROWSER })).headers.get('location')).toBe(`${harness.origin}/@bob`)
})

test('A050 a blocked actor gets empty lists', async () => {
  await remote.fetch(bob.uri, { as: rita })
  const account = await harness.account(rita.id)
  await harness.call(createBlock, { id: account?.id ?? '' }, bob)
  expect((await remote.fetch(`${bob.uri}/outbox`, { as: rita })).json()).toMatchObject({ totalItems: 0 })
})

test('A050 statuses by an author that blocks the client are not among replies to others, nor in a conversation', async () => {
  const eve = await harness.createAccount('eve')
  const write = async (status: string, as: typeof bob, in_reply_to_id?: string) => {
    const { id } = await harness.call(createStatus, { status, ...(in_reply_to_id ? { in_reply_to_id } : {}) }, as)
    return { id, uri: (await harness.call(statusRecords, { ids: [id] })).records[0]?.uri ?? '' }
  }
  const vera = await remote.addActor('vera')
  const root = await write('by eve', eve)
  await write('an answer by bob', bob, root.id)
  const own = await write('by bob', bob)
  const page = `${root.uri}/replies?only_other_accounts=true&page=true`
  const items = async (as: RemoteActor) =>
    ((await remote.fetch(page, { as })).json() as { items: unknown[] }).items.length
  expect([await items(vera), await items(rita)]).toEqual([1, 0])
  const context = `${harness.origin}/ap/contexts/${own.id}`
  const answers = [await remote.fetch(context, { as: vera }), await remote.fetch(context, { as: rita })]
  expect(answers.map((it) => it.status)).toEqual([200, 404])
})
