// The fake remote server: signs and verifies both schemes, serves documents, records raw bytes, misbehaves on request.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { request } from './http-client.js'
import { makeActivity, type RemoteActor } from './remote-actor.js'
import { type RemoteServer, startRemoteServer } from './remote-server.js'
import { verifySigned } from './signing.js'

let here: RemoteServer
let there: RemoteServer
let alice: RemoteActor
let bob: RemoteActor

beforeAll(async () => {
  here = await startRemoteServer()
  there = await startRemoteServer()
  alice = await here.addActor('alice')
  bob = await there.addActor('bob', { type: 'Service' })
})
afterAll(() => Promise.all([here.close(), there.close()]))
beforeEach(() => {
  there.repair()
  there.inbox.clear()
})

test.each(['cavage', 'rfc9421'] as const)(
  'an activity signed with %s is received byte for byte and verifies',
  async (scheme) => {
    const follow = makeActivity(alice, 'Follow', bob.id)
    const text = JSON.stringify(follow, null, 1)
    const reply = await here.send(text, bob.inbox, { as: alice, scheme })
    expect(reply.status).toBe(202)
    const delivery = await there.inbox.next()
    expect(delivery.body.toString()).toBe(text)
    expect(delivery.activity).toEqual(follow)
    expect(delivery.path).toBe('/users/bob/inbox')
    expect(await there.verify(delivery, {})).toMatchObject({ scheme, keyId: alice.keyId })
    expect(await there.verify(delivery, { as: bob })).toMatchObject({ scheme })
  },
)

test.each(['cavage', 'rfc9421'] as const)('a changed body, path or key is detected with %s', async (scheme) => {
  await here.send(makeActivity(alice, 'Follow', bob.id), bob.inbox, { as: alice, scheme })
  const delivery = await there.inbox.next()
  const check =
    (changed: object, key = alice.publicKey) =>
    () =>
      verifySigned({ ...delivery, ...changed }, key, there.origin)
  expect(check({})).not.toThrow()
  expect(check({ body: Buffer.from('{}') })).toThrow('digest does not fit')
  expect(check({ path: '/inbox' })).toThrow('does not fit the key')
  expect(check({}, bob.publicKey)).toThrow('does not fit the key')
})

test('actor, note, outbox and WebFinger are served, and unknown paths are 404', async () => {
  const note = there.addNote(bob, '<p>hello</p>')
  const actor = await here.fetch(bob.id, { as: alice })
  expect(actor.headers['content-type']).toBe('application/activity+json; charset=utf-8')
  expect(actor.json()).toMatchObject({ id: bob.id, type: 'Service', inbox: bob.inbox })
  expect((await here.fetch(note.id, { as: alice, scheme: 'rfc9421' })).json()).toMatchObject({
    content: '<p>hello</p>',
  })
  expect((await here.fetch(bob.outbox, { as: alice })).json()).toMatchObject({ totalItems: 1 })
  const finger = `${there.origin}/.well-known/webfinger?resource=acct:bob@${new URL(there.origin).host}`
  expect((await request(finger)).json()).toMatchObject({ links: [{ rel: 'self', href: bob.id }] })
  expect((await request(finger.replace('bob', 'nobody'))).status).toBe(404)
})

test('it can fail n times, send Retry-After, redirect, respond 410, cut connections and hang', async () => {
  const post = (more: { withinMs?: number } = {}) =>
    here.send(makeActivity(alice, 'Like', bob.id), bob.inbox, { as: alice, ...more })
  there.behave({ kind: 'status' }, { times: 2, path: '/users/bob/inbox' })
  expect([(await post()).status, (await post()).status, (await post()).status]).toEqual([500, 500, 202])
  const undo = there.behave({ kind: 'retry-after', after: 30 }, { method: 'POST' })
  const waiting = await post()
  expect([waiting.status, waiting.headers['retry-after']]).toEqual([429, '30'])
  undo()
  there.behave({ kind: 'redirect', to: 'http://10.0.0.9/', status: 307 }, { times: 1 })
  const moved = await post()
  expect([moved.status, moved.headers.location]).toEqual([307, 'http://10.0.0.9/'])
  there.behave({ kind: 'gone' }, { path: /^\/users\/bob/, times: 1 })
  expect((await post()).status).toBe(410)
  there.behave({ kind: 'cut' }, { times: 1 })
  await expect(post()).rejects.toThrow(/aborted|socket hang up/)
  there.behave({ kind: 'hang' })
  await expect(post({ withinMs: 300 })).rejects.toThrow('no response')
  expect(there.inbox.all.length).toBe(1)
})
