/** Crawls of servers: counts and peers, limits, blocked servers, a lost worker, a stop, and the result for staff. */
import {
  federationTaskStarted,
  listCrawledServers,
  showCrawl,
  showFederationTask,
  startCrawl,
  stopFederationTask,
} from '@murmuration/contracts/federation'
import type { Task } from '@murmuration/contracts/task'
import { sql } from '@murmuration/db'
import { beginInWindow, plansOf, viewer } from '@murmuration/testkit'
import { type Received, type StubResponse, serve, type WebServer } from '@murmuration/testkit/outside/web-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { INSTANCE_ACCOUNT } from '../src/core/address/self.js'
import { addServers, waitingServers } from '../src/crawl/store.js'
import { createAccount, type SiblingServices, startSiblingServices } from './sibling-services.js'

const staff = viewer('77')
let harness: SiblingServices
const servers: WebServer[] = []

beforeAll(async () => {
  harness = await startSiblingServices()
  const { id } = await createAccount(harness, 'server')
  const key = harness.tables.keys.get(id)
  if (key) harness.tables.keys.set(INSTANCE_ACCOUNT, key)
})
afterAll(async () => {
  await harness.stop()
  await Promise.all(servers.map((one) => one.close()))
})
const db = () => harness.db('federation')
beforeEach(async () => {
  await harness.block()
  await db().run(sql`delete from peers`)
})

interface Site extends WebServer {
  requests: string[]
}
type Pages = Record<string, unknown>

/** A server that responds with these documents; a function may respond itself. */
const site = async (pages: Pages | ((request: Received) => Promise<StubResponse>)): Promise<Site> => {
  const requests: string[] = []
  const server = await serve((request) => {
    requests.push(request.path)
    if (typeof pages === 'function') return pages(request)
    const page = pages[request.path]
    return page === undefined ? { status: 404 } : { status: 200, body: JSON.stringify(page) }
  })
  servers.push(server)
  return Object.assign(server, { requests })
}
const mastodon = (users: number, peers: readonly unknown[]): Pages => ({
  '/api/v1/instance': { version: '4.4.1', stats: { user_count: users, status_count: users * 10, domain_count: 3 } },
  '/api/v1/instance/peers': peers,
  '/api/v1/instance/activity': [
    { week: '2', statuses: '9', logins: '99', registrations: '99' },
    { week: '1', statuses: '5', logins: '3', registrations: '1' },
    { week: '0', statuses: '5', logins: '7', registrations: '7' },
  ],
})
const nameOf = ({ origin }: WebServer): string => new URL(origin).host

const ended = async ({ id }: Task): Promise<Task> => {
  await harness.waitForIdle()
  return harness.call(showFederationTask, { id }, staff)
}
const found = async (id: string) =>
  Object.fromEntries((await harness.call(listCrawledServers, { id }, staff)).map((one) => [one.domain, one]))

test('a crawl visits a server and its peers, and adds up their counts', async () => {
  const software = await site({})
  const named = nameOf(software)
  const nodeinfo = await site({
    '/.well-known/nodeinfo': { links: [] },
    '/api/v1/instance/peers': ['127.0.0.1:1'],
  })
  const small = await site(mastodon(2, [named, 'no domain', 7, null, '127.0.0.1:1']))
  const first = await site(mastodon(40, [nameOf(small), nameOf(nodeinfo), harness.ours.site.webDomain]))
  const task = await harness.call(startCrawl, { domain: nameOf(first) }, staff)
  expect(task).toMatchObject({ kind: 'crawl-servers', state: 'running', dry_run: false })
  expect(await ended(task)).toMatchObject({ state: 'done', seen: 5, changed: 3, notes: { found: 5, failed: 2 } })
  expect(await harness.call(showCrawl, { id: task.id }, staff)).toEqual({
    task: expect.objectContaining({ id: task.id }),
    waiting: 0,
    visited: 3,
    failed: 2,
    blocked: 0,
    users: 42,
    statuses: 420,
    active_week: 6,
    joined_week: 2,
  })
  const rows = await found(task.id)
  expect(rows[nameOf(first)]).toMatchObject({ state: 'visited', version: '4.4.1', users: 40, active_week: 3 })
  expect(rows[nameOf(nodeinfo)]).toMatchObject({ state: 'visited', users: null })
  expect(rows['127.0.0.1:1']).toMatchObject({ state: 'failed', users: null })
  expect(first.requests.filter((path) => path === '/api/v1/instance')).toHaveLength(1)
  const [entry] = await db().rows<{ data: { by: string; action: string; target: string } }>(
    sql`select data::jsonb as data from outbox where subject = ${federationTaskStarted.subject} order by id desc limit 1`,
  )
  expect(entry?.data).toMatchObject({ by: '77', action: 'crawl_servers', target: nameOf(first) })
})

