/** Published vulnerabilities of other servers: none of them works here. */
import { createPrivateKey } from 'node:crypto'
import { createGraphs } from '@murmuration/activitypub/signatures/graph'
import { keyFromPem } from '@murmuration/activitypub/signatures/keys'
import { addLinkedDataSignature, verifyLinkedData } from '@murmuration/activitypub/signatures/linked-data'
import { readingContext } from '@murmuration/activitypub/vocabulary/context'
import {
  accountRecords,
  beginAccountRemoval,
  createAccountByOperator,
  signInUser,
} from '@murmuration/contracts/accounts'
import { createStatus, statusRecords } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { registry } from '@murmuration/kernel'
import { type Document, makeActivity, PUBLIC, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Fixture, startFixture } from './fixture.js'

let fixture: Fixture
let evil: RemoteServer
let eve: RemoteActor
const graphs = createGraphs(readingContext)

beforeAll(async () => {
  fixture = await startFixture()
  evil = await fixture.harness.server()
  eve = await evil.addActor('eve')
})
afterAll(async () => {
  await graphs.close()
  await fixture.harness.stop()
})
afterEach(async () => {
  await fixture.harness.waitForIdle()
  expect(await fixture.harness.db('federation').rows(sql`select reason from dead_letters`)).toEqual([])
})

const AS = 'https://www.w3.org/ns/activitystreams'
const recordOf = async (uri: string) =>
  (await fixture.harness.call(statusRecords, { uris: [uri] })).records.find((it) => !it.deleted) ?? null
const rule = (severity: 'noop' | 'silence' | 'suspend') => ({
  blocks: [{ domain: '127.0.0.1', severity, reject_media: false, reject_reports: false, stamp: severity }],
})

test('A004 a signed document whose context redefines the term actor is by its signer only', async () => {
  const { harness, remote, bob, rita, vera, sendActivity } = fixture
  const object = remote.addNote(vera, '<p>hers</p>', {
    cc: [bob.uri],
    tag: [{ type: 'Mention', href: bob.uri, name: '@bob' }],
  })
  expect(await sendActivity(vera, 'Create', object)).toBe('done')
  const signed = (await addLinkedDataSignature(
    {
      '@context': [AS, { actor: 'https://evil.example/ns#actor', who: { '@id': 'as:actor', '@type': '@id' } }],
      id: `${rita.id}#delete-of-another`,
      type: 'Delete',
      actor: vera.id,
      who: rita.id,
      object: object.id,
      to: [PUBLIC],
    },
    {
      keyId: rita.keyId,
      privateKey: createPrivateKey(rita.privateKey),
      created: new Date().toISOString(),
      expires: new Date(Date.now() + 86_400_000).toISOString(),
      graphs,
    },
  )) as Document & { id: string }
  // As a graph it is valid: rita is the actor, and rita signed it.
  const key = { ...keyFromPem(rita.publicKey)!, owner: rita.id }
  const asRita = { ...signed, actor: rita.id }
  expect(await verifyLinkedData(asRita, { now: Date.now(), graphs, getKey: async () => key })).toMatchObject({
    ok: false,
  })
  for (const as of [eve, rita]) {
    const from = as === eve ? evil : remote
    expect(await harness.outcome(from, signed, { as })).not.toMatch(/done/)
  }
  expect(await recordOf(object.id)).not.toBeNull()
})

test('A011 an actor embedded in a status changes no account', async () => {
  const { harness, rita, vera, sendActivity, note } = fixture
  const before = await harness.account(vera.id)
  const renamed = { ...vera.document, name: 'renamed', summary: 'taken over', inbox: `${evil.origin}/inbox` }
  const foreign = { ...note(eve), attributedTo: [eve.id, renamed] }
  await harness.outcome(evil, makeActivity(eve, 'Create', foreign), { as: eve })
  // From the same server, in every place where a document may be embedded.
  await sendActivity(rita, 'Create', { ...note(rita), attributedTo: [rita.id, renamed] })
  await sendActivity(rita, 'Create', note(rita), { actor: { ...rita.document, name: 'renamed' } })
  await sendActivity(
    rita,
    'Create',
    note(rita, { tag: [{ ...renamed, type: 'Mention', href: vera.id }], inReplyTo: renamed }),
  )
  await harness.waitForIdle()
  expect(await harness.account(vera.id)).toEqual(before)
  expect((await harness.account(rita.id))?.display_name).toBe('rita')
  expect(JSON.stringify(await harness.db('accounts').rows(sql`select * from accounts`))).not.toContain('taken over')
})

