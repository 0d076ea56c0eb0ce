/**
 * Stores of delivery on a real database: leases of host queues, due times, folding of old rows, and indexes of queries.
 */
import { type Database, openDatabase, type Reader, sql, type Tx } from '@murmuration/db'
import { plansOf } from '@murmuration/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  activityText,
  bytesOf,
  insertActivity,
  isDeletePublished,
  lateTargets,
  wasPublished,
} from '../src/core/activity/store.js'
import { deliveryRecipients } from '../src/core/older-table-names.store.js'
import {
  dueDeliveries,
  ensureInboxes,
  giveUpHostQueues,
  giveUpOld,
  giveUpUnavailable,
  MAX_ROWS_PER_HOST_QUEUE,
  makeHostQueuesDue,
  recordResults,
  refuseWaiting,
  replaceAllOf,
  replaceWaiting,
  type Sending,
  sendTo,
  sendToReached,
  sendToRecipients,
} from '../src/delivery/delivery.store.js'
import { activitiesOn, deliveriesOf, foldedServersOf, serversOf } from '../src/delivery/delivery-report.store.js'
import { deleteActivities, foldEnded } from '../src/delivery/delivery-upkeep.store.js'
import { HEALTHY, type NextState, TIMED_OUT } from '../src/delivery/host-queue.rules.js'
import {
  claimHostQueues,
  findMissingHostQueues,
  heldHostQueues,
  isHostQueueDue,
  markAlive,
  releaseHostQueues,
  renewHostQueues,
  saveHealth,
  takeDueHostQueues,
} from '../src/delivery/host-queue.store.js'
import { hostStates } from '../src/delivery/host-report.store.js'
import { abandonedDeliveries, deliveries } from '../src/delivery/metrics.js'
import { probesFor } from '../src/delivery/probe.store.js'
import { recordSharedInbox } from '../src/outbox/direct-shared-inbox.store.js'
import { recordProfileChange, takeProfileChanges } from '../src/outbox/profile-change.store.js'
import { type SiblingServices, startSiblingServices } from './sibling-services.js'

let harness: SiblingServices
let db: Database
let owner: Database
const now = new Date('2026-11-21T12:00:00Z')
const day = 86_400_000
const one = { holder: 'one', leaseMs: 15_000, now }
const two = { ...one, holder: 'two' }

beforeAll(async () => {
  // No role whose ticks or jobs would change these tables.
  harness = await startSiblingServices({}, ['fetch'])
  const url = new URL(harness.env.DATABASE_URL ?? '')
  db = openDatabase({ url: url.toString(), schema: 'federation', connections: 6 })
  owner = openDatabase({ url: harness.env.DATABASE_URL ?? '', schema: 'federation', connections: 1 })
})
afterAll(async () => {
  await Promise.all([owner.close(), db.close()])
  await harness.stop()
})
beforeEach(() =>
  owner.run(sql`truncate lanes, inboxes, activities, deliveries, ${deliveryRecipients}, profile_changes`),
)

let ids = 0
const nextId = () => String(++ids)

/** An activity that waits for inboxes on hosts of these names. Returns its id and those of the host queues. */
const waiting = async (
  about: string,
  kind: string,
  hosts: string[],
  more: { actor?: string; at?: Date; uri?: string; body?: string; target?: string } = {},
) => {
  const urls = hosts.map((host) => ({ url: `https://${host}/inbox`, host })).sort((a, b) => (a.url < b.url ? -1 : 1))
  await ensureInboxes(db, urls, nextId)
  const id = nextId()
  const at = more.at ?? now
  const actorId = more.actor ?? '1'
  const seq = (BigInt(at.getTime()) << 16n).toString()
  await db.tx(async (tx) => {
    const activity = {
      id,
      uri: more.uri ?? `${about}#${kind}`,
      kind,
      actorId,
      seq,
      about,
      target: more.target ?? null,
      isActorDeletion: false,
      body: more.body ?? '{}',
      at,
    }
    await insertActivity(tx, activity)
    const sending = { activity: id, actorId, seq, now: at, bypass: kind === 'Follow' }
    await sendTo(
      tx,
      sending,
      urls.map((it) => it.url),
    )
  })
  return id
}
const queueIds = async () =>
  (await db.rows<{ id: string }>(sql`select id from lanes order by host`)).map((row) => row.id)
const states = (activity: string) =>
  db.rows<{ state: number; n: number }>(
    sql`select state, count(*)::int as n from deliveries where activity_id = ${activity} group by state`,
  )
const settle = (activity: string, state: 'delivered' | 'gave-up') => answered(activity, { state })
const answered = async (activity: string, fate: NextState) => {
  const rows = await db.rows<{ inbox: string }>(
    sql`select inbox_id as inbox from deliveries where activity_id = ${activity}`,
  )
  await recordResults(
    db,
    rows.map(({ inbox }) => ({ activity, inbox, fate, status: fate.state === 'delivered' ? 202 : 503, gone: false })),
    now,
  )
}

test('a host queue is leased to one process; another claim pokes it, and a poked host queue is not released', async () => {
  const activity = await waiting('https://a/1', 'Create', ['x.example', 'y.example'])
  const claimed = await claimHostQueues(db, { activity, part: 0, parts: 1 }, one)
  expect(claimed.map((row) => [row.host, row.mine, row.pokes]).sort()).toEqual([
    ['x.example', true, 1],
    ['y.example', true, 1],
  ])
  const theirs = await claimHostQueues(db, { queues: await queueIds() }, two)
  expect(theirs.every((row) => !row.mine && row.pokes === 2)).toBe(true)
  expect(await releaseHostQueues(db, claimed, 'one', now)).toEqual([])
  const kept = await renewHostQueues(db, await queueIds(), one)
  expect((await releaseHostQueues(db, kept, 'one', now)).length).toBe(2)
  expect((await claimHostQueues(db, { queues: await queueIds() }, two)).every((row) => row.mine)).toBe(true)
})

