/**
 * Mentioned accounts of remote statuses whose servers do not respond: looked up again, and mentioned when found.
 */
import { listConversations, putRemoteStatuses, type RemoteStatus } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Context } from '../src/context.js'
import { findMentioned as work } from '../src/mention/jobs.js'
import { mentionLookups } from '../src/mention/metrics.js'
import { retryUnreached } from '../src/mention/ticks.js'
import { addFoundMention } from '../src/mention/unreached.js'
import { WAITS_S } from '../src/mention/unreached.rules.js'
import type { FakeAccount } from './fakes/data.js'
import { type Harness, startHarness, statuses } from './harness.js'
import { fetchedNote, remoteStatus } from './remote-status.js'

let harness: Harness
let ann: FakeAccount
let far: FakeAccount
/** An account on a server that does not respond; another one for each test. */
let carol: FakeAccount
let n = 0
beforeAll(async () => {
  harness = await startHarness()
  ann = harness.fakes.fakeAccount('ann')
  far = harness.fakes.fakeAccount('dan', { domain: 'far.example' })
})
afterAll(() => harness.stop())
beforeEach(() => {
  carol = unknownAccount(`away${++n}.example`)
})
afterEach(() => ctx().clock.moveTo(0))

const ctx = () => harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as Context
const db = () => harness.cluster.db('statuses')

/** An unknown account on a server that is down. */
const unknownAccount = (domain: string, name = 'carol'): FakeAccount => {
  const fakeAccount = harness.fakes.fakeAccount(name, { domain }, false)
  harness.fakes.outside.set(fakeAccount.uri, fakeAccount)
  harness.fakes.away.add(fakeAccount.uri)
  return fakeAccount
}
const back = (...fakeAccounts: FakeAccount[]) => fakeAccounts.map(({ uri }) => harness.fakes.away.delete(uri))
const naming = (fakeAccounts: readonly FakeAccount[], more: Partial<RemoteStatus> = {}) =>
  remoteStatus(far, { unreached: fakeAccounts.map(({ uri }) => ({ uri })), ...more })
const put = async (status: RemoteStatus): Promise<string> =>
  (await harness.cluster.call(statuses.putRemoteStatus, { status })).id
const named = async (id: string): Promise<string[]> =>
  (await harness.cluster.call(statuses.showStatus, { id }, harness.as(ann))).mentions.map((one) => one.acct)
const waiting = (host: string) =>
  db().rows<{ tries: number; due_at: Date }>(
    sql`select tries, due_at from unreached_mentions where host = ${host} order by uri`,
  )
/** Runs the lookups that are due this number of seconds from now. */
const seek = async (seconds: number) => {
  ctx().clock.moveTo(seconds * 1_000)
  await retryUnreached.run(ctx())
  await harness.cluster.waitForIdle()
}
const asked = () => harness.fakes.asked.filter((one) => one === 'accounts.account.resolve').length
const counted = async (outcome: string): Promise<number> =>
  (await mentionLookups.get()).values.find((one) => one.labels.outcome === outcome)?.value ?? 0

test('an account found later is mentioned after the others, and cached cards and columns are invalidated', async () => {
  const eve = harness.fakes.fakeAccount('eve', { domain: 'far.example' })
  const id = await put(naming([carol], { mentions: [{ id: eve.id, silent: false }] }))
  expect(await named(id)).toEqual([eve.acct])
  const before = asked()
  await seek(20)
  expect(asked()).toBe(before)
  back(carol)
  await seek(40)
  expect(await named(id)).toEqual([eve.acct, carol.acct])
  expect(await waiting(carol.domain ?? '')).toEqual([])
  await seek(4_000)
  expect(asked()).toBe(before + 1)
})

test('mentions of statuses received together, and of a fetched one, are looked up again as well', async () => {
  const [one, other] = [naming([carol]), naming([carol])]
  const { stored } = await harness.cluster.call(putRemoteStatuses, { statuses: [one, other] })
  const note = fetchedNote(far, 'https://far.example/notes/fetched', {
    mentionUris: [{ uri: carol.uri, silent: false }],
  })
  harness.fakes.outside.set(note.uri, note)
  const fetched = await harness.cluster.call(statuses.resolveStatus, { uri: note.uri, viewer: null })
  const ids = [...stored.map((it) => it?.id ?? ''), fetched.id ?? '']
  expect(await Promise.all(ids.map(named))).toEqual([[], [], []])
  back(carol)
  await seek(40)
  expect(await Promise.all(ids.map(named))).toEqual([[carol.acct], [carol.acct], [carol.acct]])
})

test('waits grow from half a minute to ten minutes, and after seven tries the lookup is given up and counted', async () => {
  expect(WAITS_S).toEqual(WAITS_S.toSorted((a, b) => a - b))
  expect([WAITS_S.length, WAITS_S[0], WAITS_S.at(-1)]).toEqual([7, 30, 600])
  await put(naming([carol]))
  const [before, gaveUp] = [asked(), await counted('gave-up')]
  let now = 0
  for (const [i, wait] of WAITS_S.entries()) {
    expect((await waiting(carol.domain ?? '')).map((one) => one.tries)).toEqual([i])
    now += wait + 1
    await seek(now)
  }
  expect(await waiting(carol.domain ?? '')).toEqual([])
  expect([asked() - before, (await counted('gave-up')) - gaveUp]).toEqual([7, 1])
})

