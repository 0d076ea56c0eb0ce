/** Faults during the receipt of activities: processes that die, senders with many failures, servers with invalid certificates. */
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listRelationships } from '@murmuration/contracts/accounts'
import { fetchActor } from '@murmuration/contracts/federation'
import {
  createStatus,
  favouriteCreated,
  showStatus,
  statusCreated,
  statusRecords,
} from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { createAuthority } from '@murmuration/testkit/outside/certificate-authority'
import { makeActivity, PUBLIC, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
let bob: Awaited<ReturnType<Harness['createAccount']>>
let remote: RemoteServer
let rita: RemoteActor
const authority = createAuthority()

beforeAll(async () => {
  const caFile = join(tmpdir(), `murmuration-ca-${process.pid}.pem`)
  await writeFile(caFile, authority.certificate)
  harness = await startHarness({
    // Many commits and acknowledgements fail once, so that senders and jobs must retry.
    FAULT_POINTS: [2, 3, 5, 8]
      .map((n) => `federation.beforeCommit=throw@${n}`)
      .concat([1, 3, 4, 7].map((n) => `consumer.afterEffect=throw@${n}`))
      .join(','),
    EXTRA_CA_FILE: caFile,
  })
  bob = await harness.createAccount('bob')
  remote = await harness.server()
  rita = await remote.addActor('rita')
})
afterAll(() => harness.stop())

/** Sends until the request is accepted, as other servers do. */
const insist = async (activity: object) => {
  for (let tries = 0; tries < 10; tries++) {
    const { status } = await harness.deliver(remote, JSON.stringify(activity), { as: rita })
    if (status === 202) return
    expect([500, 503]).toContain(status)
  }
  throw new Error('never taken')
}
const announced = async (subject: string): Promise<{ data: string }[]> =>
  harness.db('statuses').rows<{ data: string }>(sql`select data from outbox where subject = ${subject}`)

test('F007 F023 Follow, Like, Announce and Create have one effect each, whatever process dies', async () => {
  const { id } = await harness.call(createStatus, { status: 'hello', visibility: 'public' }, bob)
  const uri = (await harness.call(statusRecords, { ids: [id] })).records[0]?.uri ?? ''
  const note = {
    id: `${rita.id}/statuses/1`,
    type: 'Note',
    attributedTo: rita.id,
    content: '<p>hi</p>',
    inReplyTo: uri,
    to: [PUBLIC],
    cc: [bob.uri],
    tag: [{ type: 'Mention', href: bob.uri }],
  }
  for (const activity of [
    makeActivity(rita, 'Follow', bob.uri),
    makeActivity(rita, 'Like', uri),
    makeActivity(rita, 'Announce', uri, { to: [PUBLIC] }),
    makeActivity(rita, 'Create', note),
  ])
    await insist(activity)
  await harness.waitForIdle()
  expect((await harness.inboxRows()).map((it) => [it.type, it.outcome])).toEqual([
    ['Follow', 'done'],
    ['Like', 'done'],
    ['Announce', 'done'],
    ['Create', 'done'],
  ])
  expect(await harness.call(showStatus, { id }, bob)).toMatchObject({
    favourites_count: 1,
    reblogs_count: 1,
    replies_count: 1,
  })
  const account = await harness.account(rita.id)
  const [relation] = await harness.call(listRelationships, { id: [account?.id ?? ''] }, bob)
  expect(relation).toMatchObject({ followed_by: true })
  expect((await announced(favouriteCreated.subject)).length).toBe(1)
  expect((await announced(statusCreated.subject)).filter((it) => it.data.includes(rita.id)).length).toBe(2)
  expect(await harness.db('federation').rows(sql`select reason from dead_letters`)).toEqual([])
})

test('F049 servers with an expired, wrong or self-signed certificate are not read, nor by http instead', async () => {
  const day = 86_400_000
  const certificates = {
    expired: authority.issue(['localhost'], {
      from: new Date(Date.now() - 3 * day),
      until: new Date(Date.now() - day),
    }),
    'another name': authority.issue(['elsewhere.example']),
    'another authority': createAuthority().issue(['localhost']),
  }
  for (const [name, tls] of Object.entries(certificates)) {
    const server = await harness.server({ name: 'localhost', tls })
    const actor = await server.addActor('tess')
    expect([name, (await harness.call(fetchActor, { uri: actor.id })).outcome]).toEqual([name, 'later'])
    expect(server.requests.all).toEqual([])
  }
  const good = await harness.server({ name: 'localhost', tls: authority.issue(['localhost']) })
  const actor = await good.addActor('tess')
  expect((await harness.call(fetchActor, { uri: actor.id })).outcome).toBe('ok')
})

test('F050 a response that breaks off is a temporary failure, not a crash', async () => {
  remote.behave({ kind: 'cut' }, { path: '/users/cut' })
  expect((await harness.call(fetchActor, { uri: `${remote.origin}/users/cut` })).outcome).toBe('later')
  remote.repair()
})

test('19 F053 an IP address with many failed signatures gets 429', async () => {
  const unknownKey = (n: number) => ({ ...rita, keyId: `${remote.origin}/users/nobody${n}#main-key` })
  const answers: number[] = []
  // The count begins anew every minute, which may be in the middle of this.
  for (let round = 0; round < 30 && !answers.includes(429); round++) {
    const batch = Array.from({ length: 20 }, (_, i) =>
      harness.deliver(remote, makeActivity(rita, 'Like', bob.uri), { as: unknownKey(round * 20 + i) }),
    )
    answers.push(...(await Promise.all(batch)).map((it) => it.status))
  }
  expect(answers[0]).toBe(401)
  expect(answers).toContain(429)
  expect(new Set(answers)).toEqual(new Set([401, 429]))
})