test('counts of a server without the instance API are read from NodeInfo on its own site', async () => {
  const pages: Pages = {}
  const server = await site(pages)
  const schema = 'http://nodeinfo.diaspora.software/ns/schema/2.0'
  pages['/.well-known/nodeinfo'] = { links: [{ rel: schema, href: `${server.origin}/nodeinfo/2.0` }] }
  pages['/nodeinfo/2.0'] = {
    software: { name: 'misskey\u0000\u001b[31m', version: '2026.1' },
    usage: { users: { total: 12, activeMonth: 4 }, localPosts: 1e30 },
  }
  const elsewhere = await site({})
  const lying = await site({
    '/.well-known/nodeinfo': { links: [{ rel: schema, href: `${elsewhere.origin}/nodeinfo/2.0` }] },
  })
  await db().run(sql`insert into peers (host) values (${nameOf(server)}), (${nameOf(lying)})`)
  const task = await ended(await harness.call(startCrawl, {}, staff))
  expect(task).toMatchObject({ state: 'done', seen: 2, changed: 1 })
  const rows = await found(task.id)
  expect(rows[nameOf(server)]).toMatchObject({ software: 'misskey[31m', version: '2026.1', users: 12, statuses: null })
  expect(rows[nameOf(lying)]).toMatchObject({ state: 'failed' })
  expect(elsewhere.requests).toEqual([])
})

test.each([false, true])('a byte order mark before JSON is ignored: NodeInfo %s', async (nodeInfo) => {
  const schema = 'http://nodeinfo.diaspora.software/ns/schema/2.0'
  const pages = nodeInfo
    ? {
        '/nodeinfo/2.0': { software: { name: 'x', version: '4.4.1' }, usage: { users: { total: 12 } } },
        '/.well-known/nodeinfo': { links: [{ rel: schema, href: '/nodeinfo/2.0' }] },
      }
    : mastodon(12, [])
  const server = await site(async ({ path, headers }) => {
    const page = (pages as Pages)[path]
    const text = JSON.stringify(page)?.replace('"/nodeinfo', `"http://${headers.host}/nodeinfo`)
    return page === undefined ? { status: 404 } : { status: 200, body: `\ufeff${text}` }
  })
  const task = await ended(await harness.call(startCrawl, { domain: nameOf(server) }, staff))
  expect((await found(task.id))[nameOf(server)]).toMatchObject({ state: 'visited', version: '4.4.1', users: 12 })
})

test('a suspended server is listed without a request, or left out', async () => {
  const blocked = await site(mastodon(1, []))
  const first = await site(mastodon(1, [`localhost:${blocked.port}`]))
  await harness.block('localhost')
  const listed = await ended(await harness.call(startCrawl, { domain: nameOf(first) }, staff))
  expect(await harness.call(showCrawl, { id: listed.id }, staff)).toMatchObject({ visited: 1, blocked: 1 })
  const without = await ended(await harness.call(startCrawl, { domain: nameOf(first), exclude_suspended: true }, staff))
  expect(Object.keys(await found(without.id))).toEqual([nameOf(first)])
  expect(blocked.requests).toEqual([])
  await expect(harness.call(startCrawl, { domain: 'localhost' }, staff)).rejects.toThrow('Domain is blocked')
  await expect(harness.call(startCrawl, { domain: 'a b' }, staff)).rejects.toMatchObject({ code: 'unprocessable' })
  const own = harness.ours.site.webDomain
  await expect(harness.call(startCrawl, { domain: own }, staff)).rejects.toMatchObject({ code: 'unprocessable' })
})

test('a crawl can be stopped, keeps its concurrency, and can be followed by another one', async () => {
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let [now, max] = [0, 0]
  const slow = async (): Promise<StubResponse> => {
    max = Math.max(max, ++now)
    await held
    now--
    return { status: 404 }
  }
  const names = (await Promise.all([1, 2, 3, 4, 5, 6].map(() => site(slow)))).map(nameOf)
  await db().run(sql`insert into peers (host) select unnest(${names}::text[])`)
  const task = await harness.call(startCrawl, { concurrency: 2 }, staff)
  await expect.poll(() => now).toBe(2)
  await expect(harness.call(startCrawl, {}, staff)).rejects.toThrow('already running')
  expect(await harness.call(stopFederationTask, { id: task.id })).toMatchObject({ state: 'stopped' })
  release()
  await harness.waitForIdle()
  expect(await harness.call(showCrawl, { id: task.id }, staff)).toMatchObject({ waiting: 6, visited: 0, failed: 0 })
  expect(await ended(await harness.call(startCrawl, {}, staff))).toMatchObject({ state: 'done', seen: 6 })
  // The first of the three requests to a server is alone.
  expect(max).toBeLessThanOrEqual(2 * 2)
})