test('the holder of a host queue that takes it again pokes it, and keeps a long remaining lease', async () => {
  await waiting('https://a/6', 'Create', ['x.example'])
  const queues = await queueIds()
  const until = async () =>
    (await db.row<{ held_until: Date }>(sql`select held_until from lanes`))?.held_until.getTime() ?? 0
  await claimHostQueues(db, { queues }, one)
  const first = await until()
  expect(await claimHostQueues(db, { queues }, one)).toMatchObject([{ mine: true, pokes: 2, failed_days: null }])
  expect(await until()).toBe(first)
  await claimHostQueues(db, { queues }, { ...one, leaseMs: 60_000 })
  expect(await until()).toBeGreaterThan(first)
  expect(await heldHostQueues(db, queues, 'one')).toEqual([{ id: queues[0], pokes: 3 }])
  expect(await heldHostQueues(db, queues, 'two')).toEqual([])
})

test('F037 concurrent claims, changes and releases of the same host queues neither share one nor deadlock', async () => {
  await waiting(
    'https://a/1',
    'Create',
    Array.from({ length: 300 }, (_, i) => `h${i}.example`),
  )
  const queues = await queueIds()
  const shuffled = () => queues.toSorted(() => Math.random() - 0.5)
  const change = (id: string) => ({
    id,
    health: HEALTHY,
    scheme: 'cavage' as const,
    schemeAt: null,
    deliveredAt: now,
    failedAt: null,
    trouble: null,
  })
  for (let round = 0; round < 10; round++) {
    const claims = await Promise.all(
      ['a', 'b', 'c'].map(async (holder) => {
        const [rows] = await Promise.all([
          claimHostQueues(db, { queues: shuffled() }, { ...one, holder }),
          saveHealth(db, shuffled().map(change)),
        ])
        return rows.filter((row) => row.mine).map((row) => ({ ...row, holder }))
      }),
    )
    const claimed = claims.flat()
    expect(new Set(claimed.map((row) => row.id)).size).toBe(300)
    expect(claimed.length).toBe(300)
    const letGo = async (holder: string) => {
      const kept = await renewHostQueues(db, shuffled(), { ...one, holder })
      return releaseHostQueues(db, kept, holder, now)
    }
    expect((await Promise.all(['a', 'b', 'c'].map(letGo))).flat().length).toBe(300)
  }
})

test('the parts of an activity have each host once', async () => {
  const hosts = Array.from({ length: 50 }, (_, i) => `h${i}.example`)
  const activity = await waiting('https://a/2', 'Create', hosts)
  const shares = await Promise.all([0, 1, 2].map((part) => claimHostQueues(db, { activity, part, parts: 3 }, one)))
  expect(
    shares
      .flat()
      .map((row) => row.host)
      .sort(),
  ).toEqual([...hosts].sort())
})

test('host queues of a dead process are claimed after the lease expired', async () => {
  await waiting('https://a/3', 'Create', ['x.example'])
  const queues = await queueIds()
  await claimHostQueues(db, { queues }, { ...one, leaseMs: 1_000 })
  expect(await takeDueHostQueues(db, { now, againMs: 1_000, limit: 10 })).toEqual([])
  await expect.poll(() => takeDueHostQueues(db, { now, againMs: 1_000, limit: 10 })).toEqual(queues)
  expect((await claimHostQueues(db, { queues }, two))[0]?.mine).toBe(true)
})

test('a release stores the due time: that of the first sendable delivery, and not before the pause ends', async () => {
  await waiting('https://a/4', 'Create', ['x.example'])
  const queues = await queueIds()
  const later = new Date(now.getTime() + 60_000)
  await db.run(sql`update deliveries set at = ${later}`)
  // A second one of the same author is due, but must wait for the first.
  await waiting('https://a/5', 'Create', ['x.example'], { at: new Date(now.getTime() + 1) })
  expect(await dueDeliveries(db, queues, new Date(now.getTime() + 10), 10)).toEqual([])
  const due = async () => {
    const held = await claimHostQueues(db, { queues }, one)
    await releaseHostQueues(db, held, 'one', now)
    return (await db.row<{ due_at: Date | null }>(sql`select due_at from lanes`))?.due_at
  }
  expect(await due()).toEqual(later)
  await db.run(sql`update lanes set paused_until = ${new Date(now.getTime() - 1)}`)
  expect(await due()).toEqual(later)
  await db.run(sql`update deliveries set state = 1`)
  expect(await due()).toBeNull()
})

test.each<[string, string, string | undefined, string, string | undefined, boolean, number?, string?]>([
  ['the next Block of the same account', 'Undo', 'https://x.example/u', 'Block', 'https://x.example/u', false],
  ['a Block of another account', 'Undo', 'https://x.example/u', 'Block', 'https://x.example/v', true],
  ['an Accept after a Reject', 'Reject', 'https://x.example/u', 'Accept', 'https://x.example/u', false],
  ['the next boost after the Undo of one', 'Undo', undefined, 'Announce', undefined, false],
  ['the next pin after an unpin', 'Remove', undefined, 'Add', undefined, false],
  ['a status after the Undo of a boost', 'Undo', undefined, 'Create', undefined, true],
  ['a boost after a status', 'Create', undefined, 'Announce', undefined, true],
  ['the next Block after five attempts', 'Undo', 'https://x.example/u', 'Block', 'https://x.example/u', false, 5],
  ['a Like after five attempts', 'Undo', 'https://x.example/u', 'Like', 'https://x.example/u', true, 5],
  ['the next boost after five attempts', 'Undo', undefined, 'Announce', undefined, true, 5],
  [
    'a Like after the Undo of one',
    'Undo',
    'https://x.example/u',
    'Like',
    'https://x.example/u',
    false,
    4,
    'https://a#likes/1',
  ],
  [
    'a Block after the Undo of a Like',
    'Undo',
    'https://x.example/u',
    'Block',
    'https://x.example/u',
    true,
    5,
    'https://a#likes/1',
  ],
])('%s is sent before an activity that timed out only if their order does not matter', async (...row) => {
  const [, kind, target, nextKind, nextTarget, isSent, attempts = 1, about = 'https://a/1'] = row
  const earlier = await waiting(about, kind, ['x.example'], { ...(target && { target }) })
  const retry = new Date(now.getTime() + 3_600_000)
  await db.run(
    sql`update deliveries set attempts = ${attempts}, status = ${TIMED_OUT}, at = ${retry} where activity_id = ${earlier}`,
  )
  const at = new Date(now.getTime() + 10)
  const next = await waiting('https://a/2', nextKind, ['x.example'], { at, ...(nextTarget && { target: nextTarget }) })
  const due = (await dueDeliveries(db, await queueIds(), new Date(at.getTime() + 10), 10)).map((it) => it.activity)
  expect(due).toEqual(isSent ? [next] : [])
})

