/** The guard from outside: nothing inside is ever connected to, whatever a URL, a name or a redirect says. */

import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOutbound, type OutboundOptions } from '../src/index.js'
import { get, type Harness, openHarness, refusal } from './harness.js'

let harness: Harness
const canaries: { port: number; accepted: { count: number } }[] = []
const hasIpv6 = Object.values(networkInterfaces()).some((list) => list?.some((entry) => entry.address === '::1'))
const ownAddress = Object.values(networkInterfaces())
  .flat()
  .find((entry) => entry && entry.family === 'IPv4' && !entry.internal)?.address

beforeAll(async () => {
  harness = await openHarness()
  const addresses = ['127.0.0.1', '127.66.0.1', ...(hasIpv6 ? ['::1'] : []), ...(ownAddress ? [ownAddress] : [])]
  canaries.push(...(await Promise.all(addresses.map((address) => harness.canary(address)))))
})
afterAll(() => harness.close())

const hits = () => canaries.reduce((sum, canary) => sum + canary.accepted.count, 0)

test.each([
  ['A102', 'http://[::]:PORT/'],
  ['A102', 'http://[::1]:PORT/'],
  ['A104', 'http://[::ffff:127.0.0.1]:PORT/'],
  ['A104', 'http://[::ffff:7f00:1]:PORT/'],
  ['A105', 'http://remote.example@127.0.0.1:PORT/'],
  ['A105', 'http://127.0.0.1:PORT#@remote.example/'],
  ['A105', 'http://127.0.0.1:PORT\\@remote.example/'],
  ['A105', 'http://１２７.0.0.1:PORT/'],
  ['A109', 'http://[64:ff9b::7f00:1]:PORT/'],
  ['A116', 'http://localhost:PORT/x'],
  ['A116', 'http://LOCALHOST:PORT/x'],
  ['A116', 'http://localhost.:PORT/x'],
  ['A117', 'http://0.0.0.0:PORT/'],
  ['A117', 'http://0:PORT/'],
  ['decimal', 'http://2130706433:PORT/'],
  ['hex', 'http://0x7f.1:PORT/'],
  ['octal', 'http://0177.1:PORT/'],
  ['other loopback', 'http://127.66.0.1:PORT/'],
])('hostile 94 95 96 %s: %s reaches nothing', async (_row, url) => {
  const client = harness.client()
  await Promise.all(
    canaries.map(async ({ port }) => {
      const { code } = await refusal(client.request(get(url.replace('PORT', String(port)))))
      // `localhost` may have no address in the name server of this test; it is never reached either way.
      expect(['forbidden_address', 'bad_url', 'dns']).toContain(code)
    }),
  )
  expect(hits()).toBe(0)
})

test.each([
  ['A104 mapped metadata address', ['::ffff:169.254.169.254']],
  ['A104 mapped loopback', ['::ffff:127.0.0.1']],
  ['A116 loopback', ['127.0.0.1']],
  ['A116 IPv6 loopback', ['::1']],
  ['A117 zero', ['0.0.0.0']],
  ['A106 private', ['10.0.0.9']],
  ['D058 one bad among good', ['127.77.0.1', '10.0.0.9']],
  ['D058 good and a bad one of the other family', ['127.77.0.1', '::1']],
  ['A210 carrier range', ['100.64.0.1']],
])('hostile 97 %s: a name with the addresses %j is refused before any connection', async (_row, addresses) => {
  const remote = await harness.remote((_request, response) => response.end('no'))
  harness.names.set('trap.example', { addresses, ttl: 0 })
  const client = harness.client()
  const ports = [remote.port, ...canaries.map((canary) => canary.port)]
  const errors = await Promise.all(ports.map((port) => refusal(client.request(get(`http://trap.example:${port}/`)))))
  expect(errors.map((error) => [error.code, error.retryable])).toEqual(ports.map(() => ['forbidden_address', true]))
  expect(remote.sockets.opened + hits()).toBe(0)
})

