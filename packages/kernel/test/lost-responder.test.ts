/** Requests whose responder ends during the work: reads are repeated, writes fail immediately. */
import { connectBus, type NatsConnection, type RpcResponse, registerService, serveEndpoint } from '@murmuration/bus'
import { type AnyOperation, internal, operation } from '@murmuration/contracts/kit'
import { startNats, type TestNats } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { isNotReceived } from '../src/call.js'
import { createSendRequest, watchWrites } from '../src/index.js'

const declare = (service: string, spec: { class: 'read' | 'write'; repeatable?: boolean }): AnyOperation =>
  operation(`${service}.word.say`, {
    viewer: internal(),
    ...spec,
    input: z.object({}),
    output: z.unknown(),
    about: 'Says a word.',
  })
const answer: RpcResponse = {
  bytes: new TextEncoder().encode('{}'),
  meta: { status: 200, headers: {}, next: null, prev: null, code: null },
}
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

let nats: TestNats
let caller: NatsConnection
const connectTo = (service: string) => connectBus({ url: nats.url, service, name: service, password: null })
beforeAll(async () => {
  nats = await startNats()
  caller = await connectTo('caller')
})
afterAll(async () => {
  await caller.close()
  await nats.stop()
})

/** Responds to the operation after `ms`, and counts requests. */
const respond = async (operation: AnyOperation, ms: number) => {
  const nc = await connectTo(operation.service)
  const counts = { asked: 0 }
  serveEndpoint(await registerService(nc, operation.service, '1.0.0'), {
    name: 'word.say',
    subject: operation.subject,
    about: operation.about,
    large: false,
    async handle() {
      counts.asked++
      await pause(ms)
      return answer
    },
    unsent: () => undefined,
  })
  await nc.flush()
  return { counts, end: () => nc.close() }
}
const envelopeFor = (remainingMs: number) => ({
  remainingMs,
  caller: null,
  requestId: 'r',
  commandId: null,
  idempotencyKey: null,
  locale: '',
  traceparent: '',
})
const say = async (operation: AnyOperation, remainingMs: number) => {
  const envelope = envelopeFor(remainingMs)
  const began = performance.now()
  const result = await createSendRequest(caller)(operation, '{}', envelope).then(
    () => 'answered',
    (error) => [error.code, error.status, error.extras.retryAfter].join(' '),
  )
  return { result, ms: performance.now() - began }
}

test('a read is repeated with another responder when its own ends', async () => {
  const read = declare('reading', { class: 'read' })
  const first = await respond(read, 60_000)
  const request = say(read, 30_000)
  await pause(600)
  const second = await respond(read, 0)
  await first.end()
  const { result, ms } = await request
  expect([result, second.counts.asked]).toEqual(['answered', 1])
  expect(ms).toBeLessThan(10_000)
  await second.end()
})

test('a read whose only responder ended is repeated with its successor', async () => {
  const read = declare('restarting', { class: 'read' })
  const first = await respond(read, 60_000)
  const request = say(read, 30_000)
  await pause(600)
  await first.end()
  await pause(2_000)
  const second = await respond(read, 0)
  expect((await request).result).toBe('answered')
  await second.end()
})

test('a write is not repeated: it fails soon after its responder ended', async () => {
  const write = declare('writing', { class: 'write' })
  const [first, second] = [await respond(write, 60_000), await respond(write, 60_000)]
  const request = say(write, 30_000)
  await pause(600)
  const [taken, other] = first.counts.asked > 0 ? [first, second] : [second, first]
  await taken.end()
  const { result, ms } = await request
  expect(result).toBe('unavailable 503 1')
  expect(ms).toBeLessThan(10_000)
  expect([taken.counts.asked, other.counts.asked]).toEqual([1, 0])
  await other.end()
})

test('a repeatable write is repeated', async () => {
  const write = declare('repeating', { class: 'write', repeatable: true })
  const first = await respond(write, 60_000)
  const request = say(write, 30_000)
  await pause(600)
  const second = await respond(write, 0)
  await first.end()
  expect((await request).result).toBe('answered')
  await second.end()
})

test('while requests avoid a hanging responder and another one stops, every read succeeds', async () => {
  const read = declare('avoiding', { class: 'read' })
  const hanging = await connectTo('avoiding')
  let received = 0
  hanging.subscribe(read.subject, { queue: 'avoiding', callback: () => void received++ })
  await hanging.flush()
  const [first, second] = [await respond(read, 0), await respond(read, 0)]
  const sayAll = async () =>
    (await Promise.all(Array.from({ length: 30 }, () => say(read, 30_000)))).map((one) => one.result)
  const answered = Array(30).fill('answered')
  expect(await sayAll()).toEqual(answered)
  const before = received
  expect(before).toBeGreaterThan(0)
  await first.end()
  expect(await sayAll()).toEqual(answered)
  // Only requests without a directed responder were sent to the queue group again.
  expect(received - before).toBeLessThanOrEqual(before)
  await Promise.all([second.end(), hanging.close()])
})

test('a request without a responder fails immediately', async () => {
  const { result, ms } = await say(declare('absent', { class: 'read' }), 30_000)
  expect(result).toBe('unavailable 503 1')
  expect(ms).toBeLessThan(5_000)
})

test('a failure tells whether a process may have received a write', async () => {
  const [read, write] = [declare('listing', { class: 'read' }), declare('storing', { class: 'write' })]
  const slow = declare('storing-slowly', { class: 'write' })
  const repeatable = declare('storing-again', { class: 'write', repeatable: true })
  const absent = [declare('away', { class: 'write' }), declare('away', { class: 'read' })]
  const served = await Promise.all([respond(read, 0), respond(write, 0), respond(repeatable, 0)])
  const mortal = await respond(slow, 60_000)
  const outcomeOf = async (...operations: AnyOperation[]) => {
    const { result, isReceived } = watchWrites(async () => {
      for (const one of operations) await createSendRequest(caller)(one, '{}', envelopeFor(5_000))
    })
    const error = await result.catch((thrown: unknown) => thrown)
    return { notReceived: isNotReceived(error), writeReceived: isReceived() }
  }
  for (const one of absent) {
    expect(await outcomeOf(one)).toEqual({ notReceived: true, writeReceived: false })
    expect(await outcomeOf(read, repeatable, one)).toEqual({ notReceived: true, writeReceived: false })
    expect(await outcomeOf(write, one)).toEqual({ notReceived: true, writeReceived: true })
  }
  const lost = outcomeOf(slow)
  const sent = watchWrites(() => createSendRequest(caller)(slow, '{}', envelopeFor(5_000)).catch(() => undefined))
  await pause(600)
  expect(sent.isReceived()).toBe(true)
  await mortal.end()
  expect(await lost).toEqual({ notReceived: false, writeReceived: true })
  await sent.result
  const closed = await connectTo('closed')
  await closed.close()
  const late = createSendRequest(closed)(write, '{}', envelopeFor(5_000)).catch((error: unknown) => error)
  expect(isNotReceived(await late)).toBe(true)
  await Promise.all(served.map((one) => one.end()))
})
