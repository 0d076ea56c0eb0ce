/** Deliveries to slow, failing and unavailable servers: others are not delayed, and no delivery is lost or done twice. */
import { createServer } from 'node:net'
import type { AccountRecord } from '@murmuration/contracts/accounts'
import { deliveryState, explainDelivery } from '@murmuration/contracts/federation'
import { favouriteCreated, quoteRequested } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { type Delivery, type RemoteServer, startRemoteServer } from '@murmuration/testkit/outside/remote-server'
import { type Received, serve } from '@murmuration/testkit/outside/web-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Context } from '../src/context.js'
import { markAlive } from '../src/delivery/host-queue.store.js'
import { refetchGoneActor } from '../src/inbox/refetch-gone-actor.job.js'
import { createSteps, day, hour, minute, type Steps, second, WAITS } from './delivery-steps.js'
import {
  announceDeleted,
  announceEdited,
  createAccount,
  posted,
  remoteAccount,
  type SiblingServices,
  startSiblingServices,
  written,
} from './sibling-services.js'

let harness: SiblingServices
let remote: RemoteServer
let ada: AccountRecord
let bob: AccountRecord
let steps: Steps
const closers: (() => Promise<void>)[] = []

beforeAll(async () => {
  // Longer than a local response takes on a busy machine. Time-outs are tested in `delivery-time-outs.test.ts`.
  harness = await startSiblingServices({ DELIVERY_TIMEOUT_MS: '60000' })
  steps = createSteps(harness)
})
afterAll(() => harness.stop())
beforeEach(async () => {
  remote = await startRemoteServer()
  closers.push(() => remote.close())
  ada = await createAccount(harness, 'ada')
  bob = await createAccount(harness, 'bob')
  for (const one of [ada, bob]) harness.tables.inboxes.set(one.id, [`${remote.origin}/inbox`])
})
afterEach(async () => {
  await harness.db('federation').run(sql`update deliveries set state = 3 where state = 0`)
  await Promise.all(closers.splice(0).map((close) => close()))
})

const posts = () => remote.requests.all.filter((one) => one.method === 'POST').length
/** The pending delivery that was tried most often. */
const mostTried = async (): Promise<{ attempts: number; at: Date }> => {
  const [row] = await harness
    .db('federation')
    .rows<{ attempts: number; at: Date }>(
      sql`select attempts::int, at from deliveries where state = 0 order by attempts desc limit 1`,
    )
  if (!row) throw new Error('no delivery is pending')
  return row
}
const inbox = (server = remote): string[] => server.inbox.all.map((one: Delivery) => String(one.activity.id))
const host = () => new URL(remote.origin).host
const state = async () => (await harness.call(deliveryState, { host: host() })).hosts[0]
const counts = async (uri: string) =>
  Object.fromEntries(
    Object.entries((await harness.call(explainDelivery, { activity: uri })).activities[0]?.counts ?? {}).filter(
      ([, n]) => n > 0,
    ),
  )

test('F045 a server that fails for ten minutes receives everything afterwards, in order, by the schedule', async () => {
  const repair = remote.behave({ kind: 'status', status: 500 })
  const hers = [await posted(harness, ada)]
  await expect.poll(async () => (await mostTried()).attempts).toBeGreaterThan(0)
  // Later activities of the same actor wait behind it.
  hers.push(await posted(harness, ada), await posted(harness, ada))
  await steps.waitForIdle()
  // The clock also advances by itself, so that the times are compared, and not the number of attempts after a time.
  for (let last = await mostTried(); last.attempts < 4; ) {
    const due = last.at.getTime()
    steps.until(due - 5 * second)
    await steps.waitForIdle()
    const early = await mostTried()
    if (harness.ours.clock.now() < due) expect(early).toEqual(last)
    steps.until(due)
    await expect.poll(async () => (await mostTried()).attempts).toBeGreaterThan(last.attempts)
    last = await mostTried()
    const wait = [15, 60, 300, 900][last.attempts - 1] ?? 3_600
    expect(last.at.getTime()).toBeGreaterThanOrEqual(due + wait * 0.8 * second)
    expect(last.at.getTime()).toBeLessThanOrEqual(harness.ours.clock.now() + wait * 1.2 * second)
  }
  const sent = remote.requests.all.filter((one) => one.method === 'POST').map((one) => one.body.toString())
  expect(sent.every((body) => body.includes(`"${hers[0]?.uri}/activity"`))).toBe(true)
  hers.push(await posted(harness, ada))
  repair()
  steps.later(20 * minute)
  await remote.inbox.reached(4)
  await steps.waitForIdle()
  expect(inbox()).toEqual(hers.map((one) => `${one.uri}/activity`))
  const bodies = remote.requests.all
    .map((one) => one.body.toString())
    .filter((body) => body.includes(`"${hers[0]?.uri}/activity"`))
  const activity = sql`select id from activities where uri = ${`${hers[0]?.uri}/activity`}`
  const made = await harness
    .db('federation')
    .rows(sql`select attempts::int from deliveries where activity_id = (${activity})`)
  expect(made).toEqual([{ attempts: 5 }])
  // All attempts had the same bytes.
  expect(bodies.length).toBe(5)
  expect(new Set(bodies).size).toBe(1)
  expect(await counts(hers[0]?.uri ?? '')).toEqual({ delivered: 1 })
  expect(await state()).toMatchObject({ failures: 0, waiting: 0 })
})

