/** Unavailable services, slow clients and overload: quick refusals, no unauthorized access, and recovery. */
import { execFile } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { registry, startHost } from '@murmuration/kernel'
import { freePort, SOURCE_ARGS } from '@murmuration/testkit'
import { Pool } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app as gateway } from '../src/main.js'
import { type Harness, http, PASSWORD, startHarness } from './harness.js'

let harness: Harness
let alice = ''
beforeAll(async () => {
  harness = await startHarness()
  alice = await harness.createAccount('alice')
})
afterAll(() => harness.stop())
const lookup = '/api/v1/accounts/lookup?acct=alice'

test('F003 a request to a stopped service gets 503 with Retry-After at once, and other requests work', async () => {
  // The services notifications and admin do not run in this test.
  const answer = await harness.http('/api/v1/notifications', { token: alice })
  // A request that waited for a response would get 504 and `timeout`.
  expect([answer.status, answer.json().code]).toEqual([503, 'unavailable'])
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await harness.http(lookup)).status).toBe(200)
  const page = await harness.http('/privacy-policy')
  expect([page.status, page.headers.get('retry-after')]).toEqual([503, '1'])
  const json = await harness.http('/privacy-policy', { headers: { accept: 'application/json' } })
  expect([json.status, json.json().code, json.headers.get('retry-after')]).toEqual([503, 'unavailable', '1'])
  expect((await harness.http('/')).status).toBe(200)
})

test('D073 F003 without the accounts service requests with a token get 503, and those without one work', async () => {
  const others = harness.host.running.filter((one) => one.service === 'accounts')
  await Promise.all(others.map((one) => one.stop()))
  const home = await harness.http('/api/v1/timelines/home', { token: 'a-token-nobody-asked-for-before' })
  expect([home.status, home.json().code]).toEqual([503, 'unavailable'])
  expect((await harness.http('/nodeinfo/2.0', { token: alice })).status).toBe(200)
  expect((await harness.http('/manifest')).status).toBe(200)
  await harness.host.stop()
  await harness.restart()
  expect((await harness.http('/api/v1/timelines/home', { token: alice })).status).toBe(200)
})

test('D020 a token that is revoked at one gateway is refused by another within a second', async () => {
  const port = await freePort()
  const second = await startHost([{ app: gateway }], { ...harness.env, PORT: String(port) })
  try {
    const app = (
      await harness.http('/api/v1/apps', {
        json: { client_name: 'A', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob', scopes: 'read' },
      })
    ).json<{ client_id: string; client_secret: string }>()
    const { client_id, client_secret } = app
    const { access_token: token } = (
      await harness.http('/oauth/token', {
        json: {
          grant_type: 'password',
          client_id,
          client_secret,
          username: 'alice@mail.example',
          password: PASSWORD,
          scope: 'read',
        },
      })
    ).json<{ access_token: string }>()
    const at = (origin: string) => http(origin, '/api/v1/accounts/verify_credentials', { token })
    const other = `http://localhost:${port}`
    expect((await at(harness.origin)).status).toBe(200)
    expect((await at(other)).status).toBe(200)
    await harness.http('/oauth/revoke', { json: { client_id, client_secret, token } })
    await expect.poll(async () => (await at(other)).status, { interval: 20 }).toBe(401)
    const dead = await at(harness.origin)
    expect([dead.status, dead.json().error]).toEqual([401, 'The access token was revoked'])
    expect(dead.headers.get('www-authenticate')).toContain('error="invalid_token"')
  } finally {
    await second.stop()
  }
})

const opened = (count: number, first: string): Promise<Socket[]> =>
  Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<Socket>((resolve) => {
          const socket = connect(Number(harness.env.PORT), '127.0.0.1', () => {
            socket.write(first)
            resolve(socket)
          })
          socket.on('error', () => undefined)
        }),
    ),
  )

test('hostile 26 F072 clients that send one byte at a time are disconnected, and do not delay other requests', async () => {
  const slow = [
    ...(await opened(150, 'GET / HTTP/1.1\r\nHost: localhost\r\nX-')),
    ...(await opened(
      150,
      `POST /api/v1/statuses HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${alice}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"s`,
    )),
  ]
  let gone = 0
  for (const socket of slow) socket.on('close', () => gone++)
  const started = performance.now()
  const drip = setInterval(() => {
    for (const socket of slow) if (!socket.destroyed) socket.write('a')
  }, 2_000)
  const post = await harness.http('/api/v1/statuses', { token: alice, json: { status: 'meanwhile' } })
  expect(post.status).toBe(200)
  while (gone < slow.length && performance.now() - started < 120_000) {
    await pause(250)
    expect((await harness.http(lookup)).status).toBe(200)
  }
  clearInterval(drip)
  expect(gone).toBe(slow.length)
})

test('F071 every request of a burst gets 200, or 503 or 504 with Retry-After', async () => {
  const pool = new Pool(harness.origin, { connections: 400, pipelining: 1, headersTimeout: 60_000 })
  const seen = new Map<number, number>()
  let late = 0
  let bare = 0
  await Promise.all(
    Array.from({ length: 2_000 }, async (_, i) => {
      const at = performance.now()
      const { statusCode, headers, body } = await pool.request({
        method: 'GET',
        path: i % 2 ? lookup : '/api/v1/timelines/public',
      })
      await body.dump()
      if (performance.now() - at > 60_000) late++
      if (statusCode !== 200 && !headers['retry-after']) bare++
      seen.set(statusCode, (seen.get(statusCode) ?? 0) + 1)
    }),
  )
  await pool.close()
  // 504: admitted, but not answered before the deadline, as on a machine that runs other tests.
  expect([...seen.keys()].filter((status) => ![200, 503, 504].includes(status))).toEqual([])
  expect([late, bare]).toEqual([0, 0])
  expect(seen.get(200)).toBeGreaterThan(0)
  await expect.poll(async () => (await harness.http(lookup)).status).toBe(200)
})