test('a refused address in the URL, or behind a redirect to one, is final; a refused address of a name is not', async () => {
  const port = canaries[0]!.port
  const remote = await harness.remote(({ url }, response) => {
    response.writeHead(302, { location: `http://${url?.slice(1)}:${port}/` }).end()
  })
  harness.names.set('inside.example', { addresses: ['10.0.0.9'] })
  const client = harness.client()
  const refusedOf = async (url: string) => {
    const { code, retryable } = await refusal(client.request({ ...get(url), redirects: 1 }))
    return [code, retryable]
  }
  expect(await refusedOf(`http://127.0.0.1:${port}/`)).toEqual(['forbidden_address', false])
  expect(await refusedOf(`http://[::1]:${port}/`)).toEqual(['forbidden_address', false])
  expect(await refusedOf(`${remote.origin}/127.0.0.1`)).toEqual(['forbidden_address', false])
  expect(await refusedOf(`http://inside.example:${port}/`)).toEqual(['forbidden_address', true])
  expect(await refusedOf(`${remote.origin}/inside.example`)).toEqual(['forbidden_address', true])
  expect(hits()).toBe(0)
})

test('a name that had a private address for a while is reached when it has a public one again', async () => {
  const remote = await harness.remote((_request, response) => response.end('ok'))
  let now = 0
  const client = harness.client({ clock: { now: () => now } })
  const url = `http://moved.example:${remote.port}/`
  harness.names.set('moved.example', { addresses: ['10.0.0.9'], ttl: 1 })
  expect(await refusal(client.request(get(url)))).toMatchObject({ code: 'forbidden_address', retryable: true })
  harness.names.set('moved.example', { addresses: ['127.77.0.1'], ttl: 1 })
  now += 1_500
  expect((await client.request(get(url))).status).toBe(200)
})

test.each([
  ['the well-known prefix', '64:ff9b::7f4d:1'],
  ['the well-known prefix and another address', '64:ff9b::808:808'],
  ['the prefix for local use', '64:ff9b:1::7f4d:1'],
  ['a local prefix of 96 bits', 'fd64::7f4d:1'],
  ['a local prefix of 64 bits', 'fd64:0:0:0:7f:4d00:100:0'],
  ['a local prefix of 32 bits', 'fd64:1:7f4d:1::'],
])('a name with a public IPv4 address is reached although DNS64 added %s', async (_name, translated) => {
  const remote = await harness.remote((_request, response) => response.end('ok'))
  harness.names.set('dns64.example', { addresses: ['127.77.0.1', translated] })
  expect((await harness.client().request(get(`http://dns64.example:${remote.port}/`))).status).toBe(200)
})

test.each([
  ['only a translated address', ['64:ff9b::7f4d:1']],
  ['a translated address of a private IPv4 address', ['10.0.0.9', '64:ff9b::a00:9']],
  ['a private address of its own beside a translated one', ['127.77.0.1', '64:ff9b::7f4d:1', 'fd64::2']],
  ['a private address that embeds another IPv4 address', ['127.77.0.1', 'fd64::a00:9']],
])('a name with %s is refused', async (_name, addresses) => {
  const remote = await harness.remote((_request, response) => response.end('no'))
  harness.names.set('dns64.example', { addresses })
  const client = harness.client()
  const error = await refusal(client.request(get(`http://dns64.example:${remote.port}/`)))
  expect([error.code, error.retryable, remote.sockets.opened]).toEqual(['forbidden_address', true, 0])
})

test('hostile 97 A114 a name that changes its address is judged at each connection, on the address in use', async () => {
  const remote = await harness.remote((_request, response) => response.setHeader('connection', 'close').end('ok'))
  const canary = await harness.canary('127.0.0.1')
  let now = 0
  const client = harness.client({ clock: { now: () => now } })
  const other = harness.client({ ports: [canary.port] })
  harness.names.set('rebind.example', { addresses: ['127.77.0.1'], ttl: 0 })
  expect((await client.request(get(`http://rebind.example:${remote.port}/`))).status).toBe(200)
  harness.names.set('rebind.example', { addresses: ['127.0.0.1'], ttl: 0 })
  now += 1_500
  expect((await refusal(client.request(get(`http://rebind.example:${remote.port}/`)))).code).toBe('forbidden_address')
  expect((await refusal(other.request(get(`http://rebind.example:${canary.port}/`)))).code).toBe('forbidden_address')
  expect(canary.accepted.count).toBe(0)
})

