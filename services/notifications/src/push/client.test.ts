/** Push messages: both encodings, decrypted, and the handling of responses of the push service. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createOutbound, type Outbound, type Refusal } from '@murmuration/outbound'
import { type PushService, startPushService } from '@murmuration/testkit/outside/push-service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import webPush from 'web-push'
import { createPushClient } from './client.js'

const vapid = webPush.generateVAPIDKeys()
let service: PushService
let outbound: Outbound
const refused: Refusal[] = []
const reasons: string[] = []
beforeAll(async () => {
  service = await startPushService()
  outbound = createOutbound({
    userAgent: 'test',
    mode: 'test',
    onRefused: () => {},
    allowPrivate: true,
    allowAddresses: ['127.0.0.0/8'],
    allowHttp: true,
  })
})
afterAll(async () => {
  await outbound.close()
  await service.close()
})

const clientFor = (allowAddresses: string[]) =>
  createPushClient({
    outbound,
    onRefused: (one) => refused.push(one),
    report: (reason, { host }) => reasons.push(`${host}: ${reason}`),
    ...vapid,
    allowAddresses,
    contact: () => 'mailto:admin@here.example',
  })
const target = (standard: boolean) => {
  const { endpoint, keys } = service.subscribe()
  return { endpoint, ...keys, standard }
}
const UNSUBSCRIBE = 'https://here.example/api/web/push_subscriptions/x'

test.each([
  [true, 'aes128gcm'],
  [false, 'aesgcm'],
])(
  'S-017 S-190 standard %s is delivered as %s, signed by our key, with the promised headers',
  async (standard, encoding) => {
    const outcome = await clientFor(['127.0.0.0/8']).send(target(standard), '{"title":"ünïcode"}', UNSUBSCRIBE)
    expect(service.refused.all).toEqual([])
    expect(outcome).toEqual({ kind: 'delivered' })
    const [push] = service.pushes.all.slice(-1)
    expect(push).toMatchObject({ encoding, payload: '{"title":"ünïcode"}' })
    expect(push?.vapid).toMatchObject({ publicKey: vapid.publicKey, claims: { sub: 'mailto:admin@here.example' } })
    expect(Math.round((push?.vapid.claims.exp ?? 0) - Date.now() / 1000)).toBeGreaterThan(86_300)
    expect(push?.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      ttl: '172800',
      urgency: 'normal',
      'unsubscribe-url': UNSUBSCRIBE,
    })
  },
)

test.each([
  [404, { kind: 'gone' }],
  [410, { kind: 'gone' }],
  [413, { kind: 'too_large' }],
  [408, { kind: 'later', seconds: null }],
  [429, { kind: 'later', seconds: 7 }],
  [500, { kind: 'later', seconds: null }],
  [503, { kind: 'later', seconds: 7 }],
])('an answer of %d means %o', async (status, outcome: { kind: string; seconds?: number | null }) => {
  service.respondWith(status, { times: 1, ...(outcome.seconds ? { retryAfter: outcome.seconds } : {}) })
  expect(await clientFor(['127.0.0.0/8']).send(target(true), 'x', UNSUBSCRIBE)).toEqual(outcome)
  service.repair()
})

test.each([401, 403])('an answer of %d is reported to the operator with the settings of the keys', async (status) => {
  reasons.length = 0
  service.respondWith(status, { times: 1 })
  expect(await clientFor(['127.0.0.0/8']).send(target(true), 'x', UNSUBSCRIBE)).toEqual({ kind: 'gone' })
  service.respondWith(410, { times: 1 })
  await clientFor(['127.0.0.0/8']).send(target(true), 'x', UNSUBSCRIBE)
  service.repair()
  expect(reasons).toEqual([
    expect.stringMatching(
      new RegExp(`^127\\.0\\.0\\.1: a push service refuses messages with ${status}: see VAPID_PUBLIC_KEY`),
    ),
  ])
})

test('an unreachable push service is retried', async () => {
  const gone = await startPushService()
  const { endpoint, keys } = gone.subscribe()
  await gone.close()
  expect(await clientFor(['127.0.0.0/8']).send({ endpoint, ...keys, standard: true }, 'x', UNSUBSCRIBE)).toEqual({
    kind: 'later',
    seconds: null,
  })
})

test('D071 an endpoint at a private address is logged with its host, and an invalid one is not', () => {
  refused.length = 0
  clientFor([]).accepts('https://169.254.169.254/latest/secret')
  clientFor([]).accepts('https://user@push.example/x')
  expect(refused).toEqual([{ host: '169.254.169.254', reason: 'the address is not public' }])
})

describe('A128 addresses', () => {
  test.each([
    'https://169.254.169.254/latest',
    'https://localhost/push',
    'http://push.example/x',
    'https://push.example:8443/x',
    'https://user@push.example/x',
    'ftp://push.example/x',
    'https://127.0.0.1/x',
    `https://push.example/${'x'.repeat(2_048)}`,
    'push.example',
  ])('%s is no push service', (endpoint) => {
    expect(clientFor([]).accepts(endpoint)).toBe(false)
  })

  test('https on the default port is allowed, and a test network can be allowed', () => {
    expect(clientFor([]).accepts('https://push.example/x')).toBe(true)
    expect(clientFor(['127.0.0.0/8']).accepts(service.subscribe().endpoint)).toBe(true)
  })
})

test('a name with a private address is retried, and its subscription stays', async () => {
  const hostsFile = join(await mkdtemp(join(tmpdir(), 'push-test-')), 'hosts')
  await writeFile(hostsFile, '10.0.0.9 push.example\n')
  const guarded = createOutbound({ userAgent: 'test', mode: 'test', onRefused: () => {}, dns: { hostsFile } })
  const options = {
    outbound: guarded,
    onRefused: () => {},
    report: () => {},
    ...vapid,
    contact: () => 'mailto:admin@here.example',
  }
  const { keys } = service.subscribe()
  const send = (endpoint: string) =>
    createPushClient({ ...options, allowAddresses: [] }).send(
      { endpoint, ...keys, standard: true },
      'hello',
      UNSUBSCRIBE,
    )
  expect(await send('https://push.example/x')).toEqual({ kind: 'later', seconds: null })
  expect(await send('https://10.0.0.9/x')).toEqual({ kind: 'gone' })
  await guarded.close()
  await rm(dirname(hostsFile), { recursive: true })
})

test('A210 a forbidden address gets no request, and its subscription ends', async () => {
  const guarded = createOutbound({ userAgent: 'test', mode: 'test', onRefused: () => {} })
  const sender = createPushClient({
    outbound: guarded,
    onRefused: () => {},
    report: () => {},
    ...vapid,
    allowAddresses: [],
    contact: () => 'mailto:admin@here.example',
  })
  const { endpoint, keys } = service.subscribe()
  const before = service.pushes.all.length
  const https = endpoint.replace('http:', 'https:')
  expect(
    await sender.send({ endpoint: https, ...keys, standard: true }, randomBytes(9).toString('hex'), UNSUBSCRIBE),
  ).toEqual({
    kind: 'gone',
  })
  expect(service.pushes.all).toHaveLength(before)
  await guarded.close()
})