test('D075 metrics count requests by surface and status, and contain no parameters', async () => {
  await harness.http('/api/v1/accounts/lookup?acct=secret-name')
  const text = await registry.metrics()
  expect(text).toMatch(/murmuration_http_requests_total\{surface="client",status="200"\} \d+/)
  expect(text).toMatch(/murmuration_http_requests_total\{surface="client",status="404"\} \d+/)
  expect(text).toMatch(/murmuration_http_request_seconds_bucket\{le="[\d.]+",surface="client"\} \d+/)
  expect(text).not.toContain('secret-name')
})

test('D045 the health port serves the route table in test mode, the public port does not', async () => {
  const rows = (await (await fetch(`http://127.0.0.1:${harness.host.healthPort}/routes`)).json()) as Record<
    string,
    unknown
  >[]
  expect(rows.find((row) => row.path === '/api/v1/timelines/home')).toMatchObject({
    method: 'GET',
    auth: 'user',
    scopes: ['read', 'read:statuses'],
    class: 'read',
  })
  expect((await harness.http('/routes')).status).toBe(404)
})

test('D023 rule 24: log lines contain the route, and no parameters, headers or bodies', async () => {
  const program = `
    const { startHost } = await import('@murmuration/kernel')
    const { app } = await import('@murmuration/gateway')
    const host = await startHost([{ app }])
    const ask = (path, options) => fetch('http://localhost:' + process.env.PORT + path, options).then((answer) => answer.text())
    await ask('/api/v1/timelines/home?access_token=TOKENMARK&max_id=1&q=QUERYMARK')
    await ask('/api/v1/timelines/tag/NAMEMARK', { headers: { authorization: 'Bearer TOKENMARK', cookie: 'a=COOKIEMARK', 'user-agent': 'AGENT\\u00e9MARK' } })
    await ask('/oauth/token', { method: 'POST', body: 'grant_type=password&username=MAILMARK&password=PASSMARK&client_secret=SECRETMARK', headers: { 'content-type': 'application/x-www-form-urlencoded' } })
    await ask('/@NAMEMARK')
    await host.stop()
    setTimeout(() => process.exit(0), 200)
  `
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...SOURCE_ARGS, '--input-type=module', '-e', program],
    {
      env: { ...process.env, ...harness.env, PORT: String(await freePort()), LOG_LEVEL: 'trace', HEALTH_PORT: '0' },
      cwd: import.meta.dirname,
    },
  )
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  const requests = lines.filter((line) => line.message === 'request')
  expect(requests.map((line) => [line.method, line.route, line.surface])).toEqual([
    ['GET', '/api/v1/timelines/home', 'client'],
    ['GET', '/api/v1/timelines/tag/:hashtag', 'client'],
    ['POST', '/oauth/token', 'client'],
    ['GET', '/@:username', 'client'],
  ])
  for (const line of requests)
    expect([typeof line.status, typeof line.ms, typeof line.requestId]).toEqual(['number', 'number', 'string'])
  expect(stdout).not.toContain('MARK')
})

test('D072 the response to an internal error contains an error text, a code and the request id, and nothing internal', async () => {
  const env = harness.env as Record<string, string>
  await harness.host.stop()
  env.FAULT_POINTS = ['accounts', 'statuses', 'media', 'federation'].map((one) => `${one}.beforeReply=throw`).join(',')
  await harness.restart()
  try {
    const asked: [path: string, options?: Parameters<Harness['http']>[1]][] = [
      [lookup],
      ['/api/v1/timelines/public'],
      ['/api/v1/custom_emojis'],
      ['/api/v1/timelines/home', { token: alice }],
      ['/api/v1/statuses', { token: alice, json: { status: 'x' } }],
      ['/api/v1/apps', { json: { client_name: 'A', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob' } }],
      ['/oauth/token', { json: { grant_type: 'client_credentials', client_id: 'x', client_secret: 'y' } }],
      ['/nodeinfo/2.0'],
      ['/.well-known/webfinger?resource=acct:alice@localhost'],
    ]
    const answers = await Promise.all(
      asked.map(async ([path, options]) => ({ path, answer: await harness.http(path, options) })),
    )
    expect(answers.filter(({ answer }) => answer.status >= 500).length).toBeGreaterThan(6)
    for (const { path, answer } of answers) {
      expect([path, answer.text]).toEqual([
        path,
        expect.not.stringMatching(
          /injected|beforeReply|\.ts\b|node_modules|\n\s+at |select |rpc\.|murmuration_|stack/i,
        ),
      ])
      if (answer.status < 500 || !path.startsWith('/api/')) continue
      expect([path, answer.headers.get('content-type')]).toEqual([path, 'application/json; charset=utf-8'])
      expect(Object.keys(answer.json()).sort()).toEqual(['code', 'error', 'request_id'])
      expect(answer.json().request_id).toBe(answer.headers.get('x-request-id'))
    }
    const page = await harness.http('/@alice', { headers: { accept: 'text/html' } })
    expect(page.status).toBeGreaterThanOrEqual(500)
    expect(page.text).not.toMatch(/injected|beforeReply|node_modules|\n\s+at |rpc\./)
  } finally {
    await harness.host.stop()
    delete env.FAULT_POINTS
    await harness.restart()
  }
  expect((await harness.http(lookup)).status).toBe(200)
})