test('F046 Retry-After pauses the whole host, in seconds or until a date', async () => {
  // The clock runs on while a busy machine works, so each wait leaves a minute or half of one.
  const repair = remote.behave({ kind: 'retry-after', after: 1_200 })
  await posted(harness, ada)
  await steps.waitForIdle()
  await posted(harness, bob)
  await steps.waitForIdle()
  expect(posts()).toBe(1)
  repair()
  steps.later(19 * minute)
  await steps.waitForIdle()
  expect(posts()).toBe(1)
  const healDate = remote.behave({ kind: 'retry-after', after: new Date(Date.now() + 10 * minute), status: 503 })
  steps.later(70 * second)
  await steps.waitForIdle()
  expect(posts()).toBe(2)
  healDate()
  steps.later(9.5 * minute)
  await steps.waitForIdle()
  expect(posts()).toBe(2)
  steps.later(minute)
  await remote.inbox.reached(2)
})

describe('F047 refusals', () => {
  test.each([403, 404, 410, 413, 422])('%i is final after one attempt', async (status) => {
    remote.behave({ kind: 'status', status })
    const one = await posted(harness, ada)
    await steps.waitForIdle()
    steps.later(day)
    await steps.waitForIdle()
    expect(posts()).toBe(1)
    expect(await counts(one.uri)).toEqual({ refused: 1 })
    expect(await harness.db('federation').rows(sql`select 1 from dead_letters`)).toEqual([])
  })

  test('after 400 and 401 the other signature scheme is tried, and 401 is given up after four attempts', async () => {
    remote.behave({ kind: 'status', status: 400 })
    const bad = await posted(harness, ada)
    await steps.waitForIdle()
    expect([posts(), await counts(bad.uri)]).toEqual([2, { refused: 1 }])
    expect(remote.requests.all.map((one) => 'signature-input' in one.headers)).toEqual([false, true])
    remote.behave({ kind: 'status', status: 401 })
    const unknown = await posted(harness, ada)
    await steps.waitForIdle()
    for (const wait of WAITS.slice(0, 3)) {
      steps.later(wait * second)
      await steps.waitForIdle()
    }
    expect([posts(), await counts(unknown.uri)]).toEqual([10, { refused: 1 }])
  })

  test('410 of a personal inbox causes a fetch of the actor, and nothing is sent there any more', async () => {
    const actor = await remote.addActor('gone')
    const gone = remoteAccount(harness, actor)
    remote.behave({ kind: 'gone' })
    const favourite = {
      status: '1',
      statusUri: `${remote.origin}/1`,
      author: gone.id,
      authorLocal: false,
      by: ada.id,
      byLocal: true,
      uri: null,
    }
    await harness.announce(favouriteCreated, { ...favourite, id: harness.nextId() })
    await steps.waitForIdle()
    expect(harness.tables.resolved).toContain(gone.uri)
    await harness.announce(favouriteCreated, { ...favourite, id: harness.nextId() })
    await steps.waitForRelease()
    expect(posts()).toBe(1)
    remote.repair()
    await markAlive(harness.db('federation'), host(), harness.ours.clock.date())
    await harness.announce(favouriteCreated, { ...favourite, id: harness.nextId() })
    await remote.inbox.reached(1)
  })
})

