/** A worker gets what its consumer has, and asks for it seldom. */

import { startNats, type TestNats } from '@murmuration/testkit'
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectBus, startWorker } from '../src/index.js'

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

test('messages that come one by one are asked for in handfuls', async () => {
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
    bury: async () => undefined,
    hopeless: () => false,
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
  // Eight at the beginning, then six each time.
  expect(asked).toBeLessThanOrEqual(1 + 48 / 6 + 1)
})
