/** Sizes, times and faulty peers: bodies are bounded after decompression, and all waits by one deadline. */

import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { get, type Harness, openHarness, refusal } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await openHarness()
})
afterAll(() => harness.close())

const mebibyte = 1_048_576
const text = 'a text that is longer than nothing '.repeat(50)

test.each([
  ['gzip', gzipSync(text)],
  ['x-gzip', gzipSync(text)],
  ['deflate', deflateSync(text)],
  ['deflate', deflateRawSync(text)],
  ['br', brotliCompressSync(text)],
  ['identity', Buffer.from(text)],
  ['gzip, br', brotliCompressSync(gzipSync(text))],
])('a body in %s is decoded, whole and streamed', async (encoding, body) => {
  const remote = await harness.remote((_request, response) =>
    response.setHeader('content-encoding', encoding).end(body),
  )
  const answer = await harness.client().request(get(`${remote.origin}/`))
  expect(answer.body.toString()).toBe(text)
})

test('Accept-Encoding is sent for whole bodies, but not for streams', async () => {
  const remote = await harness.remote((request, response) => response.end(request.headers['accept-encoding']))
  const client = harness.client()
  expect((await client.request(get(`${remote.origin}/`))).body.toString()).toBe('gzip, deflate, br')
  const { body } = await client.stream(get(`${remote.origin}/`))
  expect(Buffer.concat(await body.toArray()).toString()).toBe('identity')
})

test('A127 a body of exactly the limit is accepted, one byte more is not, with and without Content-Length', async () => {
  const remote = await harness.remote((request, response) => {
    const size = Number(request.url!.slice(2))
    if (request.url![1] === 'a') response.setHeader('content-length', size)
    response.write(Buffer.alloc(size))
    response.end()
  })
  const client = harness.client()
  expect((await client.request(get(`${remote.origin}/a1000`, { maxBytes: 1000 }))).body).toHaveLength(1000)
  expect((await client.request(get(`${remote.origin}/c1000`, { maxBytes: 1000 }))).body).toHaveLength(1000)
  const errors = await Promise.all(
    ['/a1001', '/c1001'].map((path) => refusal(client.request(get(remote.origin + path, { maxBytes: 1000 })))),
  )
  expect(errors.map((error) => [error.code, error.retryable])).toEqual(Array(2).fill(['too_large', false]))
})

test('hostile 101 A127 an endless body is cut off at the limit', async () => {
  let sent = 0
  const remote = await harness.remote((_request, response) => {
    const more = () => {
      do sent += 65_536
      while (!response.destroyed && response.write(Buffer.alloc(65_536, ' ')))
    }
    response.on('drain', more)
    more()
  })
  expect((await refusal(harness.client().request(get(`${remote.origin}/`)))).code).toBe('too_large')
  expect(sent).toBeLessThan(64 * mebibyte)
})

test.each(['gzip', 'br', 'deflate'])('hostile 102 A127 a %s bomb is stopped at the limit', async (encoding) => {
  const zeros = Buffer.alloc(96 * mebibyte)
  const bomb = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync }[encoding]!
  const small = bomb(zeros)
  expect(small.length).toBeLessThan(mebibyte)
  const remote = await harness.remote((_request, response) =>
    response.setHeader('content-encoding', encoding).end(small),
  )
  const client = harness.client()
  const before = process.memoryUsage().rss
  expect((await refusal(client.request(get(`${remote.origin}/`)))).code).toBe('too_large')
  const { body } = await client.stream(get(`${remote.origin}/`))
  expect((await refusal(body.resume().toArray())).code).toBe('too_large')
  expect(process.memoryUsage().rss - before).toBeLessThan(50 * mebibyte)
})

test.each([
  ['A202 fifty encodings', Array(50).fill('gzip').join(', ')],
  ['A202 three encodings', 'gzip, gzip, gzip'],
  ['an encoding nobody asked for', 'zstd'],
  ['a name of the prototype', 'constructor'],
])('%s: the body is refused', async (_row, encoding) => {
  const remote = await harness.remote((_request, response) =>
    response.setHeader('content-encoding', encoding).end(gzipSync(text)),
  )
  expect((await refusal(harness.client().request(get(`${remote.origin}/`)))).code).toBe('protocol')
  expect((await refusal(harness.client().stream(get(`${remote.origin}/`)))).code).toBe('protocol')
})

test.each([
  ['flipped bytes', Buffer.from(gzipSync(text)).fill(0x55, 20, 40)],
  ['a body that stops early', gzipSync(text).subarray(0, 30)],
  ['no gzip at all', Buffer.from(text)],
])('F050 %s under content-encoding gzip', async (_what, body) => {
  const remote = await harness.remote((_request, response) => response.setHeader('content-encoding', 'gzip').end(body))
  expect(await refusal(harness.client().request(get(`${remote.origin}/`)))).toMatchObject({
    code: 'protocol',
    retryable: true,
  })
  const { body: stream } = await harness.client().stream(get(`${remote.origin}/`))
  await expect(stream.toArray()).rejects.toThrow()
})

