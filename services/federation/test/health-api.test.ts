/** The health of other servers for staff: lists, one host, retries, giving up, refusals, and the events for the audit log. */
import {
  dropDeliveriesOfHost,
  explainDelivery,
  federationHealth,
  inboxRefusals,
  listHosts,
  retryHost,
  showHost,
} from '@murmuration/contracts/federation'
import { type Database, openDatabase, type Reader, type Sql, sql } from '@murmuration/db'
import { plansOf, viewer } from '@murmuration/testkit'
import { type Delivery, startRemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Context } from '../src/context.js'
import { activitiesOn } from '../src/delivery/delivery-report.store.js'
import { endedDeliveries, endsOfAccount, MAX_ENDS_READ } from '../src/delivery/explained-deletion.store.js'
import { hostPage } from '../src/delivery/host-report.store.js'
import { addHostRefusals, MAX_HOST_ROWS } from '../src/inbox/refusal.store.js'
import {
  announceDeleted,
  createAccount,
  posted,
  remoteAccount,
  type SiblingServices,
  startSiblingServices,
  written,
} from './sibling-services.js'

const staff = viewer('77')
let harness: SiblingServices
let owner: Database
let newest = '0'
beforeAll(async () => {
  harness = await startSiblingServices()
  owner = openDatabase({ url: harness.env.DATABASE_URL ?? '', schema: 'federation', connections: 1 })
})
afterAll(async () => {
  await owner.close()
  await harness.stop()
})
const db = () => harness.db('federation')
beforeEach(async () => {
  await owner.run(sql`truncate lanes, inboxes, activities, deliveries, inbox_refusals, inbox_refusal_hosts`)
  newest = (await db().row<{ id: string }>(sql`select max(id) as id from outbox`))?.id ?? '0'
})

/** Stores a host with the given number of pending deliveries. Returns the id of its host queue. */
let queues = 0
const host = async (name: string, waiting = 0, state: ReturnType<typeof sql> = sql`failures = 0`): Promise<string> => {
  const id = String(++queues)
  await db().run(sql`insert into lanes (id, host) values (${id}, ${name})`)
  await db().run(sql`update lanes set ${state} where id = ${id}`)
  await db().run(sql`insert into deliveries (activity_id, inbox_id, lane_id, actor_id, seq, state, attempts, at)
    select ${id}::bigint * 1000000 + n, n, ${id}::bigint, 1, (1764158400000 + n)::bigint << 16, 0, 1, now() + interval '1 day'
    from generate_series(1, ${waiting}::int) n`)
  return id
}
const PAUSED = sql`failures = 4, paused_until = now() + interval '1 hour', failed_at = now(), trouble = 'status 503'`
const GONE = sql`failures = 40, unavailable_since = now() - interval '1 day', probe_at = now() + interval '1 hour'`
const names = async (input: Parameters<typeof list>[0]) => (await list(input)).map((one) => one.host)
const list = (input: { state?: string; domain?: string; limit?: number; max_id?: string }) =>
  harness.call(listHosts, input, staff)
const managed = () =>
  db().rows<{ action: string; data: Record<string, unknown> }>(sql`select data::jsonb ->> 'action' as action,
    data::jsonb - 'action' as data from outbox where subject = 'evt.federation.host.managed' and id > ${newest} order by id`)