type Waiting = {
  kind: string
  about?: string
  target?: string
  body?: string
  attempts?: number
  status?: number
  later?: boolean
}

/** Stores pending deliveries of one actor to one host, in this order. Returns the ids of the activities. */
const inOrder = async (all: readonly Waiting[]): Promise<string[]> => {
  const ids: string[] = []
  for (const [n, it] of all.entries()) {
    const { target, body } = it
    const at = new Date(now.getTime() + n)
    const about = it.about ?? `https://a/${n}`
    const uri = `https://a/${n}#${it.kind}`
    ids.push(
      await waiting(about, it.kind, ['x.example'], { at, uri, ...(target && { target }), ...(body && { body }) }),
    )
    await db.run(sql`update deliveries set attempts = ${it.attempts ?? 0}, status = ${it.status ?? null},
      at = ${it.later ? new Date(now.getTime() + day) : at} where activity_id = ${ids.at(-1) ?? ''}`)
  }
  return ids
}
const unanswered = { kind: 'Create', attempts: 5 }
/** Positions of the probes that may be sent instead of the first of these deliveries. */
const probesAmong = async (all: readonly Waiting[]): Promise<number[]> => {
  const ids = await inOrder(all)
  const [queue = ''] = await queueIds()
  const head = { queue, actor: '1', seq: (BigInt(now.getTime()) << 16n).toString() }
  const found = await probesFor(db, [head], new Date(now.getTime() + 1_000))
  expect(found.every((it) => it.position === 1 && it.url === 'https://x.example/inbox')).toBe(true)
  return found.map((it) => ids.indexOf(it.activity))
}

test.each<[string, Waiting[], number | null]>([
  ['the next status', [unanswered, { kind: 'Create' }, { kind: 'Create' }], 1],
  ['a Like', [unanswered, { kind: 'Like', target: 'https://x.example/u' }], 1],
  ['a boost', [unanswered, { kind: 'Announce' }], 1],
  ['an edit of another status', [unanswered, { kind: 'Update' }], 1],
  ['no edit of the same status', [unanswered, { kind: 'Update', about: 'https://a/0' }], null],
  ['no reply to the status', [unanswered, { kind: 'Create', body: '{"inReplyTo":"https://a/0"}' }], null],
  [
    'a status after a reply',
    [unanswered, { kind: 'Create', body: '{"inReplyTo":"https://a/0"}' }, { kind: 'Create' }],
    2,
  ],
  ['no boost of the status', [unanswered, { kind: 'Announce', body: '{"object":"https://a/0"}' }], null],
  [
    'a status after a probe that failed',
    [unanswered, { kind: 'Create', attempts: 1, later: true }, { kind: 'Create' }],
    2,
  ],
  ['no probe that failed', [unanswered, { kind: 'Create', attempts: 1 }], null],
  ['no delivery that was put off', [unanswered, { kind: 'Create', later: true }], null],
  ['a status after a Delete', [unanswered, { kind: 'Delete' }, { kind: 'Create' }], 2],
  ['no Delete', [unanswered, { kind: 'Delete', about: 'https://b/1' }], null],
  ...['Accept', 'Add', 'Flag', 'Follow'].flatMap((kind): [string, Waiting[], number | null][] => [
    [`no ${kind}`, [unanswered, { kind }], null],
    [`a status after a waiting ${kind}`, [unanswered, { kind }, { kind: 'Create' }], 2],
    [`a status instead of a ${kind}`, [{ kind, attempts: 5 }, { kind: 'Create' }], 1],
  ]),
  ...['Undo', 'Block', 'Reject', 'Move', 'Remove', 'QuoteRequest'].flatMap(
    (kind): [string, Waiting[], number | null][] => [
      [`no ${kind}`, [unanswered, { kind }], null],
      [`nothing after a waiting ${kind}`, [unanswered, { kind }, { kind: 'Create' }, { kind: 'Like' }], null],
      [`nothing instead of a ${kind}`, [{ kind, attempts: 5 }, { kind: 'Create' }], null],
    ],
  ),
  [
    'no boost after an unordered Undo',
    [{ kind: 'Undo', attempts: 4, status: TIMED_OUT }, unanswered, { kind: 'Announce' }],
    null,
  ],
  [
    'a boost after an Undo that failed five times',
    [{ kind: 'Undo', attempts: 5, status: 1 }, unanswered, { kind: 'Announce' }],
    2,
  ],
  ['a status after an unordered Undo', [{ kind: 'Undo', attempts: 5, status: 1 }, unanswered, { kind: 'Create' }], 2],
])('the probe of an unanswered delivery is %s', async (_name, all, position) => {
  expect(await probesAmong(all)).toEqual(position === null ? [] : [position])
})

