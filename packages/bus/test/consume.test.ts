/** A worker receives the messages of its consumer with few requests. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { natsBinary, startNats, type TestNats } from '@murmuration/testkit'
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  connectBus,
  ensureConsumers,
  heartbeatMs,
  SPARE_DELIVERIES,
  startWorker,
  type WorkOptions,
} from '../src/index.js'

let nats: TestNats
let nc: NatsConnection
beforeAll(async () => {
  nats = await startNats()
  nc = await connectBus({ url: nats.url, service: 'test', name: 'test', password: null })
})
afterAll(async () => {
  await nc.close()
  await nats.stop()
})

const nextReconnection = async (connection: NatsConnection): Promise<void> => {
  for await (const { type } of connection.status()) if (type === 'reconnect') return
}

test('a released worker slot takes the next message, and stop still waits for the work of the first', async () => {
  const jsm = await jetstreamManager(nc)
  await jsm.streams.add({ name: 'SLOW', subjects: ['slow'] })
  await jsm.consumers.add('SLOW', { durable_name: 'one', ack_policy: AckPolicy.Explicit })
  const first = Promise.withResolvers<void>()
  const taken: string[] = []
  const done: string[] = []
  const worker = startWorker(nc, {
    stream: 'SLOW',
    durable: 'one',
    concurrency: 1,
    delays: [1],
    times: 2,
    ackWaitMs: 5_000,
    async work(message, free) {
      const name = message.string()
      taken.push(name)
      if (name !== 'second') {
        free()
        free()
        if (name === 'first') await first.promise
      }
      done.push(name)
    },
    deadLetter: async () => undefined,
    isPermanent: () => false,
    onTrouble: () => undefined,
  })
  for (const name of ['first', 'second', 'third']) await jetstream(nc).publish('slow', name)
  await expect.poll(() => done).toEqual(['second', 'third'])
  expect(taken).toEqual(['first', 'second', 'third'])
  expect(worker.inHand()).toBe(0)
  const unacknowledged = async () => (await jsm.consumers.info('SLOW', 'one')).num_ack_pending
  // Acknowledgements arrive a moment later.
  await expect.poll(unacknowledged).toBe(1)
  const stopping = worker.stop(5_000)
  first.resolve()
  await stopping
  expect(done).toEqual(['second', 'third', 'first'])
  await nc.flush()
  await expect.poll(unacknowledged).toBe(0)
})

test('messages that arrive one by one are requested in batches', async () => {
  const jsm = await jetstreamManager(nc)
  await jsm.streams.add({ name: 'WORK', subjects: ['work'] })
  await jsm.consumers.add('WORK', { durable_name: 'hand', ack_policy: AckPolicy.Explicit })
  let asked = 0
  nc.subscribe('$JS.API.CONSUMER.MSG.NEXT.WORK.hand', { callback: () => void asked++ })
  let done = 0
  let next: () => void = () => undefined
  const worker = startWorker(nc, {
    stream: 'WORK',
    durable: 'hand',
    concurrency: 16,
    delays: [1],
    times: 2,
    ackWaitMs: 5_000,
    async work() {
      done++
      next()
    },
    deadLetter: async () => undefined,
    isPermanent: () => false,
    onTrouble: () => undefined,
  })
  for (let n = 0; n < 48; n++) {
    const came = new Promise<void>((resolve) => {
      next = resolve
    })
    await jetstream(nc).publish('work', 'x')
    await came
  }
  await worker.stop(1_000)
  await nc.flush()
  expect(done).toBe(48)
  // Eight requested messages at the start, then six each time.
  expect(asked).toBeLessThanOrEqual(1 + 48 / 6 + 1)
})

test('a message whose worker ends each time becomes a dead letter, also if that fails at first', async () => {
  const jsm = await jetstreamManager(nc)
  await jsm.streams.add({ name: 'FATAL', subjects: ['fatal'] })
  const times = 2
  const last = times + SPARE_DELIVERIES
  // A consumer of an earlier release, which limited the deliveries.
  const limits = { ack_wait: 100 * 1_000_000, max_deliver: last, filter_subject: 'fatal' }
  await jsm.consumers.add('FATAL', { durable_name: 'hand', ack_policy: AckPolicy.Explicit, ...limits })
  await ensureConsumers(jsm, [{ stream: 'FATAL', durable: 'hand', filter: 'fatal', ackWaitMs: 100, maxAckPending: 10 }])
  const js = jetstream(nc)
  await js.publish('fatal', 'x')
  const consumer = await js.consumers.get('FATAL', 'hand')
  expect((await consumer.info()).config.max_deliver).toBe(-1)
  // Receives without a response, like a process that ends. At the last delivery, it ends before it stores a dead letter.
  for (let n = 1; n <= last; n++) expect((await consumer.next({ expires: 5_000 }))?.info.deliveryCount).toBe(n)
  let worked = 0
  const given = Promise.withResolvers<unknown>()
  const worker = startWorker(nc, {
    stream: 'FATAL',
    durable: 'hand',
    concurrency: 1,
    delays: [1],
    times,
    ackWaitMs: 100,
    async work() {
      worked++
    },
    deadLetter: async (_message, error) => given.resolve(error),
    isPermanent: () => false,
    onTrouble: () => undefined,
  })
  expect(await given.promise).toMatchObject({ name: 'never-finished' })
  await worker.stop(1_000)
  await expect.poll(async () => (await consumer.info()).num_ack_pending).toBe(0)
  expect(worked).toBe(0)
})

test('an idle worker receives heartbeats every 30 seconds, and more often in a cluster or if it counts as stuck soon', () => {
  expect(nc.info?.cluster).toBeUndefined()
  expect([heartbeatMs(false), heartbeatMs(false, 300_000), heartbeatMs(true, 300_000)]).toEqual([
    30_000, 30_000, 10_000,
  ])
  expect([heartbeatMs(false, 22_000), heartbeatMs(true, 30_000), heartbeatMs(false, 100)]).toEqual([
    7_333, 10_000, 1_000,
  ])
})

test('a worker continues within seconds if JetStream is unavailable after a reconnection', async () => {
  const server = await startNats()
  const connection = await connectBus({ url: server.url, service: 'test', name: 'test', password: null })
  const jsm = await jetstreamManager(connection)
  await jsm.streams.add({ name: 'AGAIN', subjects: ['again'] })
  await jsm.consumers.add('AGAIN', { durable_name: 'one', ack_policy: AckPolicy.Explicit })
  const done: string[] = []
  const worker = startWorker(connection, {
    stream: 'AGAIN',
    durable: 'one',
    concurrency: 1,
    delays: [1],
    times: 2,
    ackWaitMs: 5_000,
    async work(message) {
      done.push(message.string())
    },
    deadLetter: async () => undefined,
    isPermanent: () => false,
    onTrouble: () => undefined,
  })
  await jetstream(connection).publish('again', 'before')
  await expect.poll(() => done).toEqual(['before'])
  await server.kill()
  // A server without JetStream, as a cluster whose streams have no leader yet.
  const { hostname, port } = new URL(server.url)
  const reconnected = nextReconnection(connection)
  const plain = spawn(natsBinary(), ['-a', hostname, '-p', port], { stdio: 'ignore' })
  await reconnected
  await expect(connection.request('$JS.API.INFO', '', { timeout: 2_000 })).rejects.toThrow()
  const exit = once(plain, 'exit')
  plain.kill('SIGKILL')
  await exit
  const restored = nextReconnection(connection)
  await server.start()
  await restored
  await jetstream(connection).publish('again', 'after')
  await expect.poll(() => done, { timeout: 20_000 }).toEqual(['before', 'after'])
  await worker.stop(1_000)
  await connection.close()
  await server.stop()
})

test('a worker that is stopped while it starts returns no message twice', async () => {
  const jsm = await jetstreamManager(nc)
  await jsm.streams.add({ name: 'EARLY', subjects: ['early'] })
  await jsm.consumers.add('EARLY', { durable_name: 'one', ack_policy: AckPolicy.Explicit })
  for (const name of ['first', 'second', 'third']) await jetstream(nc).publish('early', name)
  const options: WorkOptions = {
    stream: 'EARLY',
    durable: 'one',
    concurrency: 4,
    delays: [1],
    times: 2,
    ackWaitMs: 5_000,
    work: async (message) => void deliveries.push(message.info.deliveryCount),
    deadLetter: async () => undefined,
    isPermanent: () => false,
    onTrouble: () => undefined,
  }
  const deliveries: number[] = []
  const began = performance.now()
  await startWorker(nc, options).stop(5_000)
  expect(performance.now() - began).toBeLessThan(5_000)
  const next = startWorker(nc, options)
  await expect.poll(() => deliveries.length).toBe(3)
  expect(Math.max(...deliveries)).toBeLessThanOrEqual(2)
  await next.stop(1_000)
})

test('a worker fetches one message after a long one, and the other messages reach another worker', async () => {
  const jsm = await jetstreamManager(nc)
  await jsm.streams.add({ name: 'LONG', subjects: ['long'] })
  await jsm.consumers.add('LONG', { durable_name: 'one', ack_policy: AckPolicy.Explicit })
  for (const name of ['long', 'next', 'third', 'fourth']) await jetstream(nc).publish('long', name)
  const held = { long: Promise.withResolvers<void>(), next: Promise.withResolvers<void>() }
  const taken: string[] = []
  const start = (worker: string) =>
    startWorker(nc, {
      stream: 'LONG',
      durable: 'one',
      concurrency: 1,
      delays: [1],
      times: 2,
      ackWaitMs: 30_000,
      // A heartbeat per second.
      stuckAfterMs: 3_000,
      async work(message) {
        const name = message.string()
        taken.push(`${worker}: ${name} (${message.info.deliveryCount})`)
        await held[name as keyof typeof held]?.promise
      },
      deadLetter: async () => undefined,
      isPermanent: () => false,
      onTrouble: () => undefined,
    })
  const busy = start('busy')
  // Several heartbeats are missed.
  await new Promise((resolve) => setTimeout(resolve, 6_000))
  held.long.resolve()
  await expect.poll(() => taken).toEqual(['busy: long (1)', 'busy: next (1)'])
  const idle = start('idle')
  await expect.poll(() => taken.slice(2), { timeout: 5_000 }).toEqual(['idle: third (1)', 'idle: fourth (1)'])
  held.next.resolve()
  await Promise.all([busy.stop(1_000), idle.stop(1_000)])
})
