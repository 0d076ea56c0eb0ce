/** Long responses on a real bus: complete and in order; a missing responder fails immediately, a silent one after the deadline. */
import { startNats, type TestNats } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectBus, headers, type NatsConnection, sendRequest } from '../src/index.js'
import { respondInParts } from '../src/parts.js'

let nats: TestNats
let nc: NatsConnection
const sizes = [0, 1, 900_000, 900_001, 3_000_000]

beforeAll(async () => {
  nats = await startNats()
  nc = await connectBus({ url: nats.url, service: 'media', name: 'test', password: null })
  nc.subscribe('long', {
    callback: (_error, message) => {
      const bytes = new Uint8Array(Number(message.string())).map((_, i) => i % 251)
      const h = headers()
      h.set('Meta', JSON.stringify({ status: 203, headers: {}, next: null, prev: null, code: null }))
      respondInParts(message, bytes, h)
    },
  })
  nc.subscribe('silent', { callback: () => undefined })
})
afterAll(async () => {
  await nc.close()
  await nats.stop()
})
const long = (subject: string, payload: string, timeoutMs = 5_000) =>
  sendRequest(nc, subject, payload, {
    remainingMs: timeoutMs,
    caller: null,
    requestId: 'r',
    commandId: null,
    idempotencyKey: null,
    locale: '',
    traceparent: '',
  })

test('F021 simultaneous responses of any length arrive complete and in order', async () => {
  const answers = await Promise.all([...sizes, ...sizes].map((size) => long('long', String(size))))
  answers.forEach(({ bytes, meta }, i) => {
    expect(meta.status).toBe(203)
    expect(bytes.length).toBe(sizes[i % sizes.length])
    expect(bytes.every((byte, at) => byte === at % 251)).toBe(true)
  })
})

test('F003 a missing responder is detected at once', async () => {
  const silence = long('silent', '', 1_000).catch((error) => error.code)
  const nobody = long('nobody', '', 60_000).catch((error) => error.code)
  expect(await Promise.race([silence, nobody])).toBe('unavailable')
  expect(await silence).toBe('timeout')
})

test('a request without a response fails at its deadline', async () => {
  await expect(long('silent', '', 50)).rejects.toMatchObject({ code: 'timeout' })
})

test('F016 without the server every request is refused immediately, and requests succeed again when it is back', async () => {
  const lost = long('silent', '', 60_000).catch((error) => error.code)
  await nats.kill()
  expect(await lost).toBe('timeout')
  for (let n = 0; n < 5; n++) await expect(long('long', '5', 60_000)).rejects.toMatchObject({ code: 'unavailable' })
  await nats.start()
  await expect
    .poll(() =>
      long('long', '5').then(
        ({ bytes }) => bytes.length,
        () => 0,
      ),
    )
    .toBe(5)
})
