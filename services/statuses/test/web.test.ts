/** HTTP client: an unreachable host is not tried again for a while, at any address. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OutboundOptions } from '@murmuration/outbound'
import { afterEach, expect, test } from 'vitest'
import { createWeb } from '../src/core/web.client.js'

const page = { accept: 'text/html', maxBytes: 1_000, timeoutMs: 5_000 }
const options: OutboundOptions = {
  userAgent: 'test',
  mode: 'test',
  allowPrivate: true,
  allowAddresses: ['127.0.0.0/8'],
  allowHttp: true,
  onRefused: () => undefined,
}
let now = 1_000
const web = createWeb(
  options,
  options,
  () => true,
  () => now,
)

let server: Server | undefined
const open = async (port: number, answer: { status: number; location?: string } = { status: 200 }): Promise<number> => {
  const { status, ...headers } = answer
  server = createServer((_req, res) => res.writeHead(status, headers).end('here')).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
const close = async (): Promise<void> => {
  server?.closeAllConnections()
  server?.close()
  if (server?.listening) await once(server, 'close')
}
afterEach(close)
const read = (port: number, path: string) =>
  web.read(`http://127.0.0.1:${port}${path}`, page).then(
    ({ text }) => text,
    (error) => error.code,
  )

test('an unreachable host is not tried for ten seconds, and then it is', async () => {
  const port = await open(0)
  await close()
  expect(await read(port, '/one')).toBe('connect')
  await open(port)
  expect(await read(port, '/two')).toBe('connect')
  now += 10_100
  expect(await read(port, '/two')).toBe('here')
})

test('a host that redirects to an unreachable one is tried again', async () => {
  const gone = await open(0)
  await close()
  const port = await open(0, { status: 302, location: `http://127.0.0.1:${gone}/` })
  expect(await read(port, '/')).toBe('connect')
  await close()
  await open(port)
  expect(await read(port, '/')).toBe('here')
})

test('a host that redirects to a silent one does not count as silent, and the silent one gets four requests at once', async () => {
  const requests: string[] = []
  const silent = createServer((req) => void requests.push(req.url ?? '')).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const location = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`
  const shortener = createServer((req, res) =>
    req.url === '/page' ? res.end('here') : res.writeHead(302, { location: location + req.url?.slice(1) }).end(),
  ).listen(0, '127.0.0.1')
  await once(shortener, 'listening')
  const { port } = shortener.address() as AddressInfo
  const failures: string[] = []
  const reads = Array.from({ length: 8 }, (_, n) =>
    web
      .read(`http://127.0.0.1:${port}/${n}`, { ...page, timeoutMs: 60_000 })
      .catch((error: Error) => void failures.push(error.name)),
  )
  await expect.poll(() => requests.length, { timeout: 20_000 }).toBe(4)
  expect(await read(port, '/page')).toBe('here')
  await expect.poll(() => failures, { timeout: 20_000 }).toEqual(Array(4).fill('NotResponding'))
  for (const one of [silent, shortener]) {
    one.closeAllConnections()
    one.close()
  }
  await Promise.all(reads)
  expect(failures.slice(4)).toEqual(Array(4).fill('OutboundError'))
  expect(requests).toHaveLength(4)
})

test('a redirect within a host keeps its slot, although other requests wait for one', async () => {
  const requests: string[] = []
  const held: (() => void)[] = []
  const host = createServer((req, res) => {
    requests.push(req.url ?? '')
    const from = /^\/from\/(\d+)$/.exec(req.url ?? '')
    if (from) held.push(() => res.writeHead(302, { location: `/to/${from[1]}` }).end())
    else if (req.url?.startsWith('/to/')) held.push(() => res.end('here'))
    else res.end('here')
  }).listen(0, '127.0.0.1')
  await once(host, 'listening')
  const { port } = host.address() as AddressInfo
  const wide = createWeb(
    { ...options, maxConnectionsPerHost: 12 },
    options,
    () => true,
    () => now,
    60_000,
  )
  const readWide = (path: string) =>
    wide.read(`http://127.0.0.1:${port}${path}`, { ...page, timeoutMs: 60_000 }).then(
      ({ text }) => text,
      (error) => error.name,
    )
  // A host that has responded gets twelve requests at once.
  expect(await readWide('/page')).toBe('here')
  const reads = Array.from({ length: 12 }, (_, n) => readWide(`/from/${n}`))
  await expect.poll(() => requests.length, { timeout: 20_000 }).toBe(13)
  const waiting = readWide('/waiting')
  held[0]?.()
  await expect.poll(() => requests.length, { timeout: 20_000 }).toBe(14)
  expect(requests.at(-1)).toMatch(/^\/to\//)
  for (const respond of held.slice(1)) respond()
  await expect.poll(() => held.length, { timeout: 20_000 }).toBe(24)
  for (const respond of held.slice(12)) respond()
  expect(await Promise.all([...reads, waiting])).toEqual(Array(13).fill('here'))
  await wide.close()
  host.closeAllConnections()
  host.close()
})

test('a host that does not respond gets four requests at once, and delays no request to another host', async () => {
  const patient = { ...page, timeoutMs: 60_000 }
  const requests: string[] = []
  const silent = createServer((req) => void requests.push(req.url ?? '')).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port: away } = silent.address() as AddressInfo
  const reads = [1, 2, 3, 4, 5].map((n) =>
    web.read(`http://127.0.0.1:${away}/${n}`, patient).catch((error) => error.name),
  )
  expect(await read(await open(0), '/')).toBe('here')
  expect(await reads[4]).toBe('NotResponding')
  await expect.poll(() => requests.length, { timeout: 20_000 }).toBe(4)
  silent.closeAllConnections()
  silent.close()
  expect(await Promise.all(reads.slice(0, 4))).toEqual(Array(4).fill('OutboundError'))
})