test('A028 a report has only statuses of its target that its sender could see', async () => {
  const { harness, bob, rita, remote, write } = fixture
  const carol = await harness.createAccount('carol')
  const toRita = await write({ status: 'between rita and me', visibility: 'direct' })
  const { id: ritaId } = (await harness.account(rita.id))!
  await harness
    .db('statuses')
    .run(sql`insert into mentions (status_id, account_id, silent) values (${toRita.id}, ${ritaId}, false)`)
  const uris = {
    open: (await write({ status: 'open' })).uri,
    followers: (await write({ status: 'for followers', visibility: 'private' })).uri,
    direct: (await write({ status: 'between us @carol', visibility: 'direct' })).uri,
    toRita: toRita.uri,
    ofCarol: (await write({ status: 'by carol' }, carol)).uri,
  }
  const flag = makeActivity(rita, 'Flag', bob.uri, { object: [bob.uri, ...Object.values(uris)] })
  expect(await harness.outcome(remote, flag, { as: rita })).toBe('done')
  const [event] = await harness
    .db('federation')
    .rows<{ data: string }>(sql`select data from outbox where subject like '%flag%' order by id desc limit 1`)
  const { statusUris } = JSON.parse(event?.data ?? '{}') as { statusUris: string[] }
  expect([...statusUris].sort()).toEqual([uris.open, uris.toRita].sort())
})

test('A077 an activity for a deleted account reaches no account', async () => {
  const { harness, rita, remote, note } = fixture
  const made = await harness.call(createAccountByOperator, {
    username: 'leaver',
    email: 'leaver@mail.example',
    confirmed: true,
  })
  const password = made.password ?? ''
  const { records } = await harness.call(accountRecords, { handles: ['leaver'] })
  const uri = records[0]?.uri ?? ''
  const { session } = await harness.call(signInUser, {
    email: 'leaver@mail.example',
    password,
    ip: null,
    userAgent: null,
  })
  await harness.call(beginAccountRemoval, { session: session ?? '', password })
  await harness.waitForIdle()
  const object = note(rita, { to: [uri], cc: [], tag: [{ type: 'Mention', href: uri, name: '@leaver' }] })
  await harness.outcome(remote, makeActivity(rita, 'Create', object), {
    as: rita,
    to: new URL(`${uri}/inbox`).pathname,
  })
  await harness.waitForIdle()
  const record = await recordOf(object.id)
  expect(record?.mentions ?? []).toEqual([])
})

/** All activities that may have a status, and one of an unknown actor. */
const kinds = ['Note', 'Question', 'Article', 'Page', 'Video', 'Audio', 'Image', 'Event', 'Unheard']

describe('A040 a domain rule applies to every activity of that server', () => {
  const text = (author: RemoteActor, type: string) =>
    fixture.note(author, {
      type,
      name: type,
      cc: [author.followers, fixture.bob.uri],
      ...(type === 'Question' && { oneOf: ['a', 'b'].map((name) => ({ type: 'Note', name })) }),
    })

  test('blocked: each activity is refused at the inbox endpoint, and none of its addresses is read', async () => {
    const { harness, remote, rita } = fixture
    await harness.policy(rule('suspend'))
    const before = remote.requests.all.length
    for (const type of kinds) {
      const object = text(rita, type)
      expect((await harness.deliver(remote, makeActivity(rita, 'Create', object), { as: rita })).status).toBe(403)
      expect(await recordOf(object.id)).toBeNull()
    }
    expect(remote.requests.all.length).toBe(before)
    await harness.policy({})
  })

  test('limited: accepted activities are by limited accounts', async () => {
    const { harness, remote } = fixture
    await harness.policy(rule('silence'))
    const quiet = await remote.addActor('quiet')
    await fixture.follow(fixture.bob, quiet)
    for (const type of kinds) {
      const object = text(quiet, type)
      const outcome = await harness.outcome(remote, makeActivity(quiet, 'Create', object), { as: quiet })
      const row = await harness
        .db('statuses')
        .row<{ silenced: boolean }>(
          sql`select f.silenced as silenced from statuses s join author_flags f on f.account_id = s.author_id where s.uri = ${object.id}`,
        )
      expect([type, row?.silenced ?? outcome]).toEqual([type, outcome === 'done' ? true : outcome])
    }
    await harness.policy({})
  })
})

