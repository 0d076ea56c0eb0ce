/** Redirects: each hop is a new guarded request, with its own headers, and there are at most three. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { get, type Harness, openHarness, refusal } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await openHarness()
})
afterAll(() => harness.close())

/** A server that redirects by `steps` (path → location) and responds 200 to other paths. */
const redirecting = (steps: Record<string, string>, status = 302) =>
  harness.remote((request, response) => {
    const location = steps[request.url!]
    if (location === undefined) response.end('arrived')
    else response.writeHead(status, { location }).end('moved')
  })

test.each([301, 302, 303, 307, 308])('three redirects by %i are followed, relative ones too', async (status) => {
  const remote = await redirecting({ '/a': '/b', '/b': 'c', '/c': '//HOST/d?x=1' }, status)
  const there = await redirecting({ '/a': '/b', '/b': 'c', '/c': `//127.77.0.1:${remote.port}/d?x=1#frag` }, status)
  const answer = await harness.client().request(get(`${there.origin}/a`, { redirects: 3 }))
  expect(answer.body.toString()).toBe('arrived')
  expect(answer.url).toBe(`${remote.origin}/d?x=1`)
})

test('a redirect to an address with spaces and letters of any script is followed', async () => {
  const bytes = Buffer.from('/a b/gr\u00fc\u00dfe 1.png?x=y z').toString('latin1')
  const remote = await redirecting({ '/a': bytes })
  const answer = await harness.client().request(get(`${remote.origin}/a`, { redirects: 3 }))
  expect(answer.body.toString()).toBe('arrived')
  expect(answer.url).toBe(`${remote.origin}/a%20b/gr%C3%BC%C3%9Fe%201.png?x=y%20z`)
})

test.each([
  ['A107 F048 a loop', { '/a': '/b', '/b': '/a' }, 2],
  ['A108 a loop on itself', { '/a': '/a' }, 1],
  ['A107 four hops', { '/a': '/b', '/b': '/c', '/c': '/d', '/d': '/e' }, 4],
])('hostile 98 %s ends with a redirect error', async (_row, steps, requests) => {
  const remote = await redirecting(steps)
  const error = await refusal(harness.client().request(get(`${remote.origin}/a`, { redirects: 3 })))
  expect(error).toMatchObject({ code: 'redirect', retryable: false })
  expect(remote.seen).toHaveLength(requests)
})

test('A108 endless redirects with changing queries are counted too', async () => {
  let n = 0
  const remote = await harness.remote((_request, response) => response.writeHead(302, { location: `/?${n++}` }).end())
  expect((await refusal(harness.client().request(get(`${remote.origin}/`, { redirects: 3 })))).code).toBe('redirect')
  expect(remote.seen).toHaveLength(4)
})

test.each(['POST', 'PUT', 'DELETE'] as const)('F048 D060 a redirect of a %s is not followed', async (method) => {
  const other = await redirecting({})
  const remote = await redirecting({ '/inbox': `${other.origin}/inbox` }, 307)
  const answer = await harness
    .client()
    .request({ ...get(`${remote.origin}/inbox`, { redirects: 3, body: '{}' }), method })
  expect(answer.status).toBe(307)
  expect(other.sockets.opened).toBe(0)
})

test('D060 redirects are not followed by default', async () => {
  const remote = await redirecting({ '/a': '/b' })
  const answer = await harness.client().request(get(`${remote.origin}/a`))
  expect([answer.status, answer.headers.location, answer.body.toString()]).toEqual([302, '/b', 'moved'])
})

test.each([
  ['A111 to loopback', 'http://127.0.0.1:PORT/', 'forbidden_address'],
  ['A111 to IPv6 loopback', 'http://[::1]:PORT/', 'forbidden_address'],
  ['A107 to a private address', 'http://10.0.0.9/', 'forbidden_address'],
  ['A111 to a name inside', 'http://inside.example:PORT/', 'forbidden_address'],
  ['A110 to data', 'data:text/plain,x', 'bad_url'],
  ['A110 to a file', 'file:///etc/passwd', 'bad_url'],
  ['A105 with user info', 'http://a@127.77.0.1/', 'bad_url'],
  ['A105 with a backslash', '/\\127.0.0.1:PORT/', 'redirect'],
  ['to nonsense', 'http://[', 'redirect'],
  ['to a host with a space', 'http://127.77.0.1 x:PORT/', 'redirect'],
])('hostile 98 %s: a redirect is refused and nothing is reached', async (_row, location, code) => {
  const canary = await harness.canary('127.0.0.1')
  harness.names.set('inside.example', { addresses: ['127.0.0.1'] })
  const remote = await redirecting({ '/a': location.replace('PORT', String(canary.port)) })
  const client = harness.client()
  expect((await refusal(client.request(get(`${remote.origin}/a`, { redirects: 3 })))).code).toBe(code)
  expect((await refusal(client.stream(get(`${remote.origin}/a`, { redirects: 3 })))).code).toBe(code)
  expect(canary.accepted.count).toBe(0)
})