test('hosts are listed by state and by a part of the domain, latest first, in pages', async () => {
  await host('well.example')
  await host('probed.example', 1, sql`failures = 2, paused_until = now() - interval '1 minute'`)
  await host('paused.example', 3, PAUSED)
  await host('gone.test', 0, GONE)
  expect(await names({})).toEqual(['gone.test', 'paused.example', 'probed.example', 'well.example'])
  expect(await names({ state: 'failing' })).toEqual(['gone.test', 'paused.example', 'probed.example'])
  expect(await names({ state: 'held' })).toEqual(['gone.test', 'paused.example'])
  expect(await names({ state: 'unavailable' })).toEqual(['gone.test'])
  expect(await names({ state: 'ok' })).toEqual(['well.example'])
  expect(await names({ state: 'held', domain: 'EXAMPLE' })).toEqual(['paused.example'])
  const first = await harness.request(listHosts, { limit: 3 }, staff)
  expect(first.meta.next).toMatchObject({ max_id: expect.any(String) })
  expect(await names({ limit: 3, max_id: first.meta.next?.max_id ?? '' })).toEqual(['well.example'])
  await expect(list({ state: 'broken' })).rejects.toMatchObject({ code: 'unprocessable' })
  const [, paused] = await list({})
  expect(paused).toMatchObject({
    circuit: 'open',
    waiting: 3,
    oldest: '2025-11-26T12:00:00.001Z',
    failures: 4,
    trouble: 'status 503',
  })
})

test('a list counts at most 1,000 deliveries of a host, and reads them from an index', async () => {
  await host('far.example', 1_300, PAUSED)
  expect((await list({})).map((one) => one.waiting)).toEqual([1_000])
  expect((await harness.call(showHost, { host: 'far.example' }, staff)).waiting).toBe(1_300)
  const sendRequest = (it: Parameters<typeof hostPage>[0]) =>
    hostPage(it, { state: 'failing', part: null, now: new Date() }, { limit: 100 })
  expect(await plansOf(db(), sendRequest)).not.toMatch(/Seq Scan on deliveries/)
})

test('one host shows why its deliveries are held, and the rule that applies', async () => {
  await host('a.bad.example', 2, PAUSED)
  expect(await harness.call(showHost, { host: 'A.bad.example' }, staff)).toMatchObject({
    circuit: 'open',
    held: 'paused',
    rule: null,
    blocked: false,
    ties: null,
  })
  await harness.block('bad.example')
  expect(await harness.call(showHost, { host: 'a.bad.example' }, staff)).toMatchObject({
    held: 'blocked',
    blocked: true,
    rule: { domain: 'bad.example', severity: 'suspend', reject_media: false, reject_reports: false },
  })
  await expect(harness.call(retryHost, { host: 'a.bad.example' }, staff)).rejects.toMatchObject({
    code: 'unprocessable',
  })
  await harness.block()
  await expect(harness.call(showHost, { host: 'nobody.example' }, staff)).rejects.toMatchObject({ code: 'not_found' })
  await expect(harness.call(retryHost, { host: 'nobody.example' }, staff)).rejects.toMatchObject({ code: 'not_found' })
})

test('a retry sends the pending deliveries of a paused host at once, and is recorded', async () => {
  const away = await startRemoteServer()
  const name = new URL(away.origin).host
  const ada = await createAccount(harness, 'ada')
  harness.tables.inboxes.set(ada.id, [`${away.origin}/inbox`])
  const repair = away.behave({ kind: 'status', status: 503 })
  const status = await posted(harness, ada)
  await harness.waitForIdle()
  const later = new Date(Date.now() + 3_600_000)
  await db().run(sql`update lanes set paused_until = ${later}, due_at = ${later} where host = ${name}`)
  await db().run(sql`update deliveries set at = ${later}`)
  repair()
  away.inbox.clear()
  expect(await harness.call(retryHost, { host: name }, staff)).toMatchObject({ paused_until: null, failures: 1 })
  await away.inbox.reached(1)
  expect(away.inbox.all.map((one: Delivery) => one.activity.id)).toEqual([`${status.uri}/activity`])
  await expect
    .poll(() => harness.call(showHost, { host: name }, staff))
    .toMatchObject({ circuit: 'closed', waiting: 0, held: null })
  expect(await managed()).toMatchObject([
    { action: 'retry_host', data: { by: '77', target: name, before: { waiting: 1 } } },
  ])
  await away.close()
})