test('a crawl whose worker is lost continues with the waiting servers', async () => {
  const [done, waiting] = [await site({}), await site(mastodon(3, []))]
  const id = harness.nextId()
  const past = new Date(harness.ours.clock.now() - 1_000)
  await db().run(sql`insert into tasks (id, kind, input, dry_run, position, next_at, created_at, updated_at)
    values (${id}, 'crawl-servers', ${JSON.stringify({ start: null, concurrency: 2, excludeSuspended: false })}, false,
      '4', ${past}, ${past}, ${past})`)
  await db().run(sql`insert into crawled_servers (task_id, host, site, state, due_at) values
    (${id}, ${nameOf(done)}, 'a', 'visited', ${past}), (${id}, ${nameOf(waiting)}, 'b', 'waiting', ${past})`)
  await expect
    .poll(() => harness.call(showCrawl, { id }, staff))
    .toMatchObject({ task: { state: 'done', seen: 1 }, visited: 2, users: 3 })
  expect(done.requests).toEqual([])
})

/** Starts a crawl with these waiting servers. */
const crawlOf = async (rows: readonly { host: string; site: string }[]): Promise<string> => {
  const id = harness.nextId()
  const past = new Date(harness.ours.clock.now() - 1_000)
  await db().run(sql`insert into tasks (id, kind, input, dry_run, position, next_at, created_at, updated_at)
    values (${id}, 'crawl-servers', ${JSON.stringify({ start: null, concurrency: 16, excludeSuspended: false })}, false,
      '0', ${past}, ${past}, ${past})`)
  await db().run(sql`insert into crawled_servers (task_id, host, site, state, due_at)
    select ${id}, host, site, 'waiting', ${past}
    from unnest(${rows.map((row) => row.host)}::text[], ${rows.map((row) => row.site)}::text[]) as r(host, site)`)
  return id
}
/** Numbers of servers by state and counted visits, as soon as the crawl pauses or has ended. */
const triesOf = async (id: string): Promise<Record<string, number> | null> => {
  const soon = new Date(harness.ours.clock.now() + 61_000)
  const idle = await db().row(sql`select 1 from tasks where id = ${id} and (state = 'done' or next_at <= ${soon})`)
  const rows = await db().rows<{
    tries: number
    n: number
  }>(sql`select state || ' ' || tries as tries, count(*)::int as n
    from crawled_servers where task_id = ${id} group by 1`)
  return idle === null ? null : Object.fromEntries(rows.map(({ tries, n }) => [tries, n]))
}
const WAIT = { timeout: 20_000 }

test('servers above the limit of new hosts below one domain are visited later, without a counted try', async () => {
  await beginInWindow(1)
  const id = await crawlOf([...Array(24).keys()].map((n) => ({ host: `a${n}.many.invalid`, site: 'many.invalid' })))
  try {
    await expect.poll(() => triesOf(id), WAIT).toEqual({ 'failed 1': 10, 'waiting 0': 14 })
    harness.moveTo(61_000)
    await expect.poll(() => triesOf(id), WAIT).toEqual({ 'failed 1': 20, 'waiting 0': 4 })
    harness.moveTo(122_000)
    await expect.poll(() => triesOf(id), WAIT).toEqual({ 'failed 1': 24 })
  } finally {
    harness.moveTo(0)
    await harness.call(stopFederationTask, { id })
  }
})

test('a redirect to a new host above the limit is followed later, without a failed visit', async () => {
  await beginInWindow(1)
  const before = await crawlOf([...Array(10).keys()].map((n) => ({ host: `a${n}.farm.invalid`, site: 'farm.invalid' })))
  await expect.poll(() => triesOf(before), WAIT).toEqual({ 'failed 1': 10 })
  const away = await site(async ({ path }) => ({ status: 302, headers: { location: `http://z.farm.invalid${path}` } }))
  // This one has no instance API, and redirects the request for NodeInfo only.
  const partly = await site(async ({ path }) =>
    path.startsWith('/.well-known')
      ? { status: 302, headers: { location: `http://y.farm.invalid${path}` } }
      : { status: 404 },
  )
  const rows = [away, partly].map((one) => ({ host: nameOf(one), site: nameOf(one) }))
  const id = await crawlOf(rows)
  try {
    await expect.poll(() => triesOf(id), WAIT).toEqual({ 'waiting 1': 2 })
    harness.moveTo(61_000)
    await expect.poll(() => triesOf(id), WAIT).toEqual({ 'failed 2': 2 })
  } finally {
    harness.moveTo(0)
    await harness.call(stopFederationTask, { id })
  }
})

