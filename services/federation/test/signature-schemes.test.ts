/** The signature scheme of a host is learned once, for all processes that read from it. */
import { createPrivateKey, randomUUID } from 'node:crypto'
import { openRedis, type Redis } from '@murmuration/cache'
import { createOutbound, type Outbound } from '@murmuration/outbound'
import { makeRsaKeys } from '@murmuration/testkit/outside/remote-actor'
import { serve, type WebServer } from '@murmuration/testkit/outside/web-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKnownSchemes } from '../src/resolver/signature-scheme.js'
import { type SignedGet, signedGet } from '../src/resolver/signed-get.js'

let site: WebServer
let redis: Redis
let outbound: Outbound
let asked = 0
/** The signature scheme that the site refuses. */
let refuses: 'old' | 'new' | null = null
const prefix = `schemes:${randomUUID()}`
const key = makeRsaKeys()

beforeAll(async () => {
  redis = await openRedis({ url: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379', name: 'schemes' })
  outbound = createOutbound({
    userAgent: 'test',
    mode: 'test',
    onRefused: () => {},
    allowPrivate: true,
    allowAddresses: ['127.0.0.0/8'],
    allowHttp: true,
    clock: { now: () => Date.now() } as never,
  })
  site = await serve(({ headers }) => {
    asked++
    const kind = headers['signature-input'] === undefined ? 'old' : 'new'
    return { status: kind === refuses ? 401 : 200, headers: { 'content-type': 'text/plain' }, body: 'x' }
  })
})
afterAll(async () => {
  await Promise.all([site.close(), outbound.close(), redis.close()])
})

/** One process; `later` moves its clock. */
const startProcess = () => {
  let later = 0
  const now = () => Date.now() + later
  const get: SignedGet = {
    outbound,
    now: () => Date.now(),
    signer: async () => ({
      keyId: `${site.origin}/actor#key`,
      publicPem: '',
      privateKey: createPrivateKey((await key).privateKey),
    }),
    knownSchemes: createKnownSchemes({ redis, prefix, now }),
  }
  return {
    wait: (ms: number) => {
      later += ms
    },
    /** Status, and how many requests it took. */
    async get(path = '/x') {
      const before = asked
      const options = { accept: '*/*', maxBytes: 1_000, timeoutMs: 5_000, obstacle: async () => null }
      const { status } = await signedGet(get, `${site.origin}${path}`, options)
      return [status, asked - before]
    },
  }
}

test('a host that needs the newer scheme gets two requests once, from all processes together', async () => {
  const [one, other] = [startProcess(), startProcess()]
  refuses = 'old'
  expect(await one.get()).toEqual([200, 2])
  expect(await one.get()).toEqual([200, 1])
  expect(await other.get()).toEqual([200, 1])
  expect(await startProcess().get('/y?z=1')).toEqual([200, 1])
})

test('a host that needs the older scheme again gets it', async () => {
  const [one, other] = [startProcess(), startProcess()]
  expect(await other.get()).toEqual([200, 1])
  refuses = 'new'
  expect(await one.get()).toEqual([200, 2])
  expect(await one.get()).toEqual([200, 1])
  other.wait(61_000)
  expect(await other.get()).toEqual([200, 1])
})