test('an unavailable host gets its daily delivery with the next activity after a retry', async () => {
  const away = await startRemoteServer()
  const name = new URL(away.origin).host
  const ada = await createAccount(harness, 'ada')
  harness.tables.inboxes.set(ada.id, [`${away.origin}/inbox`])
  const id = await host(name, 0, GONE)
  await db().run(
    sql`insert into inboxes (id, url, lane_id, gone_at) values (7, ${`${away.origin}/inbox`}, ${id}, now())`,
  )
  await posted(harness, ada)
  await harness.waitForIdle()
  expect(away.inbox.all).toEqual([])
  await harness.call(retryHost, { host: name }, staff)
  const status = await posted(harness, ada)
  await away.inbox.reached(1)
  expect(away.inbox.all.map((one: Delivery) => one.activity.id)).toEqual([`${status.uri}/activity`])
  await expect.poll(() => harness.call(showHost, { host: name }, staff)).toMatchObject({ circuit: 'closed' })
  await away.close()
})

test('a dry run counts what would be given up, and giving up is recorded once per request', async () => {
  await host('dead.example', 7, GONE)
  const drop = (dry_run: boolean) => harness.call(dropDeliveriesOfHost, { host: 'dead.example', dry_run }, staff)
  expect(await drop(true)).toEqual({ host: 'dead.example', given_up: 7, more: false })
  expect([(await list({}))[0]?.waiting, await managed()]).toEqual([7, []])
  expect(await drop(false)).toEqual({ host: 'dead.example', given_up: 7, more: false })
  expect(await drop(false)).toEqual({ host: 'dead.example', given_up: 0, more: false })
  expect((await list({}))[0]?.waiting).toBe(0)
  expect(await managed()).toMatchObject([
    { action: 'drop_deliveries', data: { by: '77', target: 'dead.example', before: { waiting: 7 } } },
  ])
})

test('the overview counts hosts by state, deliveries, and refusals of today', async () => {
  await host('well.example')
  await host('paused.example', 3, sql`${PAUSED}, due_at = now() + interval '1 hour'`)
  await host('gone.example', 0, GONE)
  const { refusals } = harness.ours as unknown as Context
  refusals.count('gate', 'no-signature', 'rude.example')
  await refusals.flush()
  expect(await harness.call(federationHealth, {}, staff)).toEqual({
    hosts: 3,
    failing: 2,
    held: 2,
    unavailable: 1,
    waiting: 3,
    oldest: '2025-11-26T12:00:00.001Z',
    refused_today: 1,
  })
})

test('refusals are counted by reason, by host and by day', async () => {
  const { refusals } = harness.ours as unknown as Context
  for (const [reason, by] of [
    ['no-signature', 'rude.example'],
    ['no-signature', 'rude.example'],
    ['no-signature', null],
    ['expired', 'late.example'],
    ['expired', `${'x'.repeat(300)}.example`],
  ] as const)
    refusals.count('gate', reason, by)
  await refusals.flush()
  const yesterday = new Date(Date.now() - 86_400_000)
  const old = { stage: 'worker' as const, reason: 'expired', count: 5, host: 'late.example', at: yesterday }
  await addHostRefusals(db(), [old])
  const all = await harness.call(inboxRefusals, { days: 2 }, staff)
  expect(all.refusals.map((one) => [one.reason, one.count])).toEqual([
    ['no-signature', 3],
    ['expired', 2],
  ])
  expect(all.hosts.map((one) => [one.host, one.stage, one.reason, one.count])).toEqual([
    ['late.example', 'worker', 'expired', 5],
    ['rude.example', 'gate', 'no-signature', 2],
    ['late.example', 'gate', 'expired', 1],
  ])
  expect(all.days.map((one) => one.count)).toEqual([0, 5])
  const one = await harness.call(inboxRefusals, { days: 2, host: 'late.example' }, staff)
  expect(one.refusals.map((it) => [it.stage, it.reason, it.count])).toEqual([
    ['worker', 'expired', 5],
    ['gate', 'expired', 1],
  ])
  expect(one.days.map((it) => it.count)).toEqual([5, 1])
})

