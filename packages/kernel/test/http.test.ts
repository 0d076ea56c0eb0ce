/** The HTTP server: responses to invalid requests, and limits of one connection. */
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startHealth } from '../src/health.js'
import { openServer, type SharedServer } from '../src/http.js'

let server: SharedServer
beforeAll(async () => {
  server = await openServer('127.0.0.1', 0, { https: true, socketsPerAddress: 100 })
  server.mount({
    service: 'gateway',
    matches: (path) => path === '/known',
    request: (req, res) => void res.end(`known at ${req.headers.host}${req.url}`),
    upgrade: (_req, socket) => void socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
  })
  server.mount({
    service: 'gateway',
    matches: (path) => path === '/echo',
    request: async (req, res) => void res.end(`echo of ${await text(req)}`),
  })
  server.mount({
    service: 'gateway',
    matches: (path) => path === '/slow',
    request: (_req, res) => void res.write('the beginning of an answer'),
  })
  server.complete()
})
afterAll(() => server.close(0))

/** Sends raw texts, each after a response to the previous one. Returns all received data until the server closes. */
const raw = (...texts: string[]): Promise<string> =>
  new Promise((resolve) => {
    let got = ''
    const socket = connect(server.port, '127.0.0.1', () => socket.write(texts.shift() ?? ''))
    socket.on('data', (chunk) => {
      got += chunk.toString()
      const next = texts.shift()
      if (next !== undefined) socket.write(next)
    })
    socket.on('close', () => resolve(got)).on('error', () => undefined)
  })

const parse = (text: string) => {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = new Headers(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  return { status: Number(first.split(' ')[1]), headers, body: JSON.parse(body) as Record<string, string> }
}

/** Sends a raw text like a client that neither reads nor closes. */
const stubborn = (text: string): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(text))
    const drip = setInterval(() => socket.write('x'), 100)
    socket.on('close', () => {
      clearInterval(drip)
      resolve()
    })
    socket.on('error', () => undefined)
  })

const lines = (count: number, size: number) =>
  Array.from({ length: count }, (_, i) => `X-${i}: ${'y'.repeat(size)}\r\n`).join('')

test.each([
  ['no request at all', 'hello\r\n\r\n', 400, 'invalid'],
  [
    'two lengths',
    'POST /known HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
    400,
    'invalid',
  ],
  ['headers of 64 KB', `GET /known HTTP/1.1\r\nHost: a\r\n${lines(1, 65_536)}\r\n`, 431, 'too_large'],
  ['two hundred headers', `GET /known HTTP/1.1\r\nHost: a\r\n${lines(200, 5)}\r\n`, 431, 'too_large'],
  [
    'an upgrade with two hundred headers',
    `GET /known HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${lines(200, 5)}\r\n`,
    431,
    'too_large',
  ],
  ['two Host lines', 'GET /known HTTP/1.1\r\nHost: a\r\nhOST: b\r\n\r\n', 400, 'invalid'],
  ['the same Host twice', 'GET /known HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n', 400, 'invalid'],
  ['a list of hosts', 'GET /known HTTP/1.1\r\nHost: a, b\r\n\r\n', 400, 'invalid'],
  ['a host with a user', 'GET /known HTTP/1.1\r\nHost: a@b\r\n\r\n', 400, 'invalid'],
  ['no Host', 'GET /known HTTP/1.1\r\nX: a\r\n\r\n', 400, 'invalid'],
  ['a target with an invalid host', 'GET http://a@b/known HTTP/1.1\r\nHost: a\r\n\r\n', 404, 'not_found'],
  [
    'two Authorization lines',
    'GET /known HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\nauthorization: Bearer b\r\n\r\n',
    400,
    'invalid',
  ],
  ['an unknown expectation', 'POST /known HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\n\r\n', 417, 'invalid'],
  [
    'an upgrade with two Host lines',
    'GET /known HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    400,
    'invalid',
  ],
  ['an unknown path', 'GET /other HTTP/1.1\r\nHost: a\r\n\r\n', 404, 'not_found'],
  [
    'an upgrade of an unknown path',
    'GET /other HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    404,
    'not_found',
  ],
])('D024 F073 A205 %s: refused as JSON with the headers that each response has', async (_what, text, status, code) => {
  const answer = parse(await raw(text))
  expect([answer.status, answer.body.code]).toEqual([status, code])
  expect(answer.body).toEqual({ error: expect.any(String), code, request_id: answer.headers.get('x-request-id') })
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; form-action 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'strict-transport-security': 'max-age=63072000; includeSubDomains',
    'cache-control': 'private, no-store',
    connection: 'close',
  })
  expect(answer.headers.get('server') ?? answer.headers.get('x-powered-by')).toBeNull()
})

test.each([
  ['another protocol', 'GET /known?a=1 HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk', 'a/known?a=1'],
  ['several other protocols', 'GET /known HTTP/1.1\r\nHost: a\r\nUpgrade: h2c, TLS/1.3', 'a/known'],
])('a request that offers %s is served as HTTP/1.1', async (_what, head, seen) => {
  const connection = /Upgrade:/.test(head) ? 'Connection: Upgrade, close' : 'Connection: close'
  const answer = await raw(`${head}\r\n${connection}\r\n\r\n`)
  expect([answer.split('\r\n')[0], answer.includes(`known at ${seen}`)]).toEqual(['HTTP/1.1 200 OK', true])
})