test('a probe is of the same actor and host, and the thirty deliveries after the unanswered one are checked', async () => {
  const at = (n: number) => new Date(now.getTime() + n)
  await waiting('https://a/0', 'Create', ['x.example'], { at: at(0) })
  await waiting('https://a/1', 'Create', ['x.example'], { at: at(1), actor: '2' })
  await waiting('https://a/2', 'Create', ['y.example'], { at: at(2) })
  const [queue = ''] = await queueIds()
  const heads = ['1', '2'].map((actor, n) => ({ queue, actor, seq: (BigInt(at(n).getTime()) << 16n).toString() }))
  const probes = async () =>
    (await probesFor(db, heads, at(1_000))).map((it) => [it.position, it.about, it.actor]).toSorted()
  expect(await probes()).toEqual([])
  await waiting('https://a/3', 'Create', ['x.example'], { at: at(3), actor: '2' })
  for (let n = 0; n < 30; n++) await waiting(`https://a/tried/${n}`, 'Create', ['x.example'], { at: at(10 + n) })
  await db.run(sql`update deliveries set attempts = 1 where seq > ${(BigInt(at(9).getTime()) << 16n).toString()}`)
  await waiting('https://a/4', 'Create', ['x.example'], { at: at(50) })
  expect(await probes()).toEqual([[2, 'https://a/3', '2']])
  await db.run(sql`update deliveries set state = 1 where seq = ${(BigInt(at(10).getTime()) << 16n).toString()}`)
  expect(await probes()).toEqual([
    [1, 'https://a/4', '1'],
    [2, 'https://a/3', '2'],
  ])
})

test('an unanswered activity to many inboxes of the host gets a probe', async () => {
  const id = await waiting('https://a/0', 'Create', ['x.example'])
  const [queue = ''] = await queueIds()
  await db.run(sql`insert into deliveries (activity_id, inbox_id, lane_id, actor_id, seq, state, at)
    select ${id}::bigint, 1000000 + n, lane_id, actor_id, seq, 0, at
    from deliveries cross join generate_series(1, 40) n where activity_id = ${id}`)
  await waiting('https://a/1', 'Create', ['x.example'], { at: new Date(now.getTime() + 1) })
  const head = { queue, actor: '1', seq: (BigInt(now.getTime()) << 16n).toString() }
  const found = await probesFor(db, [head], new Date(now.getTime() + 1_000))
  expect(found.map((it) => it.about)).toEqual(['https://a/1'])
})

test('a lease that was stored while the clock of the database was ahead does not keep a host queue', async () => {
  await waiting('https://a/4', 'Create', ['x.example', 'y.example'])
  const queues = await queueIds()
  const ahead = async () => {
    await claimHostQueues(db, { queues }, one)
    await db.run(sql`update lanes set held_until = held_until + interval '1 day'`)
  }
  await ahead()
  expect((await claimHostQueues(db, { queues }, two)).map((row) => row.mine)).toEqual([true, true])
  await db.run(sql`update lanes set holder = null, held_until = null`)
  await ahead()
  expect(await isHostQueueDue(db, now)).toBe(true)
  expect((await takeDueHostQueues(db, { now, againMs: 1_000, limit: 10 })).toSorted()).toEqual(queues.toSorted())
  expect(await isHostQueueDue(db, now)).toBe(false)
})

test('a paused host queue is not leased, and is due when the pause ends', async () => {
  await waiting('https://a/6', 'Create', ['x.example'])
  const until = new Date(now.getTime() + 60_000)
  await db.run(sql`update lanes set paused_until = ${until}`)
  const [row] = await claimHostQueues(db, { queues: await queueIds() }, one)
  expect(row?.mine).toBe(false)
  expect(await takeDueHostQueues(db, { now, againMs: 1_000, limit: 10 })).toEqual([])
  expect(await takeDueHostQueues(db, { now: until, againMs: 1_000, limit: 10 })).toEqual([row?.id])
})

test('a host queue with pending deliveries and without a due time is found', async () => {
  await waiting('https://a/7', 'Create', ['x.example', 'y.example'])
  await db.run(sql`update deliveries set state = 1 where inbox_id = (select min(id) from inboxes)`)
  expect(await findMissingHostQueues(db, now)).toBe(1)
  expect(await findMissingHostQueues(db, now)).toBe(0)
})

test('no activity about an object is stored after its Delete, and each is stored once', async () => {
  const first = await waiting('https://a/8', 'Create', ['x.example'])
  const end = await waiting('https://a/8', 'Delete', ['x.example'])
  await waiting('https://a/8', 'Update', ['x.example'])
  const rows = await db.rows<{ id: string }>(sql`select id from activities order by id`)
  expect(rows.map((row) => row.id)).toEqual([first, end])
  const kinds = { activity: end, about: 'https://a/8', kinds: 'everything' as const, now }
  expect(await db.tx((tx) => replaceWaiting(tx, kinds))).toBe(1)
  expect(await states(first)).toEqual([{ state: 4, n: 1 }])
})

