/** The inbox endpoint: accepted and refused requests, their responses, and the counts of refusals. */
import { inboxRefusals } from '@murmuration/contracts/federation'
import { sql } from '@murmuration/db'
import { ownRequest, within } from '@murmuration/kernel'
import { makeActivity, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { signHeaders } from '@murmuration/testkit/outside/signing'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Context } from '../src/context.js'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
let bob: Awaited<ReturnType<Harness['createAccount']>>
let remote: RemoteServer
let rita: RemoteActor
let evil: RemoteServer
let eve: RemoteActor

beforeAll(async () => {
  harness = await startHarness()
  bob = await harness.createAccount('bob')
  remote = await harness.server()
  rita = await remote.addActor('rita')
  evil = await harness.server()
  eve = await evil.addActor('eve')
})
afterAll(() => harness.stop())
afterEach(async () => {
  await harness.waitForIdle()
  const letters = await harness.db('federation').rows(sql`select reason from dead_letters`)
  expect(letters).toEqual([])
})

const follow = (actor: RemoteActor) => makeActivity(actor, 'Follow', bob.uri)
const stored = async () => (await harness.inboxRows()).length

/** A request with the given headers only. */
const raw = (path: string, headers: Record<string, string>, body: string | undefined, method = 'POST') =>
  fetch(`${harness.origin}${path}`, { method, headers, ...(body === undefined ? {} : { body }) })

describe('accepted requests', () => {
  test.each(['cavage', 'rfc9421'] as const)(
    'a valid %s signature by an unknown actor: 202, stored and processed',
    async (scheme) => {
      const actor = await remote.addActor(`new${scheme}`)
      const activity = follow(actor)
      expect(await harness.outcome(remote, activity, { as: actor, scheme })).toBe('done')
      expect(await harness.account(actor.id)).toMatchObject({ username: `new${scheme}`, uri: actor.id })
    },
  )

  test.each(['/inbox', 'personal', 'by name', '/actor/inbox'])('the inbox %s accepts activities', async (to) => {
    const actor = await remote.addActor(`via${to.replace(/\W/g, '')}`)
    const path = to === 'personal' ? new URL(`${bob.uri}/inbox`).pathname : to === 'by name' ? '/users/bob/inbox' : to
    expect(await harness.outcome(remote, follow(actor), { as: actor, to: path })).toBe('done')
  })

  test.each(['application/ld+json', 'application/ld+json; charset=utf-8', 'application/json', 'text/plain', ''])(
    'I22 the content type of an activity may be "%s"',
    async (type) => {
      const activity = follow(rita)
      expect(await harness.outcome(remote, activity, { as: rita, headers: { 'content-type': type } })).toMatch(/^done/)
    },
  )

  test('hostile 5 F007 a repeated request returns 202 and has no second effect', async () => {
    const actor = await remote.addActor('twice')
    const activity = follow(actor)
    expect(await harness.outcome(remote, activity, { as: actor })).toBe('done')
    const before = await stored()
    for (const scheme of ['cavage', 'rfc9421'] as const)
      expect((await harness.deliver(remote, activity, { as: actor, scheme })).status).toBe(202)
    await harness.waitForIdle()
    expect(await stored()).toBe(before)
  })

  test('a body of more than 256 kB arrives unchanged', async () => {
    const activity = { ...follow(rita), padding: 'ä'.repeat(300_000) }
    expect(await harness.outcome(remote, activity, { as: rita })).toBe('done')
  })

  test('a server with a valid signature is stored as known', async () => {
    const hosts = await harness
      .db('federation')
      .rows<{ host: string }>(sql`select host from peers where last_inbound_at is not null`)
    expect(hosts.map((it) => it.host)).toContain(new URL(remote.origin).host)
  })
})

