/** Files of the blob store as responses, while the store fails before or within the body. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { BlobError, type BlobStore } from '@murmuration/blob'
import type { Failure } from '@murmuration/contracts/kit'
import type { Request, Response } from 'express'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendBlob } from './blob-response.js'

const SIZE = 100_000
const away = new BlobError('unavailable', 'the bucket cannot be used')
const head = { size: SIZE, contentType: 'image/png', etag: '"x"', lastModified: new Date(0) }
let store: Pick<BlobStore, 'head' | 'get'>
let server: Server
let origin = ''
beforeAll(async () => {
  server = createServer(async (req, res) => {
    const ctx = { blobs: store as BlobStore }
    try {
      const isSent = await sendBlob(ctx, req as Request, res as Response, 'media/x', () => {
        res.setHeader('Cache-Control', 'public, immutable')
      })
      if (!isSent) res.writeHead(404, { 'X-Headers': res.getHeaderNames().join() }).end()
    } catch (error) {
      const { code, extras } = error as Failure
      res
        .writeHead(503, { 'X-Headers': res.getHeaderNames().join(), 'Retry-After': String(extras.retryAfter) })
        .end(code)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const whole = async () => ({ ...head, body: Readable.from([Buffer.alloc(SIZE)]) })
const REQUESTS: [string, RequestInit][] = [
  ['the whole file', {}],
  ['a part', { headers: { range: 'bytes=10-99' } }],
]

test.each(REQUESTS)(
  'a store that fails when %s is opened causes 503 without the headers of the file',
  async (_what, init) => {
    store = { head: async () => head, get: () => Promise.reject(away) }
    const response = await fetch(origin, init)
    expect([response.status, response.headers.get('retry-after'), response.headers.get('x-headers')]).toEqual([
      503,
      '5',
      '',
    ])
    expect(await response.text()).toBe('unavailable')
  },
)

test.each(REQUESTS)('a file that disappears before %s is opened is not found', async (_what, init) => {
  store = { head: async () => head, get: async () => null }
  const response = await fetch(origin, init)
  expect([response.status, response.headers.get('x-headers')]).toEqual([404, ''])
})

test.each(REQUESTS)('a body that breaks off while %s is sent cuts the connection', async (_what, init) => {
  async function* broken() {
    yield Buffer.alloc(50)
    throw new Error('aborted')
  }
  store = { head: async () => head, get: async () => ({ ...head, body: Readable.from(broken()) }) }
  const response = await fetch(origin, init)
  await expect(response.arrayBuffer()).rejects.toThrow()
})

test('a file is sent whole, in part, without body for HEAD, and not again if it is unchanged', async () => {
  store = { head: async () => head, get: whole }
  const complete = await fetch(origin)
  expect([complete.status, (await complete.arrayBuffer()).byteLength]).toEqual([200, SIZE])
  store = { head: async () => head, get: () => Promise.reject(away) }
  const unchanged = await fetch(origin, { headers: { 'if-none-match': '"x"' } })
  const beyond = await fetch(origin, { headers: { range: `bytes=${SIZE}-` } })
  const empty = await fetch(origin, { method: 'HEAD' })
  expect([unchanged.status, beyond.status, empty.status, empty.headers.get('content-length')]).toEqual([
    304,
    416,
    200,
    String(SIZE),
  ])
})
