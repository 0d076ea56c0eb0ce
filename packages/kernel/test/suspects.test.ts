/** Messages that are redelivered without a report: run alone, not suspect after a stop, and dead-lettered one by one. */
import { setTimeout as pause } from 'node:timers/promises'
import {
  connectBus,
  createPublisher,
  jetstream,
  jetstreamManager,
  type NatsConnection,
  writeEventBatch,
} from '@murmuration/bus'
import { event, job } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createClock } from '../src/clock.js'
import {
  type App,
  type BaseContext,
  derive,
  handlersFor,
  PermanentError,
  partId,
  service,
  withoutNext,
} from '../src/index.js'
import { type OperatorOptions, operatorHandlers } from '../src/operator.js'
import { reconcile } from '../src/reconcile.js'
import { WorkerCrashed } from '../src/suspect-runs.js'
import { createDeliveries } from '../src/suspects.js'

const word = z.object({ word: z.string() })
const echo = job('media.echo', { data: word, about: 'Echoes.', retry: { delays: [0.3], times: 30 } })
const write = job('media.write', { data: word, about: 'Writes.' })
const said = event('media.word.said', { data: word, about: 'A word was said.' })
const { react, work } = handlersFor<BaseContext>()
/** Handled words, and the current number of running handlers. */
let ran: string[] = []
let inWork = 0
let max = 0
const record = async (name: string): Promise<void> => {
  max = Math.max(max, ++inWork)
  await pause(20)
  inWork--
  ran.push(name)
  if (name === 'refused') throw new PermanentError('refused')
}
let isBroken = false
let isSlow = false
let inSlow = 0
/** Words of jobs that were given up. */
const givenUp: string[] = []
const app: App = {
  manifest: service('media', {
    reactions: [react(said, 'on-word-said', (_ctx, e) => record(e.word))],
    jobs: [
      work(echo, async (_ctx, { word: one }) => {
        if (isBroken && one === 'fails') throw new Error('broken')
        if (isSlow) {
          inSlow++
          await pause(60_000)
        }
        await record(one)
      }),
      work(write, (_ctx, { word: one }) => record(one), {
        gaveUp: async (_ctx, { word: one }) => {
          givenUp.push(one)
          if (one === 'not marked') throw new Error('broken')
        },
      }),
    ],
    announces: [said],
    roles: {
      worker: { operations: true, reactions: true, ticks: true, jobs: [echo, write], scales: 'words', needs: [] },
    },
  }),
  createContext: (base) => base,
}

let cluster: Cluster
/** Connection of a second process of the service, which ends without a response. */
let nc: NatsConnection
beforeAll(async () => {
  cluster = await startCluster({ apps: [app], env: { STOP_GRACE_SECONDS: '10' } })
  // A service is ready before its streams exist, and the bus refuses a job without a stream.
  await cluster.waitForIdle()
  const secretKeyBase = cluster.env.SECRET_KEY_BASE ?? ''
  const password = derive({ secretKeyBase }, 'bus:media')
  nc = await connectBus({ url: cluster.nats.url, service: 'media', name: 'ends', password })
})
afterAll(async () => {
  await nc.close()
  await cluster.stop()
})

const queue = (...words: string[]) => {
  const publisher = createPublisher(nc)
  return Promise.all(
    words.map((one) => publisher.one({ subject: echo.subject, id: one, data: JSON.stringify({ word: one }) })),
  )
}
const reported = () => cluster.db('media').rows(sql`select message, delivery from reported_deliveries`)
const starts = () => cluster.db('media').rows(sql`select message_id, starts from suspect_starts`)
/** Receives messages without a response, like a process that ends during the work. */
const takeAndEnd = async (stream: string, durable: string, count: number): Promise<void> => {
  const consumer = await jetstream(nc).consumers.get(stream, durable)
  for (let n = 0; n < count; n++) expect(await consumer.next({ expires: 5_000 })).not.toBeNull()
}
const reset = (): void => {
  ran = []
  max = 0
}

test('a job and each part of a divided job queue their next jobs once', async () => {
  const queued = (...ids: string[]) =>
    cluster.db('media').tx(async (tx) => [...(await withoutNext(tx, echo, ids))].sort())
  const [whole, first, second] = ['4301', partId('4302', 0), partId('4302', 1)]
  expect(await queued(whole, first, 'media.echo-pushed')).toEqual([whole, first, 'media.echo-pushed'])
  expect(await queued(whole, first, second)).toEqual([second])
  expect(await queued(whole, first, second)).toEqual([])
})

test('a reported failure is retried as usual, and its record is deleted', async () => {
  isBroken = true
  await queue('fails')
  await expect.poll(reported).toHaveLength(1)
  isBroken = false
  await cluster.waitForIdle()
  expect(ran).toEqual(['fails'])
  await expect.poll(async () => [await reported(), await starts()]).toEqual([[], []])
})