test('A075 neither a domain rule nor the age of a status widens its audience', async () => {
  const { harness, remote, bob } = fixture
  const late = new Date(Date.now() - 400 * 86_400_000).toISOString()
  const narrow: [string, Document][] = [
    ['direct', { to: [bob.uri], cc: [], tag: [{ type: 'Mention', href: bob.uri, name: '@bob' }] }],
    ['private', { cc: [] }],
  ]
  for (const severity of ['noop', 'silence'] as const) {
    await harness.policy(rule(severity))
    const author = await remote.addActor(`late-${severity}`)
    await fixture.follow(bob, author)
    for (const [visibility, addressing] of narrow) {
      const object = fixture.note(author, { published: late, to: [author.followers], ...addressing })
      expect(await harness.outcome(remote, makeActivity(author, 'Create', object), { as: author })).toBe('done')
      expect(await recordOf(object.id)).toMatchObject({ visibility })
    }
  }
  await harness.policy({})
})

test('A135 invented hosts in mentions leave no row and no account', async () => {
  const { harness, rita, sendActivity, note } = fixture
  const count = async () => {
    const hosts = await harness.db('federation').row<{ n: string }>(sql`select count(*) as n from lanes`)
    const accounts = await harness.db('accounts').row<{ n: string }>(sql`select count(*) as n from accounts`)
    return [hosts?.n, accounts?.n]
  }
  const before = await count()
  const tag = Array.from({ length: 300 }, (_, n) => ({
    type: 'Mention',
    href: `https://host-${n}.invalid:${1_000 + n}/users/x`,
    name: `@x@host-${n}.invalid:${1_000 + n}`,
  }))
  expect(await sendActivity(rita, 'Create', note(rita, { tag }))).toBe('done')
  await harness.waitForIdle()
  expect(await count()).toEqual(before)
})

test('A136 only a limited part of long reply chains is fetched, and other work continues', async () => {
  const { harness, rita, vera, sendActivity, post } = fixture
  const heads: string[] = []
  const servers: RemoteServer[] = []
  for (let chain = 0; chain < 5; chain++) {
    const server = await harness.server()
    const author = await server.addActor('endless')
    let parent: string | undefined
    for (let n = 0; n < 80; n++) parent = server.addNote(author, `<p>${n}</p>`, { inReplyTo: parent }).id
    heads.push(parent as string)
    servers.push(server)
  }
  const boosts = heads.map((head) => sendActivity(rita, 'Announce', head, { to: [PUBLIC] }))
  expect(await sendActivity(vera, 'Like', post.uri)).toBe('done')
  expect(new Set(await Promise.all(boosts))).toEqual(new Set(['done']))
  await harness.waitForIdle()
  for (const server of servers) {
    expect(server.requests.all.length).toBeGreaterThan(0)
    expect(server.requests.all.length).toBeLessThanOrEqual(50)
  }
})

test('A144 no metric label has values of other servers', async () => {
  const { harness, rita, sendActivity, note, remote } = fixture
  const series = async () =>
    (await registry.getMetricsAsJSON())
      .filter(({ name }) => name.startsWith('murmuration_federation') || name.startsWith('murmuration_deliver'))
      .reduce((sum, { values }) => sum + values.length, 0)
  const strange = async (n: number) => {
    const { id } = await harness.call(createStatus, { status: `${n}` } as never, fixture.bob)
    const tag = [{ type: `Kind${n}`, name: `#tag${n}` }]
    await sendActivity(rita, 'Create', note(rita, { tag, type: `Kind${n}` }))
    await sendActivity(rita, `DirectActivity${n}`, `${harness.origin}/${id}`)
    await harness.deliver(remote, makeActivity({ ...rita, id: `https://host-${n}.invalid/x` }, 'Like', `x${n}`), {
      as: { ...rita, keyId: `https://host-${n}.invalid/x#main-key` },
    })
  }
  for (let n = 0; n < 3; n++) await strange(n)
  await harness.waitForIdle()
  const before = await series()
  expect(before).toBeGreaterThan(0)
  for (let n = 100; n < 130; n++) await strange(n)
  await harness.waitForIdle()
  expect(await series()).toBe(before)
})