describe('refused requests', () => {
  const refused = async (send: () => Promise<{ status: number }>, status: number) => {
    const before = await stored()
    expect((await send()).status).toBe(status)
    await harness.waitForIdle()
    expect(await stored()).toBe(before)
  }
  const signed = (body: string, more: Partial<Parameters<typeof signHeaders>[0]> = {}) =>
    signHeaders({
      scheme: 'cavage',
      method: 'POST',
      url: `${harness.origin}/inbox`,
      headers: { 'content-type': 'application/activity+json' },
      body,
      keyId: rita.keyId,
      privateKey: rita.privateKey,
      ...more,
    })
  /** fetch sets these itself. */
  const sendable = ({ host: _host, ...headers }: Record<string, string>) => headers

  test('hostile 1 no signature: 401', () => refused(() => raw('/inbox', {}, JSON.stringify(follow(rita))), 401))

  test.each([
    ['hostile 2 nonsense', 'nonsense'],
    ['hostile 2 a parameter twice', 'keyId="a",keyId="b",signature="c"'],
    ['hostile 2 empty headers list', `keyId="https://a.example/k",headers="",signature="YQ=="`],
    [
      'hostile 12 keyId that is no address',
      'keyId="acct:rita@remote.example",headers="(request-target) host date digest",signature="YQ=="',
    ],
    [
      'hostile 12 keyId with another scheme',
      'keyId="javascript:1",headers="(request-target) host date digest",signature="YQ=="',
    ],
  ])('%s: 401', (_name, signature) =>
    refused(() => raw('/inbox', { signature, date: new Date().toUTCString() }, JSON.stringify(follow(rita))), 401),
  )

  test('hostile 3 A008 digest missing, wrong, or not covered: 401', async () => {
    const body = JSON.stringify(follow(rita))
    const { digest: _digest, ...without } = sendable(signed(body))
    await refused(() => raw('/inbox', without, body), 401)
    await refused(() => raw('/inbox', sendable(signed(body)), body.replace('Follow', 'Block')), 401)
    const uncovered = signHeaders({
      scheme: 'cavage',
      method: 'POST',
      url: `${harness.origin}/inbox`,
      keyId: rita.keyId,
      privateKey: rita.privateKey,
    })
    await refused(() => raw('/inbox', { ...sendable(uncovered), digest: signed(body).digest ?? '' }, body), 401)
  })

  test('hostile 4 A007 a signature for another path or another host: 401', async () => {
    const body = JSON.stringify(follow(rita))
    await refused(() => raw('/inbox', sendable(signed(body, { url: `${harness.origin}/actor/inbox` })), body), 401)
    await refused(() => raw('/inbox', sendable(signed(body, { url: 'https://other.example/inbox' })), body), 401)
  })

  test('hostile 6 a Date outside the window: 401', async () => {
    const body = JSON.stringify(follow(rita))
    for (const minutes of [-70, 70]) {
      const now = new Date(Date.now() + minutes * 60_000)
      await refused(() => raw('/inbox', sendable(signed(body, { now })), body), 401)
      await refused(() => raw('/inbox', sendable(signed(body, { now, scheme: 'rfc9421' })), body), 401)
    }
  })

  test('hostile 8 a malformed Signature-Input or Content-Digest: 400', async () => {
    const body = JSON.stringify(follow(rita))
    const good = sendable(signed(body, { scheme: 'rfc9421' }))
    await refused(() => raw('/inbox', { ...good, 'signature-input': 'sig1=(((' }, body), 400)
    await refused(() => raw('/inbox', { ...good, 'content-digest': 'sha-256=nonsense' }, body), 400)
  })

  test('hostile 10 with headers of both schemes, only RFC 9421 counts', async () => {
    const body = JSON.stringify(follow(rita))
    const newer = sendable(signed(body, { scheme: 'rfc9421' }))
    await refused(
      () => raw('/inbox', { ...sendable(signed(body)), 'signature-input': newer['signature-input'] ?? '' }, body),
      401,
    )
  })

  test('hostile 11 a local key returns 401 without a fetch', async () => {
    const body = JSON.stringify(follow(rita))
    const asked = remote.requests.all.length
    await refused(() => raw('/inbox', sendable(signed(body, { keyId: `${bob.uri}#main-key` })), body), 401)
    expect(remote.requests.all.length).toBe(asked)
  })

  test('hostile 15 A013 a key document that names another key or another owner: 401', async () => {
    const key = { id: `${evil.origin}/k`, owner: rita.id, publicKeyPem: eve.publicKey }
    evil.publish('/k', { '@context': 'https://w3id.org/security/v1', ...key })
    evil.publish('/k2', { '@context': 'https://w3id.org/security/v1', ...key, id: rita.keyId })
    for (const keyId of [`${evil.origin}/k`, `${evil.origin}/k2`])
      expect((await harness.deliver(evil, follow(rita), { as: { ...eve, keyId } })).status).toBe(401)
  })

  test('A001 hostile 16 an actor document that claims an id on another server: 401, and that actor is unchanged', async () => {
    await harness.outcome(remote, follow(rita), { as: rita })
    const before = await harness.account(rita.id)
    evil.publish('/a', {
      ...rita.document,
      name: 'taken over',
      publicKey: { id: `${evil.origin}/a#main-key`, owner: rita.id, publicKeyPem: eve.publicKey },
    })
    const keyId = `${evil.origin}/a#main-key`
    expect((await harness.deliver(evil, follow(rita), { as: { ...eve, keyId } })).status).toBe(401)
    expect(await harness.account(rita.id)).toEqual(before)
  })

  test.each(['Follow', 'Create', 'Delete', 'Undo', 'Like', 'Announce', 'Block', 'Accept'])(
    'hostile 20 A009 h03 %s with another actor than the signer: 401',
    async (type) => {
      await harness.outcome(remote, follow(rita), { as: rita })
      await refused(
        () => harness.deliver(evil, { ...makeActivity(rita, type, bob.uri), id: `${rita.id}/forged` }, { as: eve }),
        401,
      )
    },
  )

  test('hostile 27 28 more than a megabyte: 413; an encoded body: 415', async () => {
    await refused(() => raw('/inbox', {}, 'x'.repeat(1_048_577)), 413)
    await refused(() => raw('/inbox', { 'content-encoding': 'gzip' }, 'x'), 415)
  })

  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['an array', '[]'],
    ['a text', '"text"'],
    ['a number', '7'],
    ['hostile 32 nested too deeply', `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
    ['hostile 33 too many values', `{"a":[${'1,'.repeat(100_001)}1]}`],
  ])('hostile 31 a body that is %s: 400', (_name, body) =>
    refused(() => harness.deliver(remote, body, { as: rita }), 400),
  )

  test('hostile 37 a body that is not UTF-8: 400', () =>
    refused(
      () => fetch(`${harness.origin}/inbox`, { method: 'POST', body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]) }),
      400,
    ))

  test.each([
    ['hostile 47 without a context', { '@context': undefined }, '422 no-context'],
    ['hostile 47 with a foreign context only', { '@context': 'https://evil.example/context' }, '422 no-context'],
    ['hostile 21 A003 with @graph', { '@graph': [] }, '422 reshaped'],
    ['an unknown type', { type: 'Travel' }, '202'],
    ['hostile 40 a list of types', { type: ['Follow', 'Create'] }, '422 bad-type'],
    ['A014 an id that is a list', { id: ['https://a.example/1'] }, '422 bad-id'],
    ['A014 an id that is a number', { id: 7 }, '422 bad-id'],
    ['A014 a data: id', { id: 'data:text/plain,1' }, '422 bad-id'],
    ['A014 two actors', { actor: ['https://a.example/1', 'https://b.example/2'] }, '422 bad-actor'],
    ['A014 no object', { object: null }, '422 bad-object'],
    ['an object of a form nobody knows', { object: 'bear:?t=x&u=y' }, '202'],
    ['an addition without a target', { type: 'Add', object: 'https://a.example/1' }, '202'],
    [
      'a question without an id',
      { type: 'QuoteRequest', id: undefined, instrument: 'https://a.example/1' },
      '422 needs-id',
    ],
    ['an id on another server', { id: 'https://third.example/1' }, '403 id-on-another-origin'],
    ['hostile 39 an id of 900 kB', { id: `https://a.example/${'x'.repeat(900_000)}` }, '422 bad-id'],
    [
      'a status on another server',
      { type: 'Create', object: 'https://third.example/1' },
      '403 object-on-another-origin',
    ],
    [
      'the profile of another',
      { type: 'Update', object: { id: 'https://third.example/1', type: 'Person' } },
      '403 not-yours',
    ],
    [
      'the end of what another did',
      { type: 'Undo', object: 'https://third.example/1' },
      '403 object-on-another-origin',
    ],
    [
      'the move of another',
      { type: 'Move', object: 'https://third.example/1', target: 'https://a.example/1' },
      '403 not-yours',
    ],
  ])(
    'an activity that is %s has no effect, and its sender gets a reason that it can correct: %j → %s',
    async (_name, change, said) => {
      const [status, reason] = said.split(' ')
      const send = () => harness.deliver(remote, JSON.stringify({ ...follow(rita), ...change }), { as: rita })
      await refused(send, Number(status))
      if (reason)
        expect(JSON.parse((await send()).text)).toMatchObject({ error: `The activity is not accepted: ${reason}` })
    },
  )

  test('a faulty forwarded activity is accepted without effect', async () => {
    const activity = makeActivity(rita, 'Create', 'https://third.example/1')
    const signature = { type: 'RsaSignature2017', creator: rita.keyId, created: 'x', signatureValue: 'x' }
    expect((await harness.deliver(evil, { ...activity, signature }, { as: eve })).status).toBe(202)
  })

  test('A006 hostile 34 the last of two equal keys counts, both in the check and in processing', async () => {
    const body = JSON.stringify(follow(rita)).replace(/}$/, `,"actor":"${eve.id}"}`)
    await refused(() => harness.deliver(remote, body, { as: rita }), 401)
  })

  test('an unknown inbox returns 404', async () => {
    await refused(() => harness.deliver(remote, follow(rita), { as: rita, to: '/users/nobody/inbox' }), 404)
    await refused(() => harness.deliver(remote, follow(rita), { as: rita, to: '/ap/users/1/inbox' }), 404)
  })

  test('hostile 14 a key that cannot be read now: 503, and later it can', async () => {
    const slow = await harness.server()
    const sam = await slow.addActor('sam')
    slow.behave({ kind: 'status', status: 500 })
    const activity = follow(sam)
    await refused(() => harness.deliver(slow, activity, { as: sam }), 503)
    slow.repair()
    await expect
      .poll(async () => (await harness.deliver(slow, activity, { as: sam })).status, { interval: 1_000 })
      .toBe(202)
  })

  test('hostile 14 19 activities that name missing keys inside count as failures of their address', async () => {
    const server = await harness.server()
    const ctx = harness.host.running.find((one) => one.service === 'federation')?.ctx as unknown as Context
    const failure = vi.spyOn(ctx.fetcher.limits, 'failure')
    const actor = `${server.origin}/users/nobody`
    const signature = {
      type: 'RsaSignature2017',
      creator: `${actor}#main-key`,
      created: new Date().toISOString(),
      signatureValue: 'YQ==',
    }
    const letter = { ...follow({ ...eve, id: actor }), id: `${actor}/1`, signature }
    const { status } = await harness.deliver(evil, letter, { as: eve })
    expect([status, failure.mock.calls.length]).toEqual([202, 1])
    failure.mockRestore()
  })

  test('m14 interop 3.8 the Delete of an unknown actor: 202, and its key is not fetched', async () => {
    const gone = await remote.addActor('gone')
    const asked = remote.requests.all.length
    await refused(() => harness.deliver(remote, makeActivity(gone, 'Delete', gone.id), { as: gone }), 202)
    expect(remote.requests.all.length).toBe(asked)
  })
})