test('old deliveries fold into the activity, still reach the same inboxes, and are deleted when the Delete is old too', async () => {
  const old = new Date(now.getTime() - 40 * day)
  const first = await waiting('https://a/9', 'Create', ['x.example', 'y.example', 'z.example'], { at: old })
  await settle(first, 'delivered')
  // An Update of the actor: its recipients are delivery recipients of the actor anyway.
  const profile = 'https://a/users/10'
  const body = JSON.stringify({ type: 'Update', actor: profile, object: { id: profile, type: 'Person' } })
  const passing = await waiting(profile, 'Update', ['x.example'], { at: old, body })
  await settle(passing, 'gave-up')
  const before = new Date(now.getTime() - 30 * day)
  expect(await deleteActivities(db, before, 10)).toBe(0)
  expect(await db.tx((tx) => foldEnded(tx, before, 10))).toBe(2)
  expect(await states(first)).toEqual([])
  expect(await activitiesOn(db, [profile], { each: 10, all: 10 })).toEqual([])
  expect((await activitiesOn(db, ['https://a/9'], { each: 10, all: 10 }))[0]).toMatchObject({ reached: 3 })
  expect(await serversOf(db, 'https://a/9')).toEqual([])
  expect(await foldedServersOf(db, 'https://a/9')).toEqual({ hosts: 3, reached: 3 })
  const end = nextId()
  await db.tx(async (tx) => {
    const it = { id: end, uri: 'https://a/9#delete', kind: 'Delete', actorId: '1', seq: end, about: 'https://a/9' }
    await insertActivity(tx, { ...it, target: null, isActorDeletion: false, body: '{}', at: old })
    const sending = { activity: end, actorId: '1', seq: end, now, bypass: false }
    expect(await sendToReached(tx, sending, 'https://a/9')).toBe(3)
    expect(await sendToRecipients(tx, sending)).toBe(0)
  })
  await settle(end, 'delivered')
  expect(await deleteActivities(db, before, 10)).toBe(2)
  expect(await db.rows(sql`select 1 from activities union all select 1 from deliveries`)).toEqual([])
})

test('an Update that reached more inboxes than the Create is kept for the Delete, another one is deleted', async () => {
  const old = new Date(now.getTime() - 40 * day)
  const before = new Date(now.getTime() - 30 * day)
  const publishTo = async (kind: string, uri: string, hosts: string[]) =>
    settle(await waiting('https://a/11', kind, hosts, { at: old, uri }), 'delivered')
  await publishTo('Create', 'https://a/11#create', ['x.example', 'y.example'])
  await publishTo('Update', 'https://a/11#within', ['x.example'])
  await publishTo('Update', 'https://a/11#further', ['x.example', 'z.example'])
  expect(await deleteActivities(db, before, 10)).toBe(0)
  expect(await db.tx((tx) => foldEnded(tx, before, 10))).toBe(3)
  const kept = await activitiesOn(db, ['https://a/11'], { each: 10, all: 10 })
  expect(kept.map((it) => it.uri)).toEqual(['https://a/11#create', 'https://a/11#further'])
  const end = nextId()
  await db.tx(async (tx) => {
    const it = { id: end, uri: 'https://a/11#delete', kind: 'Delete', actorId: '1', seq: end, about: 'https://a/11' }
    await insertActivity(tx, { ...it, target: null, isActorDeletion: false, body: '{}', at: now })
    expect(await sendToReached(tx, { activity: end, actorId: '1', seq: end, now, bypass: false }, 'https://a/11')).toBe(
      3,
    )
  })
})

test('of a status that was sent only by Updates, the first Update with all inboxes is kept', async () => {
  const old = new Date(now.getTime() - 40 * day)
  const before = new Date(now.getTime() - 30 * day)
  const about = 'https://a/15'
  const body = JSON.stringify({ type: 'Update', actor: 'https://a', object: { id: about, type: 'Note' } })
  const edited = async (name: string, hosts: string[]) => {
    const id = await waiting(about, 'Update', hosts, { at: old, uri: `${about}#${name}`, body })
    await settle(id, 'delivered')
  }
  await edited('to-nobody', [])
  await edited('first', ['x.example', 'y.example'])
  expect(await db.tx((tx) => foldEnded(tx, before, 10))).toBe(2)
  await edited('again', ['x.example', 'y.example'])
  await edited('further', ['y.example', 'z.example'])
  expect(await db.tx((tx) => foldEnded(tx, before, 10))).toBe(2)
  const kept = await activitiesOn(db, [about], { each: 10, all: 10 })
  expect(kept.map((it) => it.uri)).toEqual([`${about}#first`, `${about}#further`])
  expect(await wasPublished(db, about)).toBe(true)
  const end = await waiting(about, 'Delete', [])
  const sending: Sending = { activity: end, actorId: '1', seq: end, now, bypass: false }
  expect(await db.tx((tx) => sendToReached(tx, sending, about))).toBe(3)
})

test('folding deletes the content of activities, except the parts of a reblog that its Undo needs', async () => {
  const old = new Date(now.getTime() - 40 * day)
  const head = {
    '@context': ['https://www.w3.org/ns/activitystreams'],
    actor: 'https://a',
    to: ['https://a/followers'],
  }
  const publishTo = async (kind: string, n: number, hosts: string[], object: unknown) => {
    const uri = `https://a/${n}/activity/${kind}`
    const body = JSON.stringify({ ...head, id: uri, type: kind, object })
    await settle(await waiting(`https://a/${n}`, kind, hosts, { at: old, uri, body }), 'delivered')
    return { uri, body }
  }
  const note = { id: 'https://a/12', type: 'Note', content: 'secret', to: ['https://a/followers'] }
  const written = await publishTo('Create', 12, ['x.example'], note)
  const edited = await publishTo('Update', 12, ['x.example', 'y.example'], note)
  const own = await publishTo('Announce', 13, ['x.example'], note)
  const named = await publishTo('Announce', 14, ['x.example'], note.id)
  expect(await db.tx((tx) => foldEnded(tx, new Date(now.getTime() - 30 * day), 10))).toBe(4)
  const texts = await Promise.all([written, edited, own, named].map(({ uri }) => activityText(db, uri)))
  expect(texts.slice(0, 2)).toEqual(['', ''])
  expect(JSON.parse(texts[2] ?? '')).toEqual({ ...head, id: own.uri, type: 'Announce', object: note.id })
  expect(texts[3]).toBe(named.body)
})