test('long lists of servers are read two at a time', async () => {
  const list = JSON.stringify([
    '127.0.0.1:1',
    ...Array.from({ length: 12_000 }, (_, n) => `no domain ${'x'.repeat(40)} ${n}`),
  ])
  const begun = new Map<string, number>()
  let [now, max, read] = [0, 0, 0]
  const long = async ({ path, headers }: Received): Promise<StubResponse> => {
    if (path !== '/api/v1/instance/peers') return { status: 404 }
    const host = String(headers.host)
    begun.set(host, (begun.get(host) ?? 0) + 1)
    if (begun.get(host) === 1) return { status: 200, body: list }
    max = Math.max(max, ++now)
    // The second request may come late on a busy machine.
    const latest = performance.now() + 20_000
    do await new Promise((resolve) => setTimeout(resolve, 50))
    while (max < 2 && performance.now() < latest)
    now--
    read++
    return { status: 200, body: list }
  }
  const names = (await Promise.all(Array.from({ length: 5 }, () => site(long)))).map(nameOf)
  const id = await crawlOf(names.map((host) => ({ host, site: host })))
  await expect.poll(() => triesOf(id), WAIT).toEqual({ 'visited 1': 5, 'failed 1': 1 })
  expect([read, max]).toEqual([5, 2])
})

test.each([429, 503])('a server that responds with %s is visited three times, a minute apart', async (status) => {
  let visits = 0
  const busy = await site(async () => {
    visits++
    return { status }
  })
  const id = await crawlOf([{ host: nameOf(busy), site: nameOf(busy) }])
  try {
    await expect.poll(() => triesOf(id), WAIT).toEqual({ 'waiting 1': 1 })
    harness.moveTo(61_000)
    await expect.poll(() => triesOf(id), WAIT).toEqual({ 'waiting 2': 1 })
    harness.moveTo(122_000)
    await expect.poll(() => triesOf(id), WAIT).toEqual({ 'failed 3': 1 })
    expect(visits).toBe(3)
  } finally {
    harness.moveTo(0)
    await harness.call(stopFederationTask, { id })
  }
})

test('new servers below one registered domain are due in different minutes', async () => {
  const task = await ended(await harness.call(startCrawl, {}, staff))
  const at = new Date(harness.ours.clock.now())
  const of = (host: string, site: string) => ({ host, site, state: 'waiting' as const })
  const many = (from: number) => [...Array(15).keys()].map((n) => of(`n${from + n}.evil.example`, 'evil.example'))
  await db().tx((tx) => addServers(tx, task.id, [...many(0), of('a.example', 'a.example')], at))
  await db().tx((tx) => addServers(tx, task.id, many(15), at))
  const rows = await db().rows(sql`select site, extract(epoch from due_at - ${at}::timestamptz)::int / 60 as minute,
    count(*)::int as n from crawled_servers where task_id = ${task.id} group by 1, 2 order by 1, 2`)
  expect(rows).toEqual([
    { site: 'a.example', minute: 0, n: 1 },
    ...[0, 1, 2].map((minute) => ({ site: 'evil.example', minute, n: 10 })),
  ])
})

test('a crawl keeps its limits of servers in all and below one registered domain', async () => {
  const task = await ended(await harness.call(startCrawl, {}, staff))
  const of = (name: string, site: string) => ({ host: name, site, state: 'waiting' as const })
  const many = [...Array(9).keys()].map((n) => of(`n${n}.evil.example`, 'evil.example'))
  const limits = { all: 6, below: 4 }
  const add = (rows: typeof many) => db().tx((tx) => addServers(tx, task.id, rows, new Date(), limits))
  expect(await add(many)).toBe(4)
  expect(await add(many)).toBe(0)
  expect(await add([of('a.example', 'a.example'), of('b.example', 'b.example'), of('c.example', 'c.example')])).toBe(2)
})

test('an index serves the servers that wait', async () => {
  const task = await ended(await harness.call(startCrawl, {}, staff))
  await db().run(sql`insert into crawled_servers (task_id, host, site, state, due_at)
    select ${task.id}, 'h' || n, 's' || n, case when n % 1000 = 0 then 'waiting' else 'visited' end, now()
    from generate_series(1, 20000) n`)
  await db().run(sql`analyze crawled_servers`)
  const plans = await plansOf(db(), (reader) => waitingServers(reader, task.id, new Date(), 32))
  expect(plans).toMatch(/crawled_servers_waiting/)
})

test('results of an unknown task, and of a task of another kind, return 404', async () => {
  await expect(harness.call(showCrawl, { id: '1' }, staff)).rejects.toMatchObject({ code: 'not_found' })
  await expect(harness.call(listCrawledServers, { id: '1' }, staff)).rejects.toMatchObject({ code: 'not_found' })
})