describe('keys', () => {
  test('A012 a new key is fetched once, and a hundred wrong signatures cause at most one more fetch', async () => {
    const actor = await remote.addActor('rotates')
    expect(await harness.outcome(remote, follow(actor), { as: actor })).toBe('done')
    const fresh = await remote.addActor('other')
    Object.assign(actor.document, { publicKey: { id: actor.keyId, owner: actor.id, publicKeyPem: fresh.publicKey } })
    const rotated = { ...actor, privateKey: fresh.privateKey }
    const reads = () => remote.requests.all.filter((it) => it.method === 'GET' && it.path === '/users/rotates').length
    const before = reads()
    expect((await harness.deliver(remote, makeActivity(actor, 'Follow', bob.uri), { as: rotated })).status).toBe(202)
    expect(reads()).toBe(before + 1)
    const bad = { ...actor, privateKey: eve.privateKey }
    const one = () => harness.deliver(remote, makeActivity(actor, 'Follow', bob.uri), { as: bad })
    // Not all at once, because a busy machine would respond 503 to some.
    for (let n = 0; n < 5; n++)
      expect((await Promise.all([one(), one(), one(), one()])).map((it) => it.status)).toEqual([401, 401, 401, 401])
    expect(reads()).toBe(before + 1)
  })

  test('g03 interop 6.3 a key at an address of its own, listed by its owner', async () => {
    const actor = await remote.addActor('gus')
    const keyId = `${actor.id}/main-key`
    const publicKey = { id: keyId, owner: actor.id, publicKeyPem: actor.publicKey }
    remote.publish(new URL(keyId).pathname, {
      '@context': ['https://www.w3.org/ns/activitystreams'],
      id: actor.id,
      type: 'Person',
      preferredUsername: 'gus',
      publicKey,
    })
    Object.assign(actor.document, { publicKey })
    expect(await harness.outcome(remote, follow(actor), { as: { ...actor, keyId } })).toBe('done')
  })
})

