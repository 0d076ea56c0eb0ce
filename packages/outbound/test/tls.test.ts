/** TLS: peers without a valid certificate for the name are refused, without fallback to plain http. */

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeAuthority } from './certificates.js'
import { get, type Harness, openHarness, refusal } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await openHarness()
  for (const name of ['remote.example', 'other.example']) harness.names.set(name, { addresses: ['127.77.0.1'] })
})
afterAll(() => harness.close())

const hello = (_request: unknown, response: { end(text: string): void }) => response.end('hello')

test('a certificate of an authority in the extra file is accepted', async () => {
  const remote = await harness.secureRemote(hello, { names: ['remote.example'] })
  const answer = await harness.client().request(get(`${remote.origin}/`))
  expect(answer.body.toString()).toBe('hello')
  expect(remote.seen).toEqual([`GET remote.example:${remote.port} /`])
})

test('an IP address as host is checked against the addresses of the certificate', async () => {
  const good = await harness.secureRemote(hello, { names: ['127.77.0.1'] })
  const bad = await harness.secureRemote(hello, { names: ['127.77.0.2'] })
  expect((await harness.client().request(get(`https://127.77.0.1:${good.port}/`))).status).toBe(200)
  expect((await refusal(harness.client().request(get(`https://127.77.0.1:${bad.port}/`)))).code).toBe('tls')
})

test.each([
  [
    'expired',
    () => harness.authority.issue({ names: ['remote.example'], notBefore: 0, notAfter: Date.now() - 60_000 }),
  ],
  ['not yet valid', () => harness.authority.issue({ names: ['remote.example'], notBefore: Date.now() + 3_600_000 })],
  ['of a wrong name', () => harness.authority.issue({ names: ['elsewhere.example'] })],
  ['of an unknown authority', () => makeAuthority('Untrusted').issue({ names: ['remote.example'] })],
  ['of a false authority with the right name', () => makeAuthority().issue({ names: ['remote.example'] })],
])('F049 a certificate %s is refused, and nothing is sent', async (_what, certificate) => {
  const remote = await harness.secureRemote(hello, { names: ['remote.example'], certificate: certificate() })
  const error = await refusal(harness.client().request({ ...get(`${remote.origin}/`), method: 'POST', body: 'secret' }))
  expect(error).toMatchObject({ code: 'tls', retryable: true })
  expect(remote.seen).toEqual([])
})

test('D062 NODE_TLS_REJECT_UNAUTHORIZED=0 has no effect', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  try {
    const certificate = makeAuthority('Untrusted').issue({ names: ['remote.example'] })
    const remote = await harness.secureRemote(hello, { names: ['remote.example'], certificate })
    expect((await refusal(harness.client().request(get(`${remote.origin}/`)))).code).toBe('tls')
    expect(remote.seen).toEqual([])
  } finally {
    vi.unstubAllEnvs()
  }
})

test('D062 proxies in the environment are not used', async () => {
  const proxy = await harness.remote(hello)
  vi.stubEnv('HTTP_PROXY', proxy.origin)
  vi.stubEnv('http_proxy', proxy.origin)
  vi.stubEnv('HTTPS_PROXY', proxy.origin)
  vi.stubEnv('NODE_USE_ENV_PROXY', '1')
  try {
    const remote = await harness.remote(hello)
    expect((await harness.client().request(get(`${remote.origin}/`))).status).toBe(200)
    expect(proxy.sockets.opened).toBe(0)
  } finally {
    vi.unstubAllEnvs()
  }
})

test('D062 TLS 1.1 is refused', async () => {
  const tls = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' }
  const remote = await harness.secureRemote(hello, { names: ['remote.example'], tls })
  expect((await refusal(harness.client().request(get(`${remote.origin}/`)))).code).toBe('tls')
})

test('A187 two names on one address with one certificate: the second is refused, also after the first', async () => {
  const remote = await harness.secureRemote(hello, { names: ['remote.example'], tls: { maxVersion: 'TLSv1.2' } })
  const client = harness.client()
  expect((await client.request(get(`${remote.origin}/`, { headers: { connection: 'close' } }))).status).toBe(200)
  expect((await refusal(client.request(get(`https://other.example:${remote.port}/`)))).code).toBe('tls')
  expect(remote.seen).toHaveLength(1)
})

test('F049 a peer that does not respond during the handshake is an error after 5 s', async () => {
  const silent = await harness.raw(() => {})
  const error = await refusal(
    harness.client().request(get(`https://127.77.0.1:${silent.port}/`, { timeoutMs: 60_000 })),
  )
  // The code is not `timeout`, because the handshake has its own limit.
  expect(error.code).toBe('tls')
})

test('F049 plain http where TLS was expected is refused', async () => {
  const plain = await harness.remote(hello)
  expect((await refusal(harness.client().request(get(`https://127.77.0.1:${plain.port}/`)))).code).toBe('tls')
  expect(plain.seen).toEqual([])
})