test('invented hosts fill a day up to a limit, and known hosts are still counted', async () => {
  const at = new Date()
  const of = (n: number) => ({ stage: 'gate' as const, reason: 'no-signature', count: 1, host: `h${n}.example`, at })
  await addHostRefusals(
    db(),
    Array.from({ length: MAX_HOST_ROWS }, (_, n) => of(n)),
  )
  await addHostRefusals(db(), [of(1), of(MAX_HOST_ROWS + 1)])
  const [row] = await db().rows(sql`select count(*)::int as n, max(count)::int as max from inbox_refusal_hosts`)
  expect(row).toEqual({ n: MAX_HOST_ROWS, max: 2 })
})

/** A reblog as the statuses service stores it. Its URI is that of its activity. */
const boosted = (
  by: Awaited<ReturnType<typeof createAccount>>,
  of: { id: string; author: string; uri: string },
  id: string,
) =>
  posted(harness, by, {
    id,
    uri: `${by.uri}/statuses/${id}/activity`,
    reblog_of: of.id,
    reblog_of_author: of.author,
    reblog_of_uri: of.uri,
  })
const explain = (activity: string) => harness.call(explainDelivery, { activity }, staff)

test('the addresses of a status and of its reblog return the deliveries of both', async () => {
  const away = await startRemoteServer()
  const [ada, bob, zoe] = [
    await createAccount(harness, 'ada'),
    await createAccount(harness, 'bob'),
    await createAccount(harness, 'zoe'),
  ]
  for (const one of [ada, bob]) harness.tables.inboxes.set(one.id, [`${away.origin}/inbox`])
  const status = await posted(harness, ada, { text: 'between us', html: '<p>between us</p>', visibility: 'private' })
  await harness.waitForIdle()
  const first = await boosted(bob, status, harness.nextId())
  await harness.waitForIdle()
  const second = await boosted(ada, status, harness.nextId())
  const lonely = await boosted(zoe, status, harness.nextId())
  await away.inbox.reached(3)
  await harness.waitForIdle()
  const page = (name: string, id: string) => `${harness.ours.site.origin}/@${name}/${id}`
  const named = (answer: Awaited<ReturnType<typeof explain>>) => answer.activities.map((it) => [it.kind, it.uri])
  const created = ['Create', `${status.uri}/activity`]
  const announced = (one: { uri: string }) => ['Announce', one.uri]
  for (const address of [status.uri, `${status.uri}/activity`, page('ada', status.id)]) {
    const answer = await explain(address)
    expect(named(answer)).toEqual([created, announced(second), announced(first)])
    expect(answer.activities.map((it) => [it.boost_of, it.counts.delivered, it.deliveries.length])).toEqual([
      [undefined, 1, 1],
      [status.uri, 1, 1],
      [status.uri, 1, 1],
    ])
    expect(answer.unsent).toEqual([lonely.uri])
    expect(answer.reasons).toEqual(['no-recipients', 'blocked', 'author-suspended', 'not-processed'])
    expect(JSON.stringify(answer)).not.toContain('between us')
  }
  for (const address of [first.uri, first.uri.replace('/activity', '')])
    expect(named(await explain(address))).toEqual([announced(first), created, announced(second)])
  expect(named(await explain(page('bob', first.id)))).toEqual([created, announced(second), announced(first)])
  await away.close()
})

test('the newest 25 reblogs of a remote status are found by its address', async () => {
  const away = await startRemoteServer()
  const ada = await createAccount(harness, 'ada')
  harness.tables.inboxes.set(ada.id, [`${away.origin}/inbox`])
  const far = written(harness, ada, { uri: `${away.origin}/notes/1`, local: false })
  expect(await explain(far.uri)).toEqual({ activities: [], reasons: ['remote'] })
  const ids = Array.from({ length: 27 }, () => harness.nextId())
  await Promise.all(ids.map((id) => boosted(ada, far, id)))
  await away.inbox.reached(27)
  await harness.waitForIdle()
  const { activities, more_boosts, unsent, reasons } = await explain(far.uri)
  expect([activities.length, more_boosts, unsent, reasons]).toEqual([25, true, undefined, undefined])
  const oldest = [...harness.tables.sources.values()].find((it) => it.reblog_of === far.id)?.uri ?? ''
  expect((await explain(oldest)).activities.map((it) => it.uri)).toEqual([oldest, ...activities.map((it) => it.uri)])
  await away.close()
})