test.each([
  ['closes at once', '', 'connect'],
  ['closes in the headers', 'HTTP/1.1 200 OK\r\nContent-', 'connect'],
  ['closes in the body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc', 'protocol'],
  ['closes in a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nabc', 'protocol'],
  ['speaks something else', 'SSH-2.0-OpenSSH_9.6\r\n', 'protocol'],
  ['gives two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd', 'protocol'],
  [
    'gives length and chunks',
    'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'protocol',
  ],
  ['gives a negative length', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n', 'protocol'],
  ['gives a bad chunk size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n', 'protocol'],
  ['sends 64 kB of headers', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(65_536)}\r\n\r\n`, 'too_large'],
  ['sends very many headers', `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(20_000)}\r\n`, 'too_large'],
])('F050 a peer that %s', async (_what, bytes, code) => {
  const remote = await harness.raw((socket) => socket.once('data', () => socket.end(bytes)))
  expect((await refusal(harness.client().request(get(`${remote.origin}/`)))).code).toBe(code)
})

test('A182 a header named __proto__ is only a header', async () => {
  const bytes = 'HTTP/1.1 200 OK\r\n__proto__: x\r\nconstructor: y\r\nLink: a\r\nLink: b\r\nContent-Length: 2\r\n\r\nok'
  const remote = await harness.raw((socket) => socket.once('data', () => socket.end(bytes)))
  const { headers } = await harness.client().request(get(`${remote.origin}/`))
  expect(Object.keys(headers).sort()).toEqual(['__proto__', 'constructor', 'content-length', 'link'])
  expect(headers.link).toBe('a, b')
  expect(({} as Record<string, unknown>).x).toBeUndefined()
})

test.each([
  ['never answers', (_socket: { write(text: string): void }) => {}],
  [
    'sends its headers byte by byte',
    (socket: { write(text: string): void }) => {
      socket.write('HTTP/1.1 200 OK\r\nX: ')
      drip(socket, 'a')
    },
  ],
  [
    'sends its body byte by byte',
    (socket: { write(text: string): void }) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      drip(socket, 'x')
    },
  ],
])('A107 D061 a peer that %s is given up at the deadline, not at the last byte', async (_what, behave) => {
  const remote = await harness.raw(behave)
  const client = harness.client()
  expect(await refusal(client.request(get(`${remote.origin}/`, { timeoutMs: 400 })))).toMatchObject({
    code: 'timeout',
    retryable: true,
  })
})

function drip(socket: { write(text: string): void; destroyed?: boolean }, text: string) {
  const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write(text)), 50)
}

test('A112 the caller can end a request at any time', async () => {
  const remote = await harness.raw(() => {})
  const asked = new AbortController()
  const work = refusal(harness.client().request(get(`${remote.origin}/`, { signal: asked.signal })))
  asked.abort(new Error('lost interest'))
  expect(await work).toMatchObject({ code: 'timeout', cause: new Error('lost interest') })
  expect((await refusal(harness.client().request(get(`${remote.origin}/`, { signal: asked.signal })))).code).toBe(
    'timeout',
  )
})

test.each([
  ['A201 a line break in a header', { headers: { 'x-a': 'a\r\nHost: b' } }],
  ['A201 a line break in a header name', { headers: { 'x\r\na': 'a' } }],
  ['a host header for another host', { headers: { host: 'other.example' } }],
  ['a transfer encoding', { headers: { 'transfer-encoding': 'chunked' } }],
  ['a false content length', { method: 'POST', body: 'abc', headers: { 'content-length': '1' } }],
  ['a fraction of a byte', { maxBytes: 0.5 }],
  ['no time', { timeoutMs: 0 }],
  ['too many redirects', { redirects: 4 }],
])('%s is refused as the caller’s mistake', async (_what, wrong) => {
  const remote = await harness.remote((_request, response) => response.end())
  const error = await refusal(harness.client().request(get(`${remote.origin}/`, wrong)))
  expect(error).toMatchObject({ code: 'protocol', retryable: false })
  expect(remote.seen).toEqual([])
})

test('D063 the message of an error contains no text of the remote server', async () => {
  const remote = await harness.raw((socket) => socket.once('data', () => socket.end('CANARY-TEXT / CANARY\r\n')))
  const error = await refusal(harness.client().request(get(`${remote.origin}/CANARY-PATH`)))
  expect(error.message).not.toContain('CANARY')
})

test('every status is a response, and a HEAD has no body', async () => {
  const remote = await harness.remote((request, response) => {
    response.writeHead(request.method === 'HEAD' ? 200 : 500, { 'content-length': '5', 'content-encoding': 'gzip' })
    response.end(request.method === 'HEAD' ? '' : gzipSync(''))
  })
  const answer = await harness.client().request({ ...get(`${remote.origin}/`), method: 'HEAD', maxBytes: 0 })
  expect([answer.status, answer.headers['content-length'], answer.body.length]).toEqual([200, '5', 0])
  const missing = await harness.remote((_request, response) => response.writeHead(404).end('gone'))
  expect((await harness.client().request(get(`${missing.origin}/`))).status).toBe(404)
})