test.each(['status 404', 'gone'])(
  'delivery 4 a personal inbox that is gone (%s) causes a fetch of its actor, also for activities with many recipients',
  async (how) => {
    const [one, two] = [await remote.addActor('one'), await remote.addActor('two')]
    const [moved, there] = [remoteAccount(harness, one), remoteAccount(harness, two)]
    harness.tables.inboxes.set(ada.id, [one.inbox, two.inbox])
    const path = new URL(one.inbox).pathname
    remote.behave(how === 'gone' ? { kind: 'gone' } : { kind: 'status', status: 404 }, { path })
    await posted(harness, ada)
    await steps.waitForIdle()
    const asked = () => harness.tables.resolved.filter((uri) => uri === moved.uri).length
    expect([asked(), harness.tables.resolved.includes(there.uri)]).toEqual([1, false])
    // The fetch is limited to once a day.
    await posted(harness, ada)
    await steps.waitForIdle()
    expect(asked()).toBe(1)
    // The limit also holds after the bus dropped the first job, for jobs of other processes.
    await refetchGoneActor.run(harness.ours as unknown as Context, { inbox: one.inbox }, { id: 'another', tries: 1 })
    expect(asked()).toBe(1)
  },
)

test('the accepted signature scheme is stored, and the second delivery uses it at once', async () => {
  const seen: Received[] = []
  const modern = await serve((request) => {
    seen.push(request)
    return { status: request.headers['signature-input'] ? 202 : 401 }
  })
  closers.push(modern.close)
  harness.tables.inboxes.set(ada.id, [`${modern.origin}/inbox?a=b`])
  await posted(harness, ada)
  await steps.waitForIdle()
  await posted(harness, ada)
  await steps.waitForIdle()
  // Cavage, cavage without the query, RFC 9421; then RFC 9421.
  expect(seen.map((one) => 'signature-input' in one.headers)).toEqual([false, false, true, true])
})

test('delivery 4 the third redirect of a direct activity causes a fetch of the actor', async () => {
  const elsewhere = remoteAccount(harness, await remote.addActor('mover'))
  remote.behave({ kind: 'redirect', to: `${remote.origin}/new`, status: 308 })
  await harness.announce(favouriteCreated, {
    id: harness.nextId(),
    status: '1',
    statusUri: `${remote.origin}/1`,
    author: elsewhere.id,
    authorLocal: false,
    by: ada.id,
    byLocal: true,
    uri: null,
  })
  await steps.waitForIdle()
  for (const wait of WAITS.slice(0, 2)) {
    expect(harness.tables.resolved).not.toContain(elsewhere.uri)
    steps.later(wait * second)
    await steps.waitForIdle()
  }
  expect(harness.tables.resolved).toContain(elsewhere.uri)
})

test('F048 a redirect is not followed and is a failure with three attempts', async () => {
  const elsewhere = await startRemoteServer()
  closers.push(() => elsewhere.close())
  remote.behave({ kind: 'redirect', to: `${elsewhere.origin}/inbox`, status: 307 })
  const one = await posted(harness, ada)
  await steps.waitForIdle()
  for (const wait of WAITS.slice(0, 2)) {
    steps.later(wait * second)
    await steps.waitForIdle()
  }
  expect([posts(), elsewhere.requests.all.length, await counts(one.uri)]).toEqual([3, 0, { refused: 1 }])
})

test('F050 responses that are cut, too long, or not HTTP count as failures, and the process continues', async () => {
  const nonsense = [
    'HTTP/1.1 202 Accepted\r\nContent-Length: 5\r\n\r\n12',
    `HTTP/1.1 202 Accepted\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`,
    '\u0000\u0001\u0002 this is no HTTP\r\n\r\n',
    'HTTP/1.1 202 Accepted\r\nContent-Length: nine\r\n\r\n',
  ]
  let n = 0
  const broken = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(nonsense[n++] ?? ''))
  })
  await new Promise<void>((ready) => broken.listen(0, '127.0.0.1', ready))
  closers.push(() => new Promise((done) => broken.close(() => done())))
  const { port } = broken.address() as { port: number }
  harness.tables.inboxes.set(ada.id, [`http://127.0.0.1:${port}/inbox`])
  const one = await posted(harness, ada)
  await steps.waitForIdle()
  for (const wait of WAITS.slice(0, 3)) {
    steps.later(wait * second)
    await steps.waitForIdle()
  }
  expect(n).toBe(4)
  expect(await counts(one.uri)).toEqual({ pending: 1 })
  harness.tables.inboxes.set(ada.id, [`${remote.origin}/inbox`])
  await posted(harness, ada)
  await remote.inbox.reached(1)
})