test('messages of a process that ended run one at a time, and an event that ends its process does not affect its batch', async () => {
  await cluster.host.stop()
  reset()
  await queue('a', 'b', 'c', 'd')
  await takeAndEnd('JOB_media', 'media_echo', 4)
  const words = ['first', 'bad', 'last'].map((one, i) => ({
    id: String((BigInt(i) + 1n) << 16n),
    trace: '',
    data: JSON.stringify({ word: one }),
  }))
  await createPublisher(nc).one(writeEventBatch(said.subject, 'batch', words))
  await takeAndEnd('EVT_media', 'media_on-word-said', 1)
  await cluster.db('media').run(
    sql`insert into suspect_starts (consumer, message_id, starts, alive_at)
        values ('media_on-word-said', ${words[1]?.id}, 2, now() - interval '1 minute')`,
  )
  await cluster.restart()
  await cluster.waitForIdle()
  expect(ran.toSorted()).toEqual(['a', 'b', 'c', 'd', 'first', 'last'])
  expect(max).toBe(1)
  const letters = sql`select message_id, reason, data from dead_letters`
  expect(await cluster.db('media').rows(letters)).toEqual([
    { message_id: words[1]?.id, reason: 'ended-its-worker', data: words[1]?.data },
  ])
  expect(await starts()).toEqual([])
})

test('a heartbeat that was stored while the clock of the database was ahead does not count', async () => {
  const deliveries = createDeliveries(cluster.db('media'), 'media_echo', { aliveMs: 60_000, batchPause: () => 0 })
  const state = async () => (await deliveries.suspicions(['7'])).get('7')
  await deliveries.started('7')
  expect(await state()).toEqual({ starts: 1, inWork: true })
  await cluster.db('media').run(sql`update suspect_starts set alive_at = alive_at + interval '1 day'`)
  expect(await state()).toEqual({ starts: 1, inWork: false })
  await deliveries.ended(['7'])
})

test('a process that stops returns its messages, and they do not become suspect', async () => {
  reset()
  isSlow = true
  const names = Array.from({ length: 20 }, (_, n) => `slow ${n}`)
  await queue(...names)
  await expect.poll(() => inSlow).toBe(8)
  await pause(500)
  await cluster.host.stop()
  // Eight messages were in progress, and some more were fetched.
  const records = (await reported()) as { delivery: number }[]
  expect(records.length).toBeGreaterThanOrEqual(8)
  expect(records.every((one) => one.delivery === 1)).toBe(true)
  isSlow = false
  await cluster.restart()
  await cluster.waitForIdle()
  expect(ran.toSorted()).toEqual(names.toSorted())
  // A suspect would have run alone.
  expect(max).toBeGreaterThan(4)
})

test.each([
  ['9081', 'broken'],
  ['9082', WorkerCrashed.reason],
])(
  'a redelivered or resent job %s with a dead letter (%s) is reported again, and its handler does not run',
  async (id, reason) => {
    await cluster.host.stop()
    reset()
    await createPublisher(nc).one({ subject: write.subject, id, data: JSON.stringify({ word: 'dead' }) })
    const consumer = await jetstream(nc).consumers.get('JOB_media', 'media_write')
    const message = await consumer.next({ expires: 5_000 })
    // As after a handler that failed its last try, and a `gaveUp` that failed.
    await cluster.db('media').run(sql`insert into dead_letters (id, consumer, subject, message_id, data, reason, tries)
    values (1, 'media_write', ${write.subject}, ${id}, '{"word":"dead"}', ${reason}, 1)`)
    message?.nak()
    const copy = { subject: write.subject, id: `${id}#1`, data: '{"word":"dead"}', headers: { 'Event-Id': id } }
    await createPublisher(nc).one(copy)
    await cluster.restart()
    await cluster.waitForIdle()
    expect(ran).toEqual([])
    expect(givenUp).toEqual(['dead', 'dead'])
    const letters = sql`delete from dead_letters where consumer = 'media_write' returning message_id, reason`
    expect(await cluster.db('media').rows(letters)).toEqual([{ message_id: id, reason }])
    givenUp.length = 0
  },
)

test('a job that is redelivered after it was processed does not run again', async () => {
  await cluster.host.stop()
  reset()
  const publisher = createPublisher(nc)
  const data = (one: string) => JSON.stringify({ word: one })
  await publisher.one({ subject: echo.subject, id: '61', data: data('processed') })
  await publisher.one({ subject: echo.subject, id: '62', data: data('not processed') })
  const consumer = await jetstream(nc).consumers.get('JOB_media', 'media_echo')
  const messages = [await consumer.next(), await consumer.next()]
  // As after a process that ended between the record and the acknowledgement.
  await cluster.db('media').run(sql`insert into consumed (consumer, event_id) values ('media_echo', 61)`)
  for (const message of messages) message?.nak()
  await cluster.restart()
  await cluster.waitForIdle()
  expect(ran).toEqual(['not processed'])
})