test.each(['GET', 'POST'] as const)(
  'A113 A120 A121 A123 A124 A115: %s and streams share the one guard',
  async (method) => {
    const client = harness.client()
    const url = `http://127.0.0.1:${canaries[0]!.port}/u`
    const request = { ...get(url), method }
    expect((await refusal(client.request(request))).code).toBe('forbidden_address')
    expect((await refusal(client.stream(request))).code).toBe('forbidden_address')
    expect(hits()).toBe(0)
  },
)

test('A128 without a test network even the test network is refused', async () => {
  const remote = await harness.remote((_request, response) => response.end('no'))
  const client = harness.client({ allowPrivate: false, allowAddresses: [] })
  expect((await refusal(client.request(get(`${remote.origin}/`)))).code).toBe('forbidden_address')
  expect(remote.sockets.opened).toBe(0)
})

test('D064 production refuses every widening of the guard', () => {
  const base = { userAgent: 'test/1', mode: 'production', onRefused: () => {} } as const
  expect(() => createOutbound({ ...base, allowPrivate: true })).toThrow('allowPrivate')
  expect(() => createOutbound({ ...base, allowAddresses: ['127.77.0.0/16'] })).toThrow('allowAddresses')
  expect(() => createOutbound({ ...base, mode: 'test', allowAddresses: ['127.77.0.0/16'] })).toThrow(
    'needs allowPrivate',
  )
  expect(() => createOutbound({ ...base, mode: 'staging' as 'test' })).toThrow('mode')
  expect(() => createOutbound({ ...base, maxConnectionsPerHost: 0 })).toThrow('maxConnectionsPerHost')
  expect(() => createOutbound({ ...base, ports: [0] })).toThrow('ports')
  expect(() => createOutbound({ ...base, userAgent: 'a\r\nb' })).toThrow('userAgent')
})

test('D064 addresses of the operator are reached, also in production, and no others', async () => {
  const remote = await harness.remote((_request, response) => response.end('ok'))
  const named: Partial<OutboundOptions> = { mode: 'production', allowPrivate: false, allowAddresses: [], ports: 'any' }
  const client = harness.client({ ...named, operatorAddresses: ['127.77.0.1/32'] })
  expect((await client.request(get(`${remote.origin}/`))).status).toBe(200)
  for (const { port } of canaries)
    expect((await refusal(client.request(get(`http://127.0.0.1:${port}/`)))).code).toBe('forbidden_address')
  const other = harness.client({ ...named, operatorAddresses: ['127.78.0.0/16'] })
  expect((await refusal(other.request(get(`${remote.origin}/`)))).code).toBe('forbidden_address')
  expect(hits()).toBe(0)
  expect(() => harness.client({ ...named, operatorAddresses: ['everywhere'] })).toThrow('everywhere')
})

test('D058 production speaks https on ports 80 and 443 only', async () => {
  const client = createOutbound({ userAgent: 'test/1', mode: 'production', onRefused: () => {} })
  expect((await refusal(client.request(get('http://remote.example/')))).code).toBe('bad_url')
  expect((await refusal(client.request(get('https://remote.example:8443/')))).code).toBe('forbidden_address')
  await client.close()
})

test('D071 onRefused gets host and reason of each refusal, at every step', async () => {
  const heard: unknown[] = []
  const client = harness.client({ onRefused: (refusal) => heard.push(refusal) })
  const inside = await harness.remote((_request, response) => response.end('no'), '127.0.0.1')
  const remote = await harness.remote((_request, response) =>
    response.writeHead(302, { location: 'http://10.0.0.9/secret' }).end(),
  )
  harness.names.set('private.example', { addresses: ['10.0.0.7'], ttl: 0 })
  await refusal(client.request(get(`${inside.origin}/secret`)))
  await refusal(client.request(get(`${remote.origin}/`, { redirects: 1 })))
  await refusal(client.stream(get('http://private.example/secret')))
  await refusal(client.request(get('http://nowhere.example/')))
  await refusal(client.request(get('not a URL')))
  expect(heard).toEqual([
    { host: '127.0.0.1', reason: 'the address is not public' },
    { host: '10.0.0.9', reason: 'the address is not public' },
    { host: 'private.example', reason: 'an address is not public' },
  ])
})