test('deliveries to an unavailable host are stored as given up, except one daily delivery', async () => {
  await ensureInboxes(db, [{ url: 'https://x.example/inbox', host: 'x.example' }], nextId)
  await db.run(sql`update lanes set unavailable_since = ${now}, probe_at = ${new Date(now.getTime() + day)}`)
  const send = async (n: number, at: Date) => states(await waiting(`https://b/${n}`, 'Create', ['x.example'], { at }))
  expect(await send(1, now)).toEqual([{ state: 3, n: 1 }])
  const tomorrow = new Date(now.getTime() + day)
  expect(await send(2, tomorrow)).toEqual([{ state: 0, n: 1 }])
  expect(await send(3, tomorrow)).toEqual([{ state: 3, n: 1 }])
  await markAlive(db, 'x.example', tomorrow)
  expect(await send(4, tomorrow)).toEqual([{ state: 0, n: 1 }])
})

test('delivery 4 5 an inbox counts as gone for a week, except for a Follow', async () => {
  await ensureInboxes(db, [{ url: 'https://x.example/inbox', host: 'x.example' }], nextId)
  const send = async (n: number, at: Date, kind = 'Create') => {
    const activity = await waiting(`https://b/${n}`, kind, ['x.example'], { at })
    return { activity, states: await states(activity) }
  }
  const respondGone = async (activity: string, at: Date) => {
    const row = await db.row<{ inbox: string }>(sql`select inbox_id as inbox from deliveries limit 1`)
    const inbox = row?.inbox ?? ''
    await recordResults(db, [{ activity, inbox, fate: { state: 'refused' }, status: 410, gone: true }], at)
  }
  const later = (days: number) => new Date(now.getTime() + days * day)
  const first = await send(1, now)
  expect(first.states).toEqual([{ state: 0, n: 1 }])
  await respondGone(first.activity, now)
  expect((await send(2, later(6))).states).toEqual([{ state: 3, n: 1 }])
  expect((await send(3, later(6), 'Follow')).states).toEqual([{ state: 0, n: 1 }])
  const again = await send(4, later(8))
  expect(again.states).toEqual([{ state: 0, n: 1 }])
  await respondGone(again.activity, later(8))
  expect((await send(5, later(14))).states).toEqual([{ state: 3, n: 1 }])
  expect((await send(6, later(16))).states).toEqual([{ state: 0, n: 1 }])
})

test('an actor deletion reaches every former recipient through the shared inbox of its server, once per server', async () => {
  const at = (path: string, host = 'x.example') => ({ url: `https://${host}/${path}`, host })
  const urls = [at('inbox'), at('users/a/inbox'), at('users/b/inbox'), at('users/c/inbox', 'y.example')]
  await ensureInboxes(db, urls, nextId)
  for (const own of ['a', 'b'])
    await recordSharedInbox(db, `https://x.example/users/${own}/inbox`, 'https://x.example/inbox')
  const tell = (
    it: { kind: string; isActorDeletion: boolean; about: string },
    send: (tx: Tx, sending: Sending) => unknown,
  ) =>
    db.tx(async (tx) => {
      const id = nextId()
      const sending = { activity: id, actorId: '7', seq: id, now, bypass: false }
      const whom = { actorId: '7', seq: id, target: 'https://x.example/users/a', body: '{}', at: now }
      await insertActivity(tx, { ...it, ...whom, id, uri: `${it.about}#${it.kind}` })
      await send(tx, sending)
      return id
    })
  await tell({ kind: 'Like', isActorDeletion: false, about: 'https://a/like' }, (tx, sending) =>
    sendTo(
      tx,
      sending,
      urls.slice(1).map((it) => it.url),
    ),
  )
  expect((await lateTargets(db, '7', new Date(now.getTime() - day), 10)).sort()).toEqual([
    'https://x.example/inbox',
    'https://y.example/users/c/inbox',
  ])
  const end = await tell({ kind: 'Delete', isActorDeletion: true, about: 'https://a/actor' }, async (tx, sending) => {
    expect(await sendToRecipients(tx, sending)).toBe(2)
    await replaceAllOf(tx, { activity: sending.activity, actorId: '7', now })
  })
  expect(await states(end)).toEqual([{ state: 0, n: 2 }])
  const left = await db.row<{ n: number }>(sql`select count(*)::int as n from deliveries where state = 0`)
  expect(left?.n).toBe(2)
})

test('changes of a profile in a row wait for quiet, at most half a minute', async () => {
  const after = (ms: number) => new Date(now.getTime() + ms)
  const change = (ms: number) =>
    recordProfileChange(db, { accountId: '1', seq: String(ms + 1), changedAt: after(ms), dueAt: after(ms + 5_000) })
  for (let ms = 0; ms <= 40_000; ms += 4_000) await change(ms)
  await change(0)
  const take = (ms: number) => db.tx((tx) => takeProfileChanges(tx, after(ms), 10))
  expect(await take(29_999)).toEqual([])
  expect(await take(30_000)).toEqual([{ account_id: '1', seq: '40001', changed_at: after(40_000) }])
  expect(await take(60_000)).toEqual([])
})

/** Stores the given number of pending deliveries of an activity in one host queue, each for another inbox. */
const waitingMany = async (count: number, kind = 'Create', actor = '1') => {
  const id = await waiting(`https://c/${kind}`, kind, ['busy.example'], { actor })
  const [queue] = await queueIds()
  await owner.run(sql`insert into deliveries (activity_id, inbox_id, lane_id, actor_id, seq, state, at)
    select ${id}::bigint, 1000000 + n, ${queue}::bigint, ${actor}::bigint, seq, 0, at
    from deliveries cross join generate_series(1, ${count - 1}::int) n where activity_id = ${id}`)
  // Without new statistics, PostgreSQL plans for the few rows of before.
  await owner.run(sql`analyze deliveries`)
  return { id, queue: queue as string }
}