test('an address without deliveries has the possible reasons', async () => {
  const ada = await createAccount(harness, 'ada')
  const alone = await posted(harness, ada, { visibility: 'direct' })
  await harness.waitForIdle()
  const common = ['no-recipients', 'blocked', 'author-suspended', 'not-processed']
  expect(await explain(alone.uri)).toEqual({
    activities: [],
    unsent: [alone.uri],
    reasons: ['not-public', ...common],
  })
  expect(await explain('https://nothing.example/1')).toEqual({
    activities: [],
    reasons: ['unknown', 'not-processed'],
    ended_since: expect.stringMatching(/Z$/),
  })
})

test('a boost that was undone before it was sent has that reason, and a remote original is no reason', async () => {
  const ada = await createAccount(harness, 'ada')
  const far = written(harness, ada, { uri: 'https://far.example/notes/2', local: false })
  const boost = { reblog_of: far.id, reblog_of_author: far.author, reblog_of_uri: far.uri }
  const id = harness.nextId()
  const undone = written(harness, ada, { ...boost, id, uri: `${ada.uri}/statuses/${id}/activity` })
  await announceDeleted(harness, undone)
  await harness.waitForIdle()
  expect(await explain(undone.uri)).toMatchObject({
    activities: [{ kind: 'Undo', deliveries: [] }],
    unsent: [undone.uri],
    reasons: ['ended'],
  })
  const kept = await boosted(ada, far, harness.nextId())
  const common = ['no-recipients', 'blocked', 'author-suspended', 'not-processed']
  expect(await explain(kept.uri)).toMatchObject({ activities: [], unsent: [kept.uri], reasons: common })
  expect(await explain(far.uri)).toMatchObject({ unsent: [kept.uri], reasons: ['remote', ...common] })
})

test('an explanation for one host has its deliveries only, or the possible reasons', async () => {
  const [near, far] = [await startRemoteServer(), await startRemoteServer()]
  const ada = await createAccount(harness, 'ada')
  harness.tables.inboxes.set(ada.id, [`${near.origin}/inbox`])
  const status = await posted(harness, ada, {})
  await near.inbox.reached(1)
  await harness.waitForIdle()
  const of = (host: string) => harness.call(explainDelivery, { activity: status.uri, host }, staff)
  const there = await of(new URL(near.origin).host)
  expect(there.activities.map((it) => [it.counts.delivered, it.deliveries.length, it.more])).toEqual([[1, 1, 0]])
  expect([there.unsent, there.reasons]).toEqual([undefined, undefined])
  const elsewhere = await of(new URL(far.origin).host)
  expect(elsewhere.activities.map((it) => [it.counts.delivered, it.deliveries.length, it.more])).toEqual([[0, 0, 0]])
  expect([elsewhere.unsent, elsewhere.reasons]).toEqual([
    [status.uri],
    ['not-addressed', 'author-suspended', 'not-processed'],
  ])
  await db().run(sql`with gone as (delete from deliveries returning activity_id, inbox_id)
    update activities a set reached = (select array_agg(inbox_id) from gone g where g.activity_id = a.id), hosts = 1
    where exists (select 1 from gone g where g.activity_id = a.id)`)
  expect((await of(new URL(near.origin).host)).activities[0]?.counts.delivered).toBe(1)
  expect((await of('never.example')).reasons).toContain('not-kept')
  await Promise.all([near.close(), far.close()])
})

