/** Event streams over HTTP: every documented path, its events and refusals. */
import { openApiDocument } from '@murmuration/contracts/openapi'
import { allEventStreams } from '@murmuration/contracts/registry'
import { type EventSource, openEventSource } from '@murmuration/testkit/ws/event-source'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'

/** Members of every error of the API. */
const refusalOf = (error: string, code: unknown) => ({
  error,
  code,
  request_id: expect.stringMatching(/^[\w-]{8,64}$/),
})

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
  harness.lists.set('71', '1')
})
afterAll(() => harness.stop())

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const connect = (
  path: string,
  more: { fakeAccount?: string; scopes?: string[]; lastEventId?: string } = {},
): Promise<EventSource> =>
  openEventSource(`${harness.origin}${path}`, {
    token: harness.token(more.fakeAccount ?? '1', more.scopes),
    ...(more.lastEventId === undefined ? {} : { lastEventId: more.lastEventId }),
  })

const subjects: Record<string, [string, 'update' | 'conversation' | 'notification']> = {
  user: ['live.user.1', 'update'],
  'user:notification': ['live.user.1', 'notification'],
  direct: ['live.user.1', 'conversation'],
  public: ['live.public.remote', 'update'],
  'public:local': ['live.public.local', 'update'],
  'public:remote': ['live.public.remote', 'update'],
  hashtag: [`live.tag.${Buffer.from('cats').toString('base64url')}`, 'update'],
  'hashtag:local': [`live.tag.${Buffer.from('cats').toString('base64url')}`, 'update'],
  list: ['live.list.71', 'update'],
}

test.each(allEventStreams().flatMap((one) => (one.stream === null ? [] : [[one.http.path, one.stream] as const])))(
  'S-002 S-189 %s opens %s',
  async (path, name) => {
    const source = await connect(`${path}?tag=Cats&list=71`)
    expect(source.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'private, no-store',
      'access-control-allow-origin': '*',
    })
    await source.comments.reached(1)
    expect(source.comments.all[0]).toBe(')')
    const [subject, e] = subjects[name] ?? ['', 'update']
    await harness.listening()
    harness.publish('statuses', subject, { e, id: '5', local: true, media: false })
    expect(await source.next(e)).toMatchObject({ event: e, payload: { id: '5' } })
    await source.close()
  },
)

test('the OpenAPI document lists the addresses with their scopes', () => {
  const { paths } = openApiDocument({ origin: 'https://here.example' }) as unknown as {
    paths: Record<string, { get: Record<string, unknown> }>
  }
  for (const { http, viewer } of allEventStreams()) {
    expect(http.method).toBe('GET')
    expect(paths[http.path]?.get).toMatchObject({ 'x-auth': viewer.kind, 'x-scopes': viewer.scopes })
  }
  expect(Object.keys(paths).filter((path) => path.startsWith('/api/v1/streaming')).length).toBe(11)
})

test('events without a payload have the data undefined, and heartbeats are comments', async () => {
  const source = await connect('/api/v1/streaming/user')
  await harness.listening()
  harness.publish('statuses', 'live.user.1', { e: 'filters_changed' })
  expect(await source.next('filters_changed')).toMatchObject({ text: 'undefined', id: expect.stringMatching(/^\d+$/) })
  await source.close()
})

test('only_media is true for everything but the known false values', async () => {
  for (const [value, wanted] of [
    ['true', ['2']],
    ['yes', ['2']],
    ['0', ['1', '2']],
    ['off', ['1', '2']],
    ['F', ['1', '2']],
  ] as const) {
    const source = await connect(`/api/v1/streaming/public?only_media=${value}`)
    await harness.listening()
    harness.publish('statuses', 'live.public.local', { e: 'update', id: '1', media: false })
    harness.publish('statuses', 'live.public.local', { e: 'update', id: '2', media: true })
    await source.events.reached(wanted.length)
    await wait(50)
    expect(source.events.all.map((one) => (one.payload as { id: string }).id)).toEqual(wanted)
    await source.close()
  }
})

