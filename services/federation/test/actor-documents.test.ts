/** Actor documents and collections over HTTP: content, redirects of browsers, and suspension. */
import { moderateAccount } from '@murmuration/contracts/accounts'
import { makeActivity, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'

const ACTIVITY = 'application/activity+json'
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
type Json = Record<string, unknown>

let harness: Harness
let bob: Awaited<ReturnType<Harness['createAccount']>>
let remote: RemoteServer
let rita: RemoteActor

const get = (url: string, headers: Record<string, string> = { accept: ACTIVITY }) =>
  fetch(url, { headers, redirect: 'manual' })
const read = async (url: string): Promise<Json> => (await get(url)).json() as Promise<Json>

beforeAll(async () => {
  harness = await startHarness()
  bob = await harness.createAccount('bob')
  remote = await harness.server()
  rita = await remote.addActor('rita')
})
afterAll(() => harness.stop())

test('an actor document is served by id and by user name', async () => {
  const answer = await get(bob.uri)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/activity+json; charset=utf-8')
  expect(answer.headers.get('cache-control')).toBe('max-age=180, public')
  expect(answer.headers.get('vary')).toBe('Accept, Signature, Signature-Input')
  const document = (await answer.json()) as Json
  expect(document).toMatchObject({
    id: bob.uri,
    type: 'Person',
    preferredUsername: 'bob',
    webfinger: `bob@${new URL(harness.origin).host}`,
    url: `${harness.origin}/@bob`,
    inbox: `${bob.uri}/inbox`,
    outbox: `${bob.uri}/outbox`,
    followers: `${bob.uri}/followers`,
    featured: `${bob.uri}/collections/featured`,
    endpoints: { sharedInbox: `${harness.origin}/inbox` },
    publicKey: {
      id: `${bob.uri}#main-key`,
      owner: bob.uri,
      publicKeyPem: expect.stringMatching(/^-----BEGIN PUBLIC KEY-----\n[\s\S]+\n$/),
    },
    manuallyApprovesFollowers: false,
  })
  expect(await read(`${harness.origin}/users/bob`)).toEqual(document)
})

test('S-045 O27 the instance actor has its document', async () => {
  const answer = await get(`${harness.origin}/actor`)
  expect(answer.headers.get('cache-control')).toBe('max-age=600, public')
  expect(answer.headers.get('vary')).toBe(null)
  expect(await answer.json()).toMatchObject({
    id: `${harness.origin}/actor`,
    type: 'Application',
    publicKey: { id: `${harness.origin}/actor#main-key`, owner: `${harness.origin}/actor` },
  })
  expect(await read(`${harness.origin}/actor/outbox`)).toMatchObject({ type: 'OrderedCollection', totalItems: 0 })
})

test.each([
  [BROWSER, 302],
  ['text/html', 302],
  ['text/html;q=0.5, application/activity+json', 200],
  ['application/activity+json, text/html', 200],
  ['application/ld+json; profile="https://www.w3.org/ns/activitystreams"', 200],
  ['application/json', 200],
  ['*/*', 200],
])('Accept: %s gives %i', async (accept, status) => {
  const answer = await get(bob.uri, { accept })
  expect(answer.status).toBe(status)
  expect(answer.headers.get('location')).toBe(status === 302 ? `${harness.origin}/@bob` : null)
})

test('unknown and invalid ids and names return 404', async () => {
  for (const path of [
    '/ap/users/1',
    '/ap/users/x',
    '/ap/users/99999999999999999999',
    '/users/nobody',
    '/users/-99',
    '/ap/users/-99',
  ])
    expect([path, (await get(`${harness.origin}${path}`)).status]).toEqual([path, 404])
  expect((await get(`${harness.origin}/users/nobody`, { accept: BROWSER })).status).toBe(404)
})

test('the followers collection has a root with the count, and pages of actor ids', async () => {
  expect(await read(`${bob.uri}/followers`)).toMatchObject({ totalItems: 0, first: `${bob.uri}/followers?page=1` })
  expect(await harness.outcome(remote, makeActivity(rita, 'Follow', bob.uri), { as: rita })).toBe('done')
  expect(await read(`${bob.uri}/followers`)).toMatchObject({ type: 'OrderedCollection', totalItems: 1 })
  expect(await read(`${bob.uri}/followers?page=1`)).toMatchObject({
    type: 'OrderedCollectionPage',
    partOf: `${bob.uri}/followers`,
    orderedItems: [rita.id],
  })
  expect(await read(`${bob.uri}/followers?page=nonsense`)).toMatchObject({ id: `${bob.uri}/followers?page=1` })
  expect(await read(`${bob.uri}/followers?page=999999`)).toMatchObject({ orderedItems: [] })
  expect(await read(`${bob.uri}/following`)).toMatchObject({ totalItems: 0 })
})

test('featured hashtags are an empty collection', async () => {
  expect(await read(`${bob.uri}/collections/tags`)).toMatchObject({ type: 'Collection', items: [] })
})

test('A050 the response to a signed request must not be shared by caches', async () => {
  const answer = await remote.fetch(bob.uri, { as: rita })
  expect(answer.status).toBe(200)
  expect(answer.headers['cache-control']).toBe('private, no-store')
  expect(answer.headers.vary).toContain('Signature')
})

test('an invalid signature counts as none if signatures are optional', async () => {
  const answer = await remote.fetch(bob.uri, { as: { ...rita, keyId: `${remote.origin}/users/unknown#main-key` } })
  expect(answer.status).toBe(200)
})

test('a signed request of a blocked server returns 403', async () => {
  await harness.policy({
    blocks: [{ domain: '127.0.0.1', severity: 'suspend', reject_media: false, reject_reports: false }],
  })
  expect((await remote.fetch(bob.uri, { as: rita })).status).toBe(403)
  await harness.policy({})
})

test('a suspended account: the actor says so, other documents return 403, and the inbox accepts activities', async () => {
  const carl = await harness.createAccount('carl')
  await harness.call(moderateAccount, { id: carl.id, action: 'suspend', stamp: '1' })
  expect(await read(carl.uri)).toMatchObject({ id: carl.uri, suspended: true, name: 'carl', summary: '' })
  for (const tail of ['/outbox', '/followers', '/collections/featured'])
    expect((await get(`${carl.uri}${tail}`)).status).toBe(403)
  const answer = await harness.deliver(remote, makeActivity(rita, 'Follow', carl.uri), {
    as: rita,
    to: new URL(`${carl.uri}/inbox`).pathname,
  })
  expect(answer.status).toBe(202)
  expect((await get(`${harness.origin}/.well-known/webfinger?resource=${encodeURIComponent(carl.uri)}`)).status).toBe(
    200,
  )
})