test('an account that its server does not know is not looked up again', async () => {
  await put(naming([carol]))
  harness.fakes.outside.delete(carol.uri)
  back(carol)
  const [before, absent] = [asked(), await counted('absent')]
  await seek(40)
  await seek(4_000)
  expect([asked() - before, (await counted('absent')) - absent]).toEqual([1, 1])
  expect(await waiting(carol.domain ?? '')).toEqual([])
})

test('an edit without the mention has precedence, also over a lookup in progress', async () => {
  const status = naming([carol])
  const id = await put(status)
  const { unreached: _unreached, ...without } = status
  const edited = new Date().toISOString()
  expect(await put({ ...without, html: '<p>nobody</p>', edited_at: edited })).toBe(id)
  expect(await addFoundMention(ctx(), id, carol.uri, carol.id)).toBe(false)
  back(carol)
  const before = asked()
  await seek(40)
  expect([await named(id), asked() - before]).toEqual([[], 0])
})

test('an edit with the mention starts its own tries; one with equal content mentions the account when found', async () => {
  const status = naming([carol])
  const id = await put(status)
  const at = (seconds: number) => new Date(Date.now() - 50_000 + seconds * 1_000).toISOString()
  await put({ ...status, html: '<p>other words</p>', edited_at: at(1) })
  expect((await waiting(carol.domain ?? '')).map((one) => one.tries)).toEqual([0])
  harness.fakes.fakeAccounts.set(carol.id, carol)
  const { unreached: _unreached, ...found } = status
  const mentions = [{ id: carol.id, silent: false }]
  await put({ ...found, html: '<p>other words</p>', edited_at: at(2), mentions })
  expect([await named(id), await waiting(carol.domain ?? '')]).toEqual([[carol.acct], []])
})

test('an account that got access by a repeated version is mentioned when found', async () => {
  const status = naming([carol])
  const id = await put(status)
  await put({ ...status, mentions: [{ id: carol.id, silent: false }] })
  expect(await named(id)).toEqual([])
  back(carol)
  await seek(40)
  expect(await named(id)).toEqual([carol.acct])
})

test('a deleted status mentions no account and causes no lookups', async () => {
  const status = naming([carol])
  const id = await put(status)
  await harness.cluster.call(statuses.removeRemoteStatus, { uri: status.uri, author: far.id })
  back(carol)
  const before = asked()
  await seek(40)
  expect([asked() - before, await waiting(carol.domain ?? '')]).toEqual([0, []])
  expect(await db().rows(sql`select 1 from mentions where status_id = ${id}`)).toEqual([])
})

test('a repeated job and two concurrent jobs mention the account once', async () => {
  const id = await put(naming([carol]))
  back(carol)
  const host = carol.domain ?? ''
  const at = (await waiting(host))[0]?.due_at.toISOString() ?? ''
  const run = () => work.run(ctx(), { host, at }, { id: 'x', tries: 1 })
  const rev = async () => (await db().row<{ rev: number }>(sql`select rev from statuses where id = ${id}`))?.rev ?? 0
  const before = await rev()
  await Promise.all([run(), run()])
  await run()
  expect([await named(id), (await rev()) - before]).toEqual([[carol.acct], 1])
})

test('hostile 106 ten of many mentions are looked up again, and few at a time on a server that is down', async () => {
  const host = carol.domain ?? ''
  const many = Array.from({ length: 40 }, (_, i) => unknownAccount(host, `nobody${i}`))
  await put(naming(many))
  await put(naming(many.slice(10, 20)))
  expect(await waiting(host)).toHaveLength(20)
  const before = asked()
  await seek(40)
  expect(asked() - before).toBe(4)
  expect((await waiting(host)).map((one) => one.tries)).toEqual(Array.from({ length: 20 }, () => 1))
  back(...many)
  await seek(110)
  expect(asked() - before).toBe(24)
  expect(await waiting(host)).toEqual([])
})

test('an account that cannot be read does not affect the others of its server', async () => {
  const host = carol.domain ?? ''
  const bob = unknownAccount(host, 'bob')
  const id = await put(naming([carol, bob]))
  back(bob)
  await seek(40)
  expect([await named(id), (await waiting(host)).map((one) => one.tries)]).toEqual([[bob.acct], [1]])
})

test('an invalid address is not looked up again', async () => {
  const id = await put(
    remoteStatus(far, { unreached: [{ uri: 'nowhere' }, { uri: `https://x.example/${'ü'.repeat(2_000)}` }] }),
  )
  expect(await db().rows(sql`select 1 from unreached_mentions where status_id = ${id}`)).toEqual([])
})

test('an account found in a direct status gets its conversation', async () => {
  await put(naming([carol], { visibility: 'direct', mentions: [{ id: ann.id, silent: false }] }))
  const fakeAccounts = async () => {
    const [first] = (await harness.cluster.call(listConversations, {}, harness.as(ann))) as {
      accounts: { acct: string }[]
    }[]
    return first?.accounts.map((one) => one.acct).sort()
  }
  await harness.cluster.waitForIdle()
  expect(await fakeAccounts()).toEqual([far.acct])
  back(carol)
  await seek(40)
  expect(await fakeAccounts()).toEqual([carol.acct, far.acct].sort())
})