test('a server is found by the domain of handles, by actor ids, by its inbox, and by one of its accounts', async () => {
  const away = await startRemoteServer()
  const inbox = new URL(away.origin).host
  const ada = await createAccount(harness, 'ada')
  const rita = remoteAccount(
    harness,
    {
      name: 'rita',
      id: 'https://social.handle.example/users/rita',
      inbox: 'https://social.handle.example/users/rita/inbox',
    },
    `${away.origin}/inbox`,
  )
  rita.domain = 'handle.example'
  harness.tables.inboxes.set(ada.id, [`${away.origin}/inbox`])
  const status = await posted(harness, ada)
  await away.inbox.reached(1)
  await harness.waitForIdle()
  const of = (host: string) => harness.call(explainDelivery, { activity: status.uri, host }, staff)
  const why = async (host: string) => {
    const { activities, looked_at, reasons } = await of(host)
    expect([activities[0]?.counts.delivered, reasons]).toEqual([1, undefined])
    return [looked_at?.name, ...(looked_at?.hosts.map((it) => [it.host, ...it.why]) ?? [])]
  }
  expect(await why('Handle.example')).toEqual(['handle.example', [inbox, 'handle']])
  expect(await why('social.handle.example')).toEqual(['social.handle.example', [inbox, 'actor']])
  expect(await why(inbox)).toEqual([inbox, [inbox, 'inbox']])
  const account = [
    [inbox, 'shared-inbox'],
    ['social.handle.example', 'own-inbox'],
  ]
  expect(await why('@rita@handle.example')).toEqual(['rita@handle.example', ...account])
  expect(await why(rita.uri)).toEqual([rita.uri, ...account])
  const unknown = await of('@nobody@handle.example')
  expect(unknown.looked_at).toMatchObject({ is_known: false, hosts: [{ host: inbox, is_used: true }] })
  const none = await of('nobody.example')
  expect(none.looked_at).toEqual({ name: 'nobody.example', is_known: true, blocked: false, hosts: [] })
  expect(none.reasons).toContain('not-addressed')
  await harness.block('handle.example')
  expect(await of('@rita@handle.example')).toMatchObject({ looked_at: { blocked: true } })
  await harness.block()
  expect(await harness.call(showHost, { host: inbox }, staff)).toMatchObject({ ties: null })
  await away.close()
})

test('an undone boost is found by its address, by its Undo, and by the boosted status and the account', async () => {
  const [near, far] = [await startRemoteServer(), await startRemoteServer()]
  const ada = await createAccount(harness, 'ada')
  const [bob, zoe] = [await createAccount(harness, 'undoer'), await createAccount(harness, 'lonely')]
  harness.tables.inboxes.set(bob.id, [`${near.origin}/inbox`, `${far.origin}/inbox`])
  const status = written(harness, ada)
  far.behave({ kind: 'status', status: 403 })
  const boost = await boosted(bob, status, harness.nextId())
  await near.inbox.reached(1)
  await harness.waitForIdle()
  await announceDeleted(harness, boost)
  await near.inbox.reached(2)
  await harness.waitForIdle()
  const undo = `${boost.uri}#undo`
  const ended = {
    uri: boost.uri,
    is_boost: true,
    at: expect.stringMatching(/Z$/),
    before: { servers: 2, delivered: 1, pending: 0, is_folded: false },
    end: { servers: 1, delivered: 1, pending: 0 },
    kept_until: expect.stringMatching(/Z$/),
  }
  const by = (activity: string, name: string) => harness.call(explainDelivery, { activity, by: name }, staff)
  for (const answer of [await explain(boost.uri), await explain(undo), await by(status.uri, 'undoer')]) {
    expect(answer.activities.slice(0, 2).map((it) => [it.uri, it.boost_of])).toEqual([
      [boost.uri, status.uri],
      [undo, status.uri],
    ])
    expect(answer.ended).toEqual([ended])
  }
  // The boosted status itself no longer names the boost.
  expect((await explain(status.uri)).ended).toBeUndefined()
  const kept = Date.parse((await explain(undo)).ended?.[0]?.kept_until ?? '') - Date.now()
  expect(Math.round(kept / 86_400_000)).toBe(30)
  const one = { activity: undo, host: new URL(far.origin).host }
  expect((await harness.call(explainDelivery, one, staff)).ended).toMatchObject([
    { before: { servers: 1, delivered: 0 }, end: { servers: 0 } },
  ])
  expect(await by(status.uri, 'lonely')).toEqual({
    activities: [],
    by: expect.any(String),
    reasons: ['not-boosted'],
    ended_since: expect.stringMatching(/Z$/),
  })
  const alone = await boosted(zoe, status, harness.nextId())
  await harness.waitForIdle()
  expect(await by(status.uri, '@Lonely')).toMatchObject({ activities: [], unsent: [alone.uri] })
  await expect(by(status.uri, 'nobody')).rejects.toMatchObject({ code: 'unprocessable' })
  // The statuses service has erased the row, and the single deliveries are folded.
  harness.tables.sources.delete(boost.id)
  await db().run(sql`with gone as (delete from deliveries returning activity_id, inbox_id, state)
    update activities a set hosts = 2,
      reached = coalesce((select array_agg(inbox_id) from gone g where g.activity_id = a.id and g.state = 1), '{}')`)
  expect((await explain(undo)).ended).toMatchObject([
    { uri: boost.uri, before: { delivered: 1, is_folded: true }, end: { delivered: 1 } },
  ])
  await Promise.all([near.close(), far.close()])
})