test('a host that is away for good with very much waiting is given up in steps, and what came afterwards stays', async () => {
  const { id, queue } = await waitingMany(MAX_ROWS_PER_HOST_QUEUE + 10)
  expect(await giveUpHostQueues(db, [queue], now)).toBe(MAX_ROWS_PER_HOST_QUEUE)
  await db.run(sql`update lanes set unavailable_since = ${new Date(now.getTime() + 1_000)}, due_at = ${now}`)
  const probe = await waiting('https://c/probe', 'Create', ['busy.example'], { at: new Date(now.getTime() + day) })
  expect(await giveUpUnavailable(db, now, 7)).toBe(7)
  expect(await giveUpUnavailable(db, now, 7)).toBe(3)
  expect(await giveUpUnavailable(db, now, 7)).toBe(0)
  expect(await states(id)).toEqual([{ state: 3, n: MAX_ROWS_PER_HOST_QUEUE + 10 }])
  expect(await states(probe)).toEqual([{ state: 0, n: 1 }])
})

test('a long list of deliveries shows failed ones first, of each activity and state', async () => {
  const hosts = Array.from({ length: 40 }, (_, n) => `h${n}.example`)
  const [first, second] = [await waiting('https://e/1', 'Create', hosts), await waiting('https://e/1', 'Update', hosts)]
  const become = (state: number, activity: string, host: string) =>
    db.run(sql`update deliveries d set state = ${state} from lanes l
      where l.id = d.lane_id and l.host like ${host} and d.activity_id = ${activity}`)
  await become(1, first, '%')
  for (const [host, state] of [0, 0, 0, 2, 3, 4].entries()) await become(state, first, `h3${host}.example`)
  await become(2, second, 'h5.example')
  const publishTo = async (limit: number) => {
    const rows = await deliveriesOf(db, [first, second], { limit, queues: null })
    return [first, second].map((id) => rows.filter((row) => row.activity_id === id).map((row) => row.state))
  }
  // Most deliveries of the second activity are pending, and one is refused.
  expect(await publishTo(16)).toEqual([
    [0, 0, 0, 2, 3, 4, 1, 1],
    [0, 0, 0, 0, 0, 0, 0, 2],
  ])
  expect(await publishTo(4)).toEqual([
    [0, 2],
    [0, 2],
  ])
  expect((await publishTo(100)).map((rows) => rows.length)).toEqual([40, 40])
  // Rows that one activity does not need are left for the others.
  await db.run(sql`delete from deliveries where activity_id = ${first} and state <> 2`)
  expect((await publishTo(11)).map((rows) => rows.length)).toEqual([1, 10])
})

test('deliveries that end without an attempt are counted by reason, and not as attempts', async () => {
  const countOf = async (metric: Pick<typeof abandonedDeliveries | typeof deliveries, 'get'>, label: string) =>
    (await metric.get()).values.find((it) => Object.values(it.labels).includes(label))?.value ?? 0
  const counts = () =>
    Promise.all([
      countOf(abandonedDeliveries, 'gone'),
      countOf(abandonedDeliveries, 'unavailable'),
      countOf(deliveries, 'gave-up'),
    ])
  const before = await counts()
  await waiting('https://a/abandoned/1', 'Create', ['gone.example', 'lost.example', 'well.example'])
  await db.run(sql`update inboxes set gone_at = ${now} where url = 'https://gone.example/inbox'`)
  const later = new Date(now.getTime() + day)
  await db.run(sql`update lanes set unavailable_since = ${now}, probe_at = ${later} where host = 'lost.example'`)
  await waiting('https://a/abandoned/2', 'Create', ['gone.example', 'lost.example', 'well.example'])
  expect((await counts()).map((n, i) => n - (before[i] ?? 0))).toEqual([1, 1, 0])
})

test('many deliveries to a blocked host are refused in steps, except permitted kinds', async () => {
  const { id, queue } = await waitingMany(MAX_ROWS_PER_HOST_QUEUE + 10)
  const exit = await waiting('https://c/exit', 'Undo', ['busy.example'])
  expect(await refuseWaiting(db, [queue], now)).toBe(MAX_ROWS_PER_HOST_QUEUE)
  expect(await states(id)).toEqual(expect.arrayContaining([{ state: 2, n: MAX_ROWS_PER_HOST_QUEUE }]))
  expect(await refuseWaiting(db, [queue], now)).toBe(10)
  expect(await states(id)).toEqual([{ state: 2, n: MAX_ROWS_PER_HOST_QUEUE + 10 }])
  expect(await states(exit)).toEqual([{ state: 0, n: 1 }])
})

test('a delivery that is given up or refused while in flight counts as delivered when it arrives, and else keeps its state', async () => {
  const dropped = await waiting('https://a/16', 'Create', ['x.example'])
  const blocked = await waiting('https://a/17', 'Create', ['y.example'])
  const [x = '', y = ''] = await queueIds()
  expect([await giveUpHostQueues(db, [x], now), await refuseWaiting(db, [y], now)]).toEqual([1, 1])
  const stand = async () => (await Promise.all([dropped, blocked].map(states))).map(([row]) => row?.state)
  for (const id of [dropped, blocked]) await answered(id, { state: 'pending', nextAt: now.getTime() + day })
  expect(await stand()).toEqual([3, 2])
  for (const id of [dropped, blocked]) await settle(id, 'delivered')
  expect(await stand()).toEqual([1, 1])
  for (const id of [dropped, blocked]) await settle(id, 'gave-up')
  expect(await stand()).toEqual([1, 1])
})