test('F052 a host without a response for eight days becomes unavailable, gets one delivery a day, and recovers', async () => {
  const held = async () => (await state())?.waiting
  remote.behave({ kind: 'status', status: 503 })
  for (let n = 0; n < 6; n++) {
    await posted(harness, ada)
    await steps.waitForIdle()
    expect((await state())?.unavailable_since).toBeNull()
    steps.later(day)
    await steps.waitForIdle()
  }
  await steps.waitForIdle()
  expect((await state())?.unavailable_since).not.toBeNull()
  expect(await held()).toBe(0)
  const before = posts()
  for (let n = 0; n < 5; n++) await posted(harness, ada)
  await steps.waitForIdle()
  expect([posts(), await held()]).toEqual([before, 0])
  steps.later(day)
  await posted(harness, ada)
  await posted(harness, ada)
  await steps.waitForRelease()
  expect([posts(), await held()]).toEqual([before + 1, 0])
  // Its valid request shows that it is available.
  remote.repair()
  await markAlive(harness.db('federation'), host(), harness.ours.clock.date())
  const fresh = await posted(harness, ada)
  await remote.inbox.reached(1)
  expect(inbox()).toEqual([`${fresh.uri}/activity`])
  expect(await state()).toMatchObject({ failures: 0, unavailable_since: null })
})

test('a successful daily delivery makes an unavailable host available', async () => {
  await posted(harness, ada)
  await steps.waitForRelease()
  await harness
    .db('federation')
    .run(
      sql`update lanes set unavailable_since = ${harness.ours.clock.date()}, probe_at = ${harness.ours.clock.date()} where host = ${host()}`,
    )
  await posted(harness, ada)
  await posted(harness, ada)
  await remote.inbox.reached(2)
  await steps.waitForIdle()
  expect(await state()).toMatchObject({ unavailable_since: null })
})

test('pending deliveries of a status are compacted to its Create and last Update, or to its Delete', async () => {
  const repair = remote.behave({ kind: 'status', status: 503 })
  const [edited, deleted] = [await posted(harness, ada), await posted(harness, ada)]
  await steps.waitForIdle()
  for (let n = 0; n < 3; n++) {
    steps.later(second)
    await announceEdited(harness, edited)
    await harness.waitForIdle()
  }
  await announceEdited(harness, deleted)
  await harness.waitForIdle()
  await announceDeleted(harness, deleted)
  await steps.waitForIdle()
  repair()
  steps.later(hour)
  await remote.inbox.reached(3)
  await steps.waitForIdle()
  const types = remote.inbox.all.map((one) => [one.activity.type, (one.activity.object as { id: string }).id])
  expect(types).toEqual([
    ['Create', edited.uri],
    ['Update', edited.uri],
    ['Delete', deleted.uri],
  ])
  expect(await counts(deleted.uri)).toEqual({ replaced: 1 })
})

test('a Delete to a shared inbox replaces deliveries that wait for a personal inbox of its server', async () => {
  const actor = await remote.addActor('rita')
  const rita = remoteAccount(harness, actor, `${remote.origin}/inbox`)
  harness.tables.inboxes.set(ada.id, [actor.inbox])
  const repair = remote.behave({ kind: 'status', status: 503 })
  const created = await posted(harness, ada)
  await steps.waitForIdle()
  const quoted = { id: harness.nextId(), uri: `${rita.uri}/statuses/1` }
  const quote = written(harness, ada, { quote: { author: rita.id, uri: quoted.uri, stamp: null } })
  // The request contains the whole status.
  await harness.announce(quoteRequested, {
    id: harness.nextId(),
    status: quote.id,
    statusUri: quote.uri,
    author: ada.id,
    local: true,
    quoted: quoted.id,
    quotedUri: quoted.uri,
    quotedAuthor: rita.id,
    quotedLocal: false,
  })
  await steps.waitForIdle()
  await announceDeleted(harness, quote)
  await announceDeleted(harness, created)
  await steps.waitForIdle()
  repair()
  steps.later(hour)
  await remote.inbox.reached(2)
  await steps.waitForIdle()
  const types = remote.inbox.all.map((one) => [one.activity.type, (one.activity.object as { id: string }).id])
  expect(types).toEqual([
    ['Delete', quote.uri],
    ['Delete', created.uri],
  ])
  expect([await counts(quote.uri), await counts(created.uri)]).toEqual([{ replaced: 1 }, { replaced: 1 }])
})