describe('domains', () => {
  const rule = (domain: string) => ({
    domain,
    severity: 'suspend' as const,
    reject_media: false,
    reject_reports: false,
  })
  test('hostile 13 A026 a blocked server gets 403 before any fetch, and is accepted after the block is removed', async () => {
    const server = await harness.server()
    const actor = await server.addActor('blocked')
    await harness.policy({ blocks: [rule('127.0.0.1')] })
    expect((await harness.deliver(server, follow(actor), { as: actor })).status).toBe(403)
    expect(server.requests.all).toEqual([])
    await harness.policy({})
    expect((await harness.deliver(server, follow(actor), { as: actor })).status).toBe(202)
  })
})

describe('operators see refused activities by reason', () => {
  test('also those counted first by a request whose deadline has passed', async () => {
    const ctx = harness.host.running.find((one) => one.service === 'federation')?.ctx as unknown as Context
    const { refusals } = ctx
    await refusals.flush()
    await within(ownRequest(1), async () => refusals.count('gate', 'noted-late', null))
    const noted = async () => (await harness.call(inboxRefusals, { days: 1 })).refusals.map((one) => one.reason)
    await expect.poll(noted).toContain('noted-late')
  })

  test('accepted activities without effect are one info line for a host and minute, with the first reason', async () => {
    const ctx = harness.host.running.find((one) => one.service === 'federation')?.ctx as unknown as Context
    const info = vi.spyOn(ctx.log, 'info')
    // Other tests may have used the log line of a host for this minute.
    const loggedServer = await harness.server()
    const logged = await loggedServer.addActor('logged')
    for (const who of [logged, await loggedServer.addActor('other'), logged])
      await harness.outcome(loggedServer, makeActivity(who, 'Delete', 'https://third.example/1'), { as: who })
    const lines = info.mock.calls.filter(([, message]) => message === 'an accepted activity had no effect')
    info.mockRestore()
    const { host: domain } = new URL(loggedServer.origin)
    expect(lines.map(([fields]) => fields)).toEqual([
      {
        host: domain,
        reason: 'object-on-another-origin',
        type: 'Delete',
        actor: logged.id,
        unlogged: expect.any(Number),
      },
    ])
  })

  test('refused at the endpoint, dropped, and refused by the worker', async () => {
    const loner = await remote.addActor('loner')
    const body = JSON.stringify(follow(loner))
    expect((await raw('/inbox', {}, body)).status).toBe(401)
    expect((await raw('/inbox', {}, '{')).status).toBe(400)
    const stale = { as: loner, now: new Date(Date.now() - 86_400_000) }
    expect((await harness.deliver(remote, follow(loner), stale)).status).toBe(401)
    expect((await harness.deliver(remote, makeActivity(loner, 'Travel', bob.uri), { as: loner })).status).toBe(202)
    expect(await harness.outcome(remote, makeActivity(loner, 'Undo', `${evil.origin}/follows/1`), { as: loner })).toBe(
      '403 object-on-another-origin',
    )
    expect(await harness.outcome(remote, makeActivity(loner, 'Delete', 'https://third.example/1'), { as: loner })).toBe(
      'refused object-on-another-origin',
    )
    const mixed = [1, 2].map((it) => ({ id: `${loner.id}/mixed/${it}`, attributedTo: loner.id, to: [bob.uri] }))
    const objects = [
      { ...mixed[0], type: 'Note', content: 'x' },
      { ...mixed[1], type: 'Place' },
    ]
    const several = makeActivity(loner, 'Create', objects as never, { to: [bob.uri] })
    expect(await harness.outcome(remote, several, { as: loner })).toBe('done')
    const dark = await harness.server()
    const dora = await dark.addActor('dora')
    dark.behave({ kind: 'status', status: 503 })
    expect((await harness.deliver(dark, follow(dora), { as: dora })).status).toBe(503)
    expect((await harness.deliver(remote, follow(loner), { as: loner, to: '/ap/users/1/inbox' })).status).toBe(404)
    const wanted = [
      ['gate', 'key-unreadable'],
      ['gate', 'no-such-inbox'],
      ['gate', 'no-signature'],
      ['gate', 'not-json'],
      ['gate', 'expired'],
      ['gate', 'unsupported-type'],
      ['gate', 'object-on-another-origin'],
      ['worker', 'object-on-another-origin'],
      // One object of a Create that has an effect.
      ['worker', 'unsupported-type'],
    ]
    const seen = async () => {
      const { refusals } = await harness.call(inboxRefusals, { days: 1 })
      return wanted.map(
        ([stage, reason]) =>
          refusals.find((one) => one.stage === stage && one.reason === reason && one.count > 0)?.reason ?? null,
      )
    }
    await expect.poll(seen).toEqual(wanted.map(([, reason]) => reason))
    // Earlier tests refused activities of other hosts for the same reasons, so these counts may be written later.
    const lastHosts = async () => {
      const { refusals } = await harness.call(inboxRefusals, {})
      const names = ['object-on-another-origin', 'expired', 'key-unreadable']
      const unsupported = refusals.find((one) => one.stage === 'gate' && one.reason === 'unsupported-type')
      return [...names.map((name) => refusals.find((one) => one.reason === name)?.last_host), unsupported?.last_host]
    }
    const hosts = [remote, remote, dark, remote].map((server) => new URL(server.origin).host)
    await expect.poll(lastHosts).toEqual(hosts)
    const { refusals } = await harness.call(inboxRefusals, {})
    expect(refusals.map((one) => one.count)).toEqual(refusals.map((one) => one.count).sort((a, b) => b - a))
  })
})