test('the cost for one host does not depend on the number of waiting deliveries, nor on old activities', async () => {
  await waitingMany(30_000)
  await owner.run(sql`insert into activities (id, uri, kind, actor_id, seq, object_uri, body, created_at, reached)
    select 10000000 + n, 'https://o/' || n, case when n % 500 = 0 then 'Accept' else 'Create' end, n % 50, n, 'https://o/' || n,
      '', ${now}, case when n % 3 > 0 then array[1, 2] end from generate_series(1, 20000) n`)
  await owner.run(sql`analyze activities, deliveries, lanes, inboxes`)
  const queues = await queueIds()
  const plans = (request: (db: Tx) => Promise<unknown>) => plansOf(db, request)
  expect(await plans((it) => dueDeliveries(it, queues, now, 30))).toContain('deliveries_next')
  expect(await plans((it) => makeHostQueuesDue(it, queues, now))).toContain('deliveries_failed')
  const heads = queues.map((queue) => ({ queue, actor: '1', seq: '1' }))
  expect(await plans((it) => probesFor(it, heads, now))).toMatch(
    /deliveries_waiting on deliveries.*\n\s*Index Cond: \(\(lane_id = head.lane_id\) AND \(ROW\(actor_id, seq\) >=/,
  )
  expect(await plans((it) => giveUpOld(it, now.getTime(), now, 30))).toContain('deliveries_next')
  const upkeep = [() => plans((it) => deleteActivities(it, now, 200)), () => plans((it) => foldEnded(it, now, 200))]
  const [forgetting, folding] = await Promise.all(upkeep.map((explain) => explain()))
  expect(forgetting).toMatch(/activities_passing.*\n\s*Index Cond: \(id </)
  expect(folding).toMatch(/activities_unfolded.*\n\s*Index Cond: \(id </)
})

test('frequent queries use indexes', async () => {
  await owner.run(sql`insert into lanes (id, host, failures) select n, 'h' || n, 0 from generate_series(1, 50000) n`)
  await owner.run(
    sql`insert into inboxes (id, url, lane_id) select n, 'https://h' || n || '/inbox', n from generate_series(1, 50000) n`,
  )
  await owner.run(sql`insert into activities (id, uri, kind, actor_id, seq, object_uri, body, created_at, reached)
    select n, 'https://a/' || n || '/activity', 'Create', n % 50, n, 'https://a/' || n, '{}', now(), '{}' from generate_series(1, 5000) n`)
  await owner.run(sql`insert into deliveries (activity_id, inbox_id, lane_id, actor_id, seq, state, at)
    select a, i, i, a % 50, a, case when a > 4990 then 0 else 1 end, now() from generate_series(4900, 5000) a, generate_series(1, 1000) i`)
  await owner.run(
    sql`insert into ${deliveryRecipients} select a, i from generate_series(1, 50) a, generate_series(1, 1000) i`,
  )
  await owner.run(sql`analyze`)
  const queues = ['1', '2', '3']
  const sending = { activity: '1', actorId: '1', seq: '1', now, bypass: false }
  const result = { activity: '5000', inbox: '1', fate: { state: 'delivered' as const }, status: 202, gone: true }
  const asked: ((db: Reader) => Promise<unknown>)[] = [
    (it) => claimHostQueues(it, { activity: '5000', part: 0, parts: 100 }, one),
    (it) => claimHostQueues(it, { queues }, one),
    (it) => renewHostQueues(it, queues, one),
    (it) => heldHostQueues(it, queues, 'one'),
    (it) => releaseHostQueues(it, [{ id: '1', pokes: 1 }], 'one', now),
    (it) => takeDueHostQueues(it, { now, againMs: 1, limit: 10 }),
    (it) => markAlive(it, 'h7', now),
    (it) => dueDeliveries(it, queues, now, 30),
    (it) => probesFor(it, [{ queue: '1', actor: '1', seq: '1' }], now),
    (it) => recordResults(it, [result], now),
    (it) => makeHostQueuesDue(it, queues, now),
    (it) => giveUpOld(it, 0, now, 10),
    (it) => ensureInboxes(it, [{ url: 'https://h1/inbox', host: 'h1' }], nextId),
    (it) => sendTo(it as Tx, sending, ['https://h1/inbox']),
    (it) => sendToReached(it as Tx, sending, 'https://a/1'),
    (it) => replaceWaiting(it as Tx, { activity: '5000', about: 'https://a/1', kinds: 'everything', now }),
    (it) => wasPublished(it, 'https://a/1'),
    (it) => isDeletePublished(it, 'https://a/1'),
    (it) => bytesOf(it, queues),
    (it) => lateTargets(it, '1', now, 10),
    (it) => activitiesOn(it, ['https://a/1'], { each: 10, all: 10 }),
    (it) => hostStates(it, { limit: 10, host: 'h7', unavailable: false }),
  ]
  for (const request of asked)
    expect(await plansOf(db, request), String(request)).not.toMatch(
      /Seq Scan on (lanes|inboxes|activities|deliveries|acquaintances)/,
    )
})

test.each([
  ['Europe/Berlin', -120],
  ['America/St_Johns', 150],
  ['Asia/Kolkata', -330],
] as const)(
  'the times of a host are the moments that were stored, where the clock of the machine is set to %s',
  async (zone, offset) => {
    const before = process.env.TZ
    process.env.TZ = zone
    try {
      expect(new Date('2026-07-15').getTimezoneOffset()).toBe(offset)
      await owner.run(sql`insert into lanes (id, host) values (7, 'far.example')`)
      for (const time of ['2026-01-15T12:00:00.000Z', '2026-07-15T23:30:00.000Z']) {
        const at = new Date(time)
        const health = { ...HEALTHY, pausedUntil: at.getTime(), unavailableSince: at.getTime() }
        const change = { id: '7', health, scheme: 'cavage', schemeAt: at, deliveredAt: at, failedAt: at, trouble: null }
        await saveHealth(db, [change as Parameters<typeof saveHealth>[1][number]])
        const [state] = await hostStates(db, { limit: 1, host: 'far.example', unavailable: false })
        const shown = [state?.delivered_at, state?.failed_at, state?.paused_until, state?.unavailable_since]
        expect(shown.map((one) => one?.toISOString())).toEqual([time, time, time, time])
      }
    } finally {
      if (before === undefined) delete process.env.TZ
      else process.env.TZ = before
    }
  },
)