test('the statuses of an account are listed from a time on, with deleted ones and undone boosts', async () => {
  const [ada, bob] = [await createAccount(harness, 'writer'), await createAccount(harness, 'other')]
  const [first, boost] = [await posted(harness, ada), await boosted(ada, await posted(harness, bob), harness.nextId())]
  await posted(harness, bob)
  await announceDeleted(harness, boost)
  const last = await posted(harness, ada, { visibility: 'private' })
  await harness.waitForIdle()
  const listed = (more: object) => harness.call(explainDelivery, { by: 'writer', ...more }, staff)
  const original = [...harness.tables.sources.values()].find((it) => it.id === boost.reblog_of)
  expect((await listed({})).statuses?.filter((it) => it.uri.startsWith(ada.uri))).toEqual([
    expect.objectContaining({ uri: first.uri, boost_of: null, ended_at: null }),
    expect.objectContaining({ uri: boost.uri, boost_of: original?.uri, ended_at: expect.stringMatching(/Z$/) }),
    expect.objectContaining({ uri: last.uri, visibility: 'private', ended_at: null }),
  ])
  expect(await listed({ since: new Date(Date.now() + 60_000).toISOString() })).toEqual({ activities: [], statuses: [] })
  await expect(listed({ since: 'yesterday' })).rejects.toMatchObject({ code: 'unprocessable' })
})

test('a statuses service of an older release causes an error with this reason, unless its response is complete', async () => {
  const [ada, first, last] = [
    await createAccount(harness, 'boosted'),
    await createAccount(harness, 'early'),
    await createAccount(harness, 'late'),
  ]
  const status = await posted(harness, ada)
  const own = await boosted(first, status, harness.nextId())
  const by = (name: string) => harness.call(explainDelivery, { activity: status.uri, by: name }, staff)
  const older = { code: 'unavailable', message: expect.stringContaining('older release') }
  harness.tables.hasOlderStatuses = true
  try {
    expect(await by('early')).toMatchObject({ unsent: [own.uri] })
    expect(await by('late')).toMatchObject({ activities: [], reasons: ['not-boosted'] })
    for (let n = 0; n < 25; n++) await boosted(last, status, harness.nextId())
    await expect(by('early')).rejects.toMatchObject(older)
    const since = new Date(Date.now() + 60_000).toISOString()
    await expect(harness.call(explainDelivery, { by: 'early', since }, staff)).rejects.toMatchObject(older)
  } finally {
    harness.tables.hasOlderStatuses = false
  }
  expect(await by('early')).toMatchObject({ unsent: [own.uri] })
})