test('refusals are JSON with the reason', async () => {
  const sendRequest = async (path: string, token?: string) => {
    const answer = await fetch(`${harness.origin}/api/v1/streaming${path}`, {
      headers: token ? { authorization: `Bearer ${token}` } : {},
    })
    const body = (await answer.json()) as { error: string; code: string; request_id: string }
    expect(body).toEqual(refusalOf(body.error, expect.stringMatching(/^[a-z_]+$/)))
    expect(body.request_id).toBe(answer.headers.get('x-request-id'))
    return [answer.status, body.error]
  }
  const [good, narrow] = [harness.token('1'), harness.token('1', ['read:notifications'])]
  expect(await sendRequest('/user')).toEqual([401, 'Missing access token'])
  expect(await sendRequest('/user', 'unknown')).toEqual([401, 'Invalid access token'])
  expect(await sendRequest('/user', narrow)).toEqual([401, 'Access token does not have the required scopes'])
  expect(await sendRequest('/nowhere', good)).toEqual([400, 'Unknown channel requested'])
  expect(await sendRequest('/hashtag', good)).toEqual([400, 'Missing tag name parameter'])
  expect(await sendRequest('/hashtag/local?tag=', good)).toEqual([400, 'Missing tag name parameter'])
  expect(await sendRequest('/list', good)).toEqual([400, 'Missing list name parameter'])
  expect(await sendRequest('/list?list=72', good)).toEqual([401, 'Not authorized to stream this list'])
  expect(await sendRequest('/list?list=71', harness.token('2'))).toEqual([401, 'Not authorized to stream this list'])
  expect(await sendRequest('')).toEqual([404, 'Not Found'])
})

describe('methods', () => {
  const sendRequest = (method: string, path: string, token = harness.token('1')) =>
    fetch(`${harness.origin}${path}`, { method, headers: { authorization: `Bearer ${token}` } })

  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    test.each(['/user', '/public', '/health', '/nowhere', ''])(`${method} of %j is not found`, async (path) => {
      const refused = await sendRequest(method, `/api/v1/streaming${path}`)
      expect([refused.status, await refused.json()]).toEqual([404, refusalOf('Not Found', 'not_found')])
    })
  test('HEAD has the status and the headers of GET, and opens no stream', async () => {
    const opened = await sendRequest('HEAD', '/api/v1/streaming/user')
    expect([opened.status, opened.headers.get('content-type'), await opened.text()]).toEqual([
      200,
      'text/event-stream',
      '',
    ])
    expect((await sendRequest('HEAD', '/api/v1/streaming/user', 'unknown')).status).toBe(401)
    expect((await sendRequest('HEAD', '/api/v1/streaming/health')).status).toBe(200)
  })
  test('a path that only begins like those of streams belongs to no stream', async () => {
    for (const path of ['/api/v1/streamings', '/api/v1/streaming-api/user']) {
      const refused = await sendRequest('GET', path)
      expect([refused.status, await refused.json()]).toMatchObject([404, { code: 'not_found' }])
    }
  })
})

test('S-024 a blocked IP address opens no stream', async () => {
  const token = harness.token('1')
  const sendRequest = () =>
    fetch(`${harness.origin}/api/v1/streaming/user`, { headers: { authorization: `Bearer ${token}` } })
  const refused = await harness.withIpBlock(sendRequest)
  expect([refused.status, await refused.json()]).toEqual([403, refusalOf('Forbidden', 'forbidden')])
  const source = await connect('/api/v1/streaming/user')
  await source.close()
})

test('the health endpoint needs no token and allows any origin', async () => {
  const health = await fetch(`${harness.origin}/api/v1/streaming/health`)
  expect(health.headers.get('x-content-type-options')).toBe('nosniff')
  expect(health.headers.get('referrer-policy')).toBe('same-origin')
  expect([health.status, health.headers.get('content-type'), await health.text()]).toEqual([200, 'text/plain', 'OK'])
  const preflight = await fetch(`${harness.origin}/api/v1/streaming/user`, { method: 'OPTIONS' })
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
})

test('a resumed stream continues after its last event', async () => {
  const first = await connect('/api/v1/streaming/user', { fakeAccount: '8' })
  await harness.listening()
  harness.publish('statuses', 'live.user.8', { e: 'delete', id: '1' })
  const { id } = await first.next('delete')
  await first.close()
  for (const missed of ['2', '3']) harness.publish('statuses', 'live.user.8', { e: 'delete', id: missed })
  await harness.logged()
  const again = await connect('/api/v1/streaming/user', { fakeAccount: '8', lastEventId: id ?? '' })
  await again.events.reached(2)
  expect(again.events.all.map((one) => one.text)).toEqual(['2', '3'])
  await again.close()
})

test('a revoked token closes its streams', async () => {
  const token = harness.token('1')
  const source = await openEventSource(`${harness.origin}/api/v1/streaming/user`, { token })
  harness.revoke(token)
  await source.closed
  await expect(openEventSource(`${harness.origin}/api/v1/streaming/user`, { token })).rejects.toMatchObject({
    status: 401,
  })
})