test('a job without further deliveries keeps its dead letter, and does not get back one that an operator removed', async () => {
  await cluster.host.stop()
  reset()
  const db = cluster.db('media')
  const jobs = ['kept', 'dropped', 'replayed'].map((one, i) => ({
    id: String(71 + i),
    data: JSON.stringify({ word: one }),
  }))
  const publisher = createPublisher(nc)
  await Promise.all(jobs.map((one) => publisher.one({ subject: write.subject, ...one })))
  const consumer = await jetstream(nc).consumers.get('JOB_media', 'media_write')
  // A `gaveUp` that fails again and again uses up the deliveries of the message.
  for (let delivery = 1; delivery <= write.retry.times + 16; delivery++) {
    const messages = [await consumer.next(), await consumer.next(), await consumer.next()]
    for (const message of messages) message?.nak()
  }
  await db.run(sql`insert into dead_letters (id, consumer, subject, message_id, data, reason, tries)
    select id::bigint, 'media_write', ${write.subject}, id, data, 'broken', 6
    from jsonb_to_recordset(${JSON.stringify(jobs)}::jsonb) as r(id text, data text)`)
  const handlers = operatorHandlers({
    db,
    clock: createClock(),
    jobOf: () => null,
    redo: async () => undefined,
  } as unknown as OperatorOptions)
  await handlers.dropDeadLetters({ ids: ['72'] })
  await handlers.replayDeadLetters({ ids: ['73'] })
  await db.run(sql`insert into consumed (consumer, event_id) values ('media_write', 73)`)
  await cluster.restart()
  await cluster.waitForIdle()
  expect(ran).toEqual([])
  expect(givenUp.toSorted()).toEqual(['dropped', 'kept'])
  const letters = sql`delete from dead_letters where consumer = 'media_write' returning message_id, reason, tries`
  expect(await db.rows(letters)).toEqual([{ message_id: '71', reason: 'broken', tries: 6 }])
  givenUp.length = 0
})

test('a message whose dead letter was dropped is not sent again, and its copy does not run', async () => {
  await cluster.waitForIdle()
  reset()
  const { db, announce, queue: add, nc: own, log } = cluster.host.running[0]!.ctx
  await db.tx(async (tx) => {
    await announce(tx, said, { word: 'refused' })
    await add(tx, echo, { word: 'refused' })
    await add(tx, write, { word: 'refused' })
  })
  const letters = () => db.rows<{ id: string }>(sql`select id from dead_letters where reason = 'refused'`)
  await expect.poll(letters).toHaveLength(3)
  await expect.poll(() => givenUp).toEqual(['refused'])
  await cluster.waitForIdle()
  const handlers = operatorHandlers({
    db,
    clock: createClock(),
    jobOf: () => null,
    redo: async () => undefined,
  } as unknown as OperatorOptions)
  await handlers.dropDeadLetters({ ids: (await letters()).map(({ id }) => id) })
  const jsm = await jetstreamManager(own, { checkAPI: false })
  expect(await reconcile({ manifest: app.manifest, db, nc: own, jsm, log }, 0)).toBe(0)
  expect(await db.rows(sql`select subject from outbox where reconciled_at is null`)).toEqual([])
  // As after the loss of a stream.
  await db.run(sql`update outbox set sent_at = null, replays = replays + 1, reconciled_at = null`)
  await expect.poll(() => db.rows(sql`select 1 from outbox where sent_at is null`), { timeout: 30_000 }).toEqual([])
  await cluster.waitForIdle()
  expect(ran).toEqual(['refused', 'refused', 'refused'])
  expect(await letters()).toEqual([])
  givenUp.length = 0
})

test('a job that is given up without a run is reported to its service, and is a dead letter also if that fails', async () => {
  await cluster.host.stop()
  reset()
  const words = ['marked', 'not marked']
  const publisher = createPublisher(nc)
  await Promise.all(
    words.map((one) => publisher.one({ subject: write.subject, id: one, data: JSON.stringify({ word: one }) })),
  )
  await takeAndEnd('JOB_media', 'media_write', 2)
  await cluster.db('media').run(
    sql`insert into suspect_starts (consumer, message_id, starts, alive_at)
        select 'media_write', one, 2, now() - interval '1 minute' from unnest(${words}::text[]) one`,
  )
  await cluster.restart()
  const letters = sql`select message_id, reason from dead_letters where consumer = 'media_write' order by 1`
  await expect
    .poll(() => cluster.db('media').rows(letters), { timeout: 30_000 })
    .toEqual(words.map((message_id) => ({ message_id, reason: 'ended-its-worker' })))
  await expect.poll(() => givenUp.toSorted()).toEqual(words)
  expect(ran).toEqual([])
  // The job is still known to crash processes when it is redelivered.
  await expect.poll(starts).toEqual([{ message_id: 'not marked', starts: 2 }])
  const unfinished = async () => (await jetstream(nc).consumers.get('JOB_media', 'media_write')).info()
  await expect.poll(async () => (await unfinished()).num_ack_pending).toBe(1)
})
