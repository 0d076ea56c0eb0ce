// The collector against messages written by hand from the protocol's definition.
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { request } from './http-client.js'
import { type OtlpCollector, startOtlpCollector } from './otlp-collector.js'

let collector: OtlpCollector
beforeAll(async () => {
  collector = await startOtlpCollector()
})
afterAll(() => collector.close())

const field = (number: number, type: number, ...rest: Buffer[]) =>
  Buffer.concat([Buffer.from([(number << 3) | type]), ...rest])
const message = (number: number, ...parts: Buffer[]) => {
  const body = Buffer.concat(parts)
  const length = body.length < 128 ? [body.length] : [(body.length & 127) | 128, body.length >> 7]
  return field(number, 2, Buffer.from(length), body)
}
const text = (number: number, value: string) => message(number, Buffer.from(value))
const fixed = (number: number, value: bigint) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return field(number, 1, bytes)
}
const double = Buffer.alloc(8)
double.writeDoubleLE(2.5)
const pair = (number: number, name: string, value: Buffer) => message(number, text(1, name), message(2, value))

const span = Buffer.concat([
  message(1, Buffer.alloc(16, 0xab)),
  message(2, Buffer.alloc(8, 0xcd)),
  text(5, 'GET /'),
  field(6, 0, Buffer.from([2])),
  fixed(7, 1_700_000_000_000_000_001n),
  fixed(8, 1_700_000_000_000_000_002n),
  pair(9, 'text', text(1, 'é')),
  pair(9, 'yes', field(2, 0, Buffer.from([1]))),
  pair(9, 'minus one', field(3, 0, Buffer.from([255, 255, 255, 255, 255, 255, 255, 255, 255, 1]))),
  pair(9, 'half', field(4, 1, double)),
  pair(9, 'list', message(5, message(1, text(1, 'a')), message(1, text(1, 'b')))),
  message(11, fixed(1, 3n), text(2, 'exception'), pair(3, 'exception.type', text(1, 'Error'))),
  message(15, text(2, 'no'), field(3, 0, Buffer.from([2]))),
])
const body = message(
  1,
  message(1, pair(1, 'service.name', text(1, 'here'))),
  message(2, message(1, text(1, 'scope')), message(2, span)),
)
const post = (path: string, headers: Record<string, string>, bytes: Buffer) =>
  request(collector.endpoint + path, { method: 'POST', headers, body: bytes })
const protobuf = { 'content-type': 'application/x-protobuf' }

test('every kind of value is read, plain and compressed', async () => {
  expect((await post('/v1/traces', protobuf, body)).status).toBe(200)
  expect((await post('/v1/traces', { ...protobuf, 'content-encoding': 'gzip' }, gzipSync(body))).status).toBe(200)
  const [first, second] = await collector.trace(['GET /'])
  expect(first).toEqual({
    traceId: 'ab'.repeat(16),
    spanId: 'cd'.repeat(8),
    parentSpanId: '',
    name: 'GET /',
    kind: 'server',
    start: 1_700_000_000_000_000_001n,
    end: 1_700_000_000_000_000_002n,
    attributes: { text: 'é', yes: true, 'minus one': -1, half: 2.5, list: ['a', 'b'] },
    events: [{ name: 'exception', attributes: { 'exception.type': 'Error' } }],
    status: { message: 'no', code: 2 },
    scope: 'scope',
    resource: { 'service.name': 'here' },
  })
  expect(second).toEqual(first)
})

test('a body that is no trace is refused', async () => {
  expect((await post('/v1/logs', protobuf, body)).status).toBe(404)
  expect((await post('/v1/traces', { 'content-type': 'application/json' }, body)).status).toBe(415)
  const cut = await post('/v1/traces', protobuf, body.subarray(0, 40))
  expect([cut.status, cut.text]).toEqual([500, 'the message ends inside a field'])
})