test('ended statuses of an account are read from an index', async () => {
  await db().run(sql`insert into activities (id, uri, kind, actor_id, seq, object_uri, created_at)
    select n, 'https://here.example/s/' || n || '#delete', 'Delete', n % 100, n, 'https://here.example/s/' || n, now()
    from generate_series(1, 20000) n`)
  await owner.run(sql`analyze activities`)
  const asked = { from: '1', limit: 500, newestFirst: true }
  expect(await endsOfAccount(db(), '7', asked)).toMatchObject({ rows: { length: 200 }, readUpTo: null })
  expect(await plansOf(db(), (it) => endsOfAccount(it, '7', asked))).toContain('activities_ended')
  expect(await plansOf(db(), (it) => endedDeliveries(it, ['https://here.example/s/1'], null))).not.toMatch(
    /Seq Scan on activities/,
  )
})

test('of an account with very many Undos a bounded number is read, and the report tells which were not', async () => {
  const [busy, ada] = [await createAccount(harness, 'busy'), await createAccount(harness, 'ada')]
  const status = await posted(harness, ada)
  const boost = await boosted(busy, status, harness.nextId())
  await announceDeleted(harness, boost)
  await harness.waitForIdle()
  const undos = async (start: string, total: number) => {
    await db().run(sql`insert into activities (id, uri, kind, actor_id, seq, object_uri, created_at)
      select ${start}::bigint + n, 'https://here.example/follows/' || ${start}::text || n || '#undo', 'Undo', ${busy.id}, n,
        'https://here.example/follows/' || n, now() + n * interval '1 second' from generate_series(1, ${total}::int) n`)
    await owner.run(sql`analyze activities`)
  }
  const [{ id: last } = { id: '' }] = await db().rows<{ id: string }>(
    sql`select id from activities where actor_id = ${busy.id} and kind = 'Undo'`,
  )
  const listed = () => harness.call(explainDelivery, { by: 'busy' }, staff)
  const boostsBy = () => harness.call(explainDelivery, { activity: status.uri, by: 'busy' }, staff)
  for (const answer of [await listed(), await boostsBy()])
    expect([answer.ends_from, answer.ends_until]).toEqual([undefined, undefined])
  await undos(last, MAX_ENDS_READ)
  const found = await boostsBy()
  expect(found).toMatchObject({ activities: [], reasons: ['not-boosted'], ends_from: expect.stringMatching(/Z$/) })
  expect(Date.parse(found.ends_from ?? '')).toBeLessThan(Date.now() + 60_000)
  const list = await listed()
  expect(list).toMatchObject({ more_statuses: true, ends_until: expect.stringMatching(/Z$/) })
  expect(Date.parse(list.ends_until ?? '')).toBeGreaterThan(Date.now() + 3_600_000)
  expect(list.statuses?.map((it) => it.uri)).toEqual([boost.uri])
  await undos(String(BigInt(last) + 100_000n), MAX_ENDS_READ)
  const asked = { from: '1', limit: 500, newestFirst: true }
  const plan: string[] = []
  const analyze = async (query: Sql) => {
    const lines = await db().rows<Record<string, string>>(sql`explain (analyze, timing off) ${query}`)
    plan.push(...lines.map((line) => line['QUERY PLAN'] ?? ''))
    return []
  }
  await endsOfAccount({ rows: analyze } as Partial<Reader> as Reader, busy.id, asked)
  const [, rows] = /Index Scan Backward using activities_ended .*actual rows=(\d+)/.exec(plan.join('\n')) ?? []
  expect(Number(rows)).toBe(MAX_ENDS_READ)
})

test('activities of many addresses are read from indexes', async () => {
  const ids = Array.from({ length: 26 }, (_, n) => `https://here.example/${n}`)
  await db().run(sql`insert into activities (id, uri, kind, actor_id, seq, object_uri, created_at)
    select n, 'https://here.example/' || n || '/activity', 'Create', 1, n, 'https://here.example/' || n, now()
    from generate_series(1, 20000) n`)
  await owner.run(sql`analyze activities`)
  expect(await plansOf(db(), (it) => activitiesOn(it, ids, { each: 50, all: 100 }))).not.toMatch(/Seq Scan/)
})