test('a status that a server cannot process delays its author for a limited time, and no others', async () => {
  const taken: string[] = []
  const picky = await serve((request) => {
    const { id } = JSON.parse(request.body.toString()) as { id: string }
    if (id === poison) return { status: 500 }
    taken.push(id)
    return { status: 202 }
  })
  closers.push(picky.close)
  for (const one of [ada, bob]) harness.tables.inboxes.set(one.id, [`${picky.origin}/inbox`])
  let poison = ''
  const bad = await posted(harness, ada)
  poison = `${bad.uri}/activity`
  await steps.waitForIdle()
  const hers = await posted(harness, ada)
  const his = await posted(harness, bob)
  await steps.waitForIdle()
  expect(taken).toEqual([`${his.uri}/activity`])
  for (const wait of WAITS) {
    steps.later(wait * second)
    await steps.waitForIdle()
  }
  expect(taken).toEqual([`${his.uri}/activity`, `${hers.uri}/activity`])
  expect(await counts(bad.uri)).toEqual({ pending: 1 })
})

describe.each([
  ['breaks the connection on one activity', { kind: 'cut' }],
  ['responds to one activity with too many bytes', { kind: 'long' }],
  ['responds to one activity with 502', { kind: 'bad gateway' }],
  ['responds to one activity with 503 and Retry-After', { kind: 'unavailable' }],
])('a server that %s', (_name, { kind }) => {
  test('delays its author for a limited time, and no others', async () => {
    let poison = ''
    let asked = 0
    const taken: string[] = []
    const picky = await serve((request, raw) => {
      const { id } = JSON.parse(request.body.toString()) as { id: string }
      if (id !== poison) {
        taken.push(id)
        return { status: 202 }
      }
      asked++
      if (kind === 'long') return { status: 202, body: 'x'.repeat(2_000_000) }
      if (kind === 'bad gateway') return { status: 502 }
      if (kind === 'unavailable') return { status: 503, headers: { 'retry-after': '2' } }
      raw.request.socket.destroy()
      return undefined
    })
    closers.push(picky.close)
    for (const one of [ada, bob]) harness.tables.inboxes.set(one.id, [`${picky.origin}/inbox`])
    await posted(harness, bob)
    await steps.waitForIdle()
    const bad = await posted(harness, ada)
    poison = `${bad.uri}/activity`
    await steps.waitForIdle()
    const hers = await posted(harness, ada)
    for (let n = 0; n < 12 && asked < 5; n++) {
      await posted(harness, bob)
      const pause = await steps.pauseOf(picky.origin)
      steps.later(pause > 0 ? pause + 500 : hour)
      await steps.waitForIdle()
    }
    expect(taken.length).toBeGreaterThan(3)
    steps.later((await steps.pauseOf(picky.origin)) + 500)
    await steps.waitForIdle()
    expect(taken).toContain(`${hers.uri}/activity`)
    // The server accepted other deliveries, so the failed one keeps its own schedule.
    const before = asked
    for (let n = 0; n < 3; n++) {
      const next = await posted(harness, ada)
      steps.later((await steps.pauseOf(picky.origin)) + 500)
      await steps.waitForRelease()
      expect(taken.at(-1)).toBe(`${next.uri}/activity`)
    }
    expect(asked).toBe(before)
    await markAlive(harness.db('federation'), new URL(picky.origin).host, harness.ours.clock.date())
    await steps.waitForIdle()
    expect(asked).toBe(before)
    expect(await counts(bad.uri)).toEqual({ pending: 1 })
    poison = ''
    steps.later(2 * hour)
    await steps.waitForIdle()
    expect(await counts(bad.uri)).toEqual({ delivered: 1 })
  })
})

test('deliveries that wait for seven days are given up', async () => {
  remote.behave({ kind: 'status', status: 500 })
  const one = await posted(harness, ada)
  await steps.waitForIdle()
  steps.later(7 * day + hour)
  await steps.waitForIdle()
  expect(await counts(one.uri)).toEqual({ 'gave-up': 1 })
})

test('deliveries without available keys wait, and do not count against the host', async () => {
  const key = harness.tables.keys.get(bob.id)
  harness.tables.keys.delete(bob.id)
  await posted(harness, bob)
  const hers = await posted(harness, ada)
  await steps.waitForIdle()
  expect(inbox()).toEqual([`${hers.uri}/activity`])
  expect(await state()).toMatchObject({ failures: 0, waiting: 1 })
  if (key) harness.tables.keys.set(bob.id, key)
  steps.later(hour + minute)
  await remote.inbox.reached(2)
})