test('hostile 98 A107 a redirect from https to http is refused', async () => {
  const plain = await redirecting({})
  harness.names.set('secure.example', { addresses: ['127.77.0.1'] })
  const remote = await harness.secureRemote(
    (_request, response) => response.writeHead(302, { location: `${plain.origin}/x` }).end(),
    { names: ['secure.example'] },
  )
  expect((await refusal(harness.client().request(get(`${remote.origin}/a`, { redirects: 3 })))).code).toBe('redirect')
  expect(plain.sockets.opened).toBe(0)
})

test('A111 A200 the request after a redirect has no header that was made for the first request', async () => {
  const heads: NodeJS.Dict<string | string[]>[] = []
  const other = await harness.remote((request, response) => {
    heads.push(request.headers)
    response.end('ok')
  })
  const remote = await redirecting({ '/a': `${other.origin}/b` })
  const headers = {
    Host: `127.77.0.1:${remote.port}`,
    Authorization: 'Bearer secret',
    Cookie: 'a=b',
    Signature: 'keyId="x"',
    'Signature-Input': 'sig1=()',
    Date: 'now',
    Digest: 'SHA-256=',
    'X-Kept': 'yes',
  }
  await harness
    .client()
    .request(get(`${remote.origin}/a`, { redirects: 3, headers, accept: 'application/activity+json' }))
  const [first] = heads
  expect(Object.keys(first!).sort()).toEqual([
    'accept',
    'accept-encoding',
    'connection',
    'host',
    'user-agent',
    'x-kept',
  ])
  expect(first!.host).toBe(`127.77.0.1:${other.port}`)
  expect(first!.accept).toBe('application/activity+json')
})

test('A111 the caller signs each request for its host, after the address check', async () => {
  const signatures: unknown[] = []
  const other = await harness.remote((request, response) => {
    signatures.push(request.headers.signature)
    response.end('ok')
  })
  const remote = await redirecting({ '/a': `${other.origin}/b`, '/c': 'http://10.0.0.9/' })
  const asked: string[] = []
  const onRedirect = async (url: URL) => {
    asked.push(url.href)
    return { signature: `for ${url.host}` }
  }
  const client = harness.client()
  await client.request(get(`${remote.origin}/a`, { redirects: 3, headers: { signature: 'first' }, onRedirect }))
  expect(signatures).toEqual([`for 127.77.0.1:${other.port}`])
  await refusal(client.request(get(`${remote.origin}/c`, { redirects: 3, onRedirect })))
  expect(asked).toEqual([`${other.origin}/b`])
})

test('A112 the time limit covers all hops together', async () => {
  const remote = await harness.remote((request, response) => {
    setTimeout(() => response.writeHead(302, { location: `${request.url}x` }).end(), 200)
  })
  // Four hops of 200 ms: a limit for each of them would end with too many redirects.
  const error = await refusal(harness.client().request(get(`${remote.origin}/a`, { redirects: 3, timeoutMs: 500 })))
  expect(error.code).toBe('timeout')
})

test('the body of a redirect is not read', async () => {
  const remote = await harness.remote((request, response) => {
    if (request.url === '/b') return response.end('arrived')
    response.writeHead(302, { location: '/b' })
    return response.end(Buffer.alloc(4_000_000))
  })
  const answer = await harness.client().request(get(`${remote.origin}/a`, { redirects: 1, maxBytes: 7 }))
  expect(answer.body.toString()).toBe('arrived')
})

test('an error says how far the last hop came', async () => {
  const client = harness.client()
  const silent = await harness.remote(() => {})
  const slow = await harness.remote((_request, response) => response.writeHead(200).write('a'))
  const moved = await redirecting({ '/a': `${silent.origin}/b` })
  const stageOf = async (url: string) =>
    (await refusal(client.request({ ...get(url, { redirects: 3 }), timeoutMs: 300 }))).stage
  expect(await stageOf(`${silent.origin}/a`)).toBe('sent')
  expect(await stageOf(`${moved.origin}/a`)).toBe('sent')
  expect(await stageOf(`${slow.origin}/a`)).toBe('responded')
  expect(await stageOf('https://nowhere.test/')).toBe('unsent')
})