test.each(['h2c', 'websocket'])(
  'a body with an offer of %s is read, and the next request on the connection is served',
  async (protocol) => {
    const head = `Host: a\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\nContent-Length: 5`
    const next = 'GET /known HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
    const answer = await raw(`POST /echo HTTP/1.1\r\n${head}\r\n\r\nhello`, next)
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200'])
    expect(answer).toMatch(/echo of hello[\s\S]*known at a\/known/)
  },
)

test.each([
  ['GET http://b.example/known?a=1 HTTP/1.1', 'b.example/known?a=1'],
  ['GET HTTPS://B.example:8080/known HTTP/1.1', 'B.example:8080/known'],
])('the host of the target %s replaces the Host line', async (line, seen) => {
  const answer = await raw(`${line}\r\nHost: a\r\nConnection: close\r\n\r\n`)
  expect([answer.split('\r\n')[0], answer.includes(`known at ${seen}`)]).toEqual(['HTTP/1.1 200 OK', true])
})

test('a WebSocket among the offered protocols is opened', async () => {
  const head = 'GET /known HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c, WebSocket\r\n\r\n'
  expect(await raw(head)).toMatch(/^HTTP\/1\.1 101 /)
})

test('F082 while apps are starting, no request gets 404', async () => {
  const starting = await openServer('127.0.0.1', 0, { https: true, socketsPerAddress: 100 })
  try {
    const sendRequest = (path: string) => fetch(`http://127.0.0.1:${starting.port}${path}`)
    starting.mount({
      service: 'gateway',
      matches: (path) => path === '/streaming',
      request: (_req, res) => void res.end('streaming'),
    })
    const early = await sendRequest('/inbox')
    expect([early.status, early.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await early.json()).toMatchObject({ code: 'unavailable', request_id: expect.any(String) })
    expect(await (await sendRequest('/streaming')).text()).toBe('streaming')
    starting.mount({
      service: 'gateway',
      matches: (path) => path === '/inbox',
      request: (_req, res) => void res.end('inbox'),
    })
    expect(await (await sendRequest('/inbox')).text()).toBe('inbox')
    expect((await sendRequest('/other')).status).toBe(503)
    starting.complete()
    expect((await sendRequest('/other')).status).toBe(404)
  } finally {
    await starting.close(0)
  }
})

test('D024 a broken request after a complete response gets 400; in the middle of one the connection ends', async () => {
  const [first = '', second = ''] = (await raw('GET /known HTTP/1.1\r\nHost: a\r\n\r\n', 'nonsense\r\n\r\n')).split(
    'known at a/known',
  )
  expect(first).toMatch(/^HTTP\/1\.1 200 /)
  expect(parse(second).status).toBe(400)
  const cut = await raw('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n', 'nonsense\r\n\r\n')
  expect(cut).toContain('the beginning of an answer')
  expect(cut).not.toContain('malformed')
})

test('D024 D035 missing headers cause a timeout after ten seconds, with a JSON response', async () => {
  const started = performance.now()
  const answer = parse(await raw('GET /known HTTP/1.1\r\nHost: a\r\n'))
  expect([answer.status, answer.body.code]).toEqual([408, 'timeout'])
  expect(performance.now() - started).toBeGreaterThan(9_000)
})

test('F072 a client that does not read a refusal is disconnected', async () => {
  await stubborn('nonsense\r\n\r\n')
  await stubborn(`GET /known HTTP/1.1\r\nHost: a\r\n${lines(200, 5)}\r\n`)
  await stubborn('GET /other HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
})

test('D035 a connection serves a thousand requests, and the last response closes it', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const closed: number[] = []
  const sockets = new Set<unknown>()
  for (let n = 1; n <= 1_001; n++)
    await new Promise<void>((resolve, reject) => {
      const asked = request({ agent, port: server.port, host: '127.0.0.1', path: '/known' }, (answer) => {
        if (answer.headers.connection === 'close') closed.push(n)
        sockets.add(answer.socket)
        answer.resume().once('end', resolve)
      })
      asked.once('error', reject).end()
    })
  agent.destroy()
  expect([closed, sockets.size]).toEqual([[1_000], 2])
})

test.each(['//', 'http://[', '/\\', 'http://a:b/', '*'])(
  'the health port answers the target %s with 404',
  async (target) => {
    const health = await startHealth('127.0.0.1', 0)
    const answer = await new Promise<string>((resolve) => {
      let got = ''
      const socket = connect(health.port, '127.0.0.1', () =>
        socket.write(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`),
      )
      socket.on('data', (chunk) => {
        got += chunk.toString()
      })
      socket.on('close', () => resolve(got)).on('error', () => undefined)
    })
    expect(answer.split('\r\n')[0]).toBe('HTTP/1.1 404 Not Found')
    await health.close()
  },
)

test('the reasons of a failing liveness check are reported once', async () => {
  const reported: unknown[] = []
  const health = await startHealth('127.0.0.1', 0, (reasons) => reported.push(reasons))
  let reason: string | null = null
  health.addAlive(() => reason)
  const livez = async () => (await fetch(`http://127.0.0.1:${health.port}/livez`)).status
  expect(await livez()).toBe(200)
  reason = 'media.hang: no message ended for 300 seconds'
  expect([await livez(), await livez()]).toEqual([503, 503])
  expect(reported).toEqual([[reason]])
  await health.close()
})
