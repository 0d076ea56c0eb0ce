/** The edge over HTTP: authorization and its order, forms of requests, and headers of responses. */
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
let alice = ''
let reader = ''
beforeAll(async () => {
  harness = await startHarness()
  alice = await harness.createAccount('alice')
  reader = await harness.createAccount('reader', 'read:accounts')
})
afterAll(() => harness.stop())

const ASKED = { access_token: '' }
/** Sends raw bytes. Returns the received text when the server closes the connection, or after 500 ms without data. */
const raw = (text: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(harness.origin).port), '127.0.0.1', () => socket.write(text))
    let got = ''
    socket.setTimeout(500, () => socket.destroy())
    socket.on('data', (chunk) => {
      got += chunk.toString()
    })
    socket.on('close', () => resolve(got)).on('error', () => undefined)
  })

test.each([
  ['no token', '/api/v1/accounts/verify_credentials', '', 401, 'The access token is invalid'],
  ['an unknown token', '/api/v1/accounts/verify_credentials', 'nonsense', 401, 'The access token is invalid'],
  ['an unknown token where none is needed', '/api/v1/accounts/lookup?acct=alice', 'nonsense', 200, undefined],
  [
    'a token without the scope',
    '/api/v1/timelines/home',
    'reader',
    403,
    'This action is outside the authorized scopes',
  ],
  [
    'a token without the scope for an unknown record',
    '/api/v1/statuses/1/source',
    'reader',
    403,
    'This action is outside the authorized scopes',
  ],
  ['no such record', '/api/v1/accounts/1', 'alice', 404, 'Record not found'],
  ['an invalid id', '/api/v1/accounts/1;drop', 'alice', 404, 'Record not found'],
  ['an id with too many digits', `/api/v1/accounts/${'9'.repeat(40)}`, 'alice', 404, 'Record not found'],
  [
    'a missing parameter',
    '/api/v1/accounts/lookup',
    '',
    400,
    'param is missing or the value is empty or invalid: acct',
  ],
  ['a staff route without a token', '/api/v1/admin/reports', '', 403, 'This action is not allowed'],
])('S-168 S-174 D039 %s', async (_name, path, who, status, error) => {
  const token = { alice, reader, nonsense: 'nonsense' }[who]
  const answer = await harness.http(path, token ? { token } : {})
  expect([answer.status, answer.json().error]).toEqual([status, error])
})

test('S-168 the token is accepted in the header, the query or a small form, not in a cookie (D014)', async () => {
  const path = '/api/v1/accounts/verify_credentials'
  expect((await harness.http(path, { token: alice })).status).toBe(200)
  expect((await harness.http(`${path}?access_token=${alice}`)).status).toBe(200)
  expect((await harness.http(path, { headers: { cookie: `access_token=${alice}` } })).status).toBe(401)
  const form = { method: 'POST', body: new URLSearchParams({ bearer_token: alice, status: 'hello' }) }
  expect((await harness.http('/api/v1/statuses', form)).status).toBe(200)
})

test('a caller without permission gets 403 or 401 before errors of the body', async () => {
  const broken = { method: 'POST', body: '{"status":', headers: { 'content-type': 'application/json' } }
  expect((await harness.http('/api/v1/statuses', broken)).status).toBe(401)
  expect((await harness.http('/api/v1/statuses', { ...broken, token: reader })).status).toBe(403)
  const answer = await harness.http('/api/v1/statuses', { ...broken, token: alice })
  expect([answer.status, answer.json().error]).toEqual([400, 'The body is not valid JSON'])
})

test('paths may end in a slash and are decoded as UTF-8, and unknown parameters are ignored', async () => {
  const token = { token: alice }
  const posted = await harness.http('/api/v1/statuses/', {
    ...token,
    json: { status: 'drink #café', unknown: { a: 1 } },
  })
  expect(posted.status).toBe(200)
  await harness.waitForIdle()
  const found = await harness.http('/api/v1/timelines/tag/caf%C3%A9/?limit=1&limit=2&local=1&unknown[a]=b', token)
  expect(found.json<{ id: string }[]>().map((one) => one.id)).toEqual([posted.json().id])
  expect((await harness.http('/api/v1/timelines/tag/%ff', token)).status).toBe(404)
})

test('S-104 a streaming request is not found here if streaming has the host of this server', async () => {
  for (const path of ['/api/v1/streaming', '/api/v1/streaming/user', '/api/v1/streaming/public?only_media=true']) {
    const { status, headers } = await harness.http(path, { token: alice })
    expect([path, status, headers.get('location')]).toEqual([path, 404, null])
  }
})

test('S-084 lists have a Link header with the next and previous page', async () => {
  for (const status of ['one', 'two', 'three'])
    await harness.http('/api/v1/statuses', { token: alice, json: { status } })
  const me = (await harness.http('/api/v1/accounts/verify_credentials', { token: alice })).json().id
  const page = await harness.http(`/api/v1/accounts/${me}/statuses?limit=2&exclude_replies=true`)
  const ids = page.json<{ id: string }[]>().map((one) => one.id)
  const base = `${harness.origin}/api/v1/accounts/${me}/statuses?limit=2&exclude_replies=true`
  expect(page.headers.get('link')).toBe(
    `<${base}&max_id=${ids[1]}>; rel="next", <${base}&min_id=${ids[0]}>; rel="prev"`,
  )
  expect((await harness.http(`${base.slice(harness.origin.length)}&max_id=1`)).headers.get('link')).toBeNull()
})

test('a response without a body has the content type that masto.js expects', async () => {
  const token = { token: alice }
  const made = await harness.http('/api/v1/collections', { ...token, json: { name: 'Birds' } })
  const path = `/api/v1/collections/${made.json<{ collection: { id: string } }>().collection.id}`
  const gone = await harness.http(path, { ...token, method: 'DELETE' })
  expect([gone.status, gone.headers.get('content-type'), gone.text]).toEqual([200, 'text/html', ''])
  expect((await harness.http(path, token)).status).toBe(404)
})

test('the body of a GET is read for private responses, as Mastodon.py sends it, and ignored for cacheable ones', async () => {
  const sendRequest = (path: string, body: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${alice}`, 'content-type': 'application/json' }
      const sent = httpRequest(
        harness.origin + path,
        { headers: { ...headers, 'content-length': body.length } },
        (answer) => {
          let text = ''
          answer.on('data', (chunk) => {
            text += chunk
          })
          answer.on('end', () => resolve(text))
        },
      )
      sent.on('error', reject).end(body)
    })
  const { id } = (await harness.http('/api/v1/accounts/lookup?acct=reader')).json<{ id: string }>()
  const familiar = await sendRequest('/api/v1/accounts/familiar_followers', JSON.stringify({ id: [id] }))
  expect(JSON.parse(familiar)).toEqual([{ id, accounts: [] }])
  expect(await sendRequest('/api/v1/accounts/lookup?acct=reader', JSON.stringify({ acct: 'alice' }))).toContain(id)
})

test('HEAD is GET without a body', async () => {
  const path = '/api/v1/accounts/lookup?acct=alice'
  const [get, head] = await Promise.all([harness.http(path), harness.http(path, { method: 'HEAD' })])
  expect([head.status, head.text, head.headers.get('content-length')]).toEqual([
    200,
    '',
    get.headers.get('content-length'),
  ])
})

test('S-142 v1 search gives 404, with and without a token', async () => {
  const answers = await Promise.all([{}, { token: alice }].map((as) => harness.http('/api/v1/search?q=alice', as)))
  for (const { status, json } of answers)
    expect([status, json()]).toMatchObject([404, { error: expect.any(String), code: 'not_found' }])
})

test.each([
  ['GET', '/api/nothing'],
  ['GET', '/api'],
  ['DELETE', '/api/v1/timelines/home'],
  ['POST', '/api/v1/notifications/dismiss'],
  ['GET', '/oauth/token'],
  ['PUT', '/oauth/token/x'],
  ['GET', '/oauth/revoke'],
  ['GET', '/oauth/nothing'],
  ['PROPFIND', '/api/v1/timelines/home'],
  ['GET', '/api/v1/../../admin'],
  ['GET', '/api/v1/%2e%2e/%2e%2e/admin'],
  ['GET', '/api/v1/statuses%2f1'],
  ['GET', '//api/v1/timelines/home'],
])('D031 A175 %s %s is JSON 404', async (method, path) => {
  const status = await new Promise<[number | undefined, string | undefined, string]>((resolve, reject) => {
    const { hostname, port } = new URL(harness.origin)
    const sent = httpRequest({ hostname, port, method, path, headers: { accept: 'text/html' } }, (answer) => {
      let text = ''
      answer.on('data', (chunk) => {
        text += chunk
      })
      answer.on('end', () => resolve([answer.statusCode, answer.headers['content-type'], text]))
    })
    sent.on('error', reject).end()
  })
  expect(status[0]).toBe(404)
  // A path with two slashes at the start is not an API path, so it gets the error page.
  if (path.startsWith('//')) return
  expect(status[1]).toBe('application/json; charset=utf-8')
  expect(JSON.parse(status[2])).toMatchObject({ error: 'Not Found', code: 'not_found' })
})

test('S-198 all refusals are JSON with an error text, a code and the request id', async () => {
  const token = await harness.createAccount('refused', 'read')
  const cases: [number, string, string, Parameters<Harness['http']>[1]?][] = [
    [401, 'unauthenticated', '/api/v1/timelines/home'],
    [401, 'unauthenticated', '/api/v1/timelines/home', { token: 'nobody' }],
    [403, 'forbidden', '/api/v1/statuses', { token, json: { status: 'x' } }],
    [404, 'not_found', '/api/v1/statuses/1'],
    [404, 'not_found', '/api/v1/nothing'],
    [
      422,
      'unprocessable',
      '/api/v1/statuses?id[]=1&id[]=2&id[]=3&id[]=4&id[]=5&id[]=6&id[]=7&id[]=8&id[]=9&id[]=10&id[]=11&id[]=12&id[]=13&id[]=14&id[]=15&id[]=16&id[]=17&id[]=18&id[]=19&id[]=20&id[]=21',
      { token },
    ],
    [400, 'invalid', '/api/v2/search', { token }],
  ]
  for (const [status, code, path, options] of cases) {
    const answer = await harness.http(path, { ...options, headers: { accept: 'text/html' } })
    const body = answer.json()
    expect([answer.status, body.code, typeof body.error], path).toEqual([status, code, 'string'])
    expect(answer.headers.get('content-type'), path).toBe('application/json; charset=utf-8')
    expect(body.request_id, path).toBe(answer.headers.get('x-request-id'))
  }
})

test('S-198 refusals of OAuth, profiles, statuses and collections have the members of their kind', async () => {
  const grant = { method: 'POST', body: new URLSearchParams({ grant_type: 'authorization_code' }) }
  const refused = await harness.http('/oauth/token', grant)
  expect([refused.status, refused.json()]).toEqual([
    expect.any(Number),
    expect.objectContaining({ error: expect.stringMatching(/^invalid_/), error_description: expect.any(String) }),
  ])
  const named = { method: 'PATCH', token: alice, body: JSON.stringify({ display_name: 'x'.repeat(41) }) }
  const headers = { 'content-type': 'application/json' }
  const profile = await harness.http('/api/v1/accounts/update_credentials', { ...named, headers })
  expect([profile.status, profile.json()]).toMatchObject([
    422,
    {
      error: 'Validation failed: Display name is too long (maximum is 40 characters)',
      details: { display_name: [{ error: 'ERR_TOO_LONG', description: expect.any(String) }] },
    },
  ])
  const json = { status: '@reader hello', allowed_mentions: [] }
  const status = await harness.http('/api/v1/statuses', { token: alice, json })
  expect([status.status, status.json()]).toMatchObject([
    422,
    { error: expect.any(String), unexpected_accounts: [{ username: 'reader' }] },
  ])
  const collection = await harness.http('/api/v1/collections', { token: alice, json: { name: '' } })
  expect([collection.status, collection.json()]).toMatchObject([
    422,
    { error: { error: "Validation failed: Name can't be blank", details: { name: [{ error: 'ERR_BLANK' }] } } },
  ])
})

test('a list with too many items is refused with the limit of its field', async () => {
  const names = (count: number, from = 'n') => Array.from({ length: count }, (_, i) => `${from}${i}`)
  const ids = (count: number) => names(count, '1')
  const headers = { 'content-type': 'application/json' }
  const errorOf = async (path: string, method: string, body?: object) => {
    const sent = body && { body: JSON.stringify(body), headers }
    const { status, ...answer } = await harness.http(path, { method, token: alice, ...sent })
    const { error } = answer.json<{ error: string | { error: string } }>()
    return [status, typeof error === 'string' ? error : error.error]
  }
  const profile = (body: object) => errorOf('/api/v1/accounts/update_credentials', 'PATCH', body)
  expect(await profile({ attribution_domains: names(501).map((name) => `${name}.example`) })).toEqual([
    422,
    'Validation failed: Attribution domains is too long (maximum is 100 domains)',
  ])
  expect(await profile({ fields_attributes: names(51).map((name) => ({ name, value: 'x' })) })).toEqual([
    422,
    'Validation failed: Fields is too long (maximum is 4 fields)',
  ])
  expect(await errorOf('/api/v1/statuses', 'POST', { status: 'a', media_ids: ids(101) })).toEqual([
    422,
    'Cannot attach more than 4 files',
  ])
  expect(
    await errorOf('/api/v1/statuses', 'POST', { status: 'a', poll: { options: names(101), expires_in: 300 } }),
  ).toEqual([422, "Validation failed: Choices can't contain more than 4 items"])
  expect(await errorOf('/api/v1/collections', 'POST', { name: 'a', account_ids: ids(501) })).toEqual([
    422,
    'Validation failed: Collection items are too many, no more than 25 are allowed',
  ])
  const query = ids(101).map((id) => `id[]=${id}`)
  expect(await errorOf(`/api/v1/accounts?${query.join('&')}`, 'GET')).toEqual([422, 'Too many ids (maximum is 40)'])
})

test('S-117 S-118 S-210 keywords of filters are served at the paths of both versions', async () => {
  const sendRequest = (method: string, path: string, body?: object) =>
    harness.http(path, {
      ...{ method, token: alice },
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
  const filter = (await sendRequest('POST', '/api/v2/filters', { title: 'birds', context: ['home'] })).json<{
    id: string
  }>()
  const below = `/api/v2/filters/${filter.id}/keywords`
  const first = (await sendRequest('POST', below, { keyword: 'finch' })).json<{ id: string }>()
  const second = await sendRequest('POST', `${below}/${first.id}`, { keyword: 'wren', id: first.id })
  expect([second.status, second.json().keyword]).toEqual([200, 'wren'])
  const all = async () => (await sendRequest('GET', below)).json<{ id: string; keyword: string }[]>()
  expect((await all()).map((one) => one.keyword)).toEqual(['finch', 'wren'])
  const [, wren] = await all()
  for (const [version, id] of [
    ['v1', first.id],
    ['v2', wren?.id],
  ]) {
    const path = `/api/${version}/filters/keywords/${id}`
    expect(Object.keys((await sendRequest('GET', path)).json()).sort()).toEqual(['id', 'keyword', 'whole_word'])
    expect((await sendRequest('PUT', path, { keyword: `${version} bird` })).json()).toMatchObject({
      id,
      keyword: `${version} bird`,
    })
    const gone = await sendRequest('DELETE', path)
    expect([gone.status, gone.json()]).toEqual([200, {}])
    expect((await sendRequest('GET', path)).status).toBe(404)
  }
  expect(await all()).toEqual([])
})

test('D031 TRACE is refused, and a method in a header is ignored', async () => {
  expect(await raw('TRACE /api/v1/instance HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 4\d\d/,
  )
  const answer = await harness.http('/api/v1/accounts/lookup?acct=alice', {
    headers: { 'x-http-method-override': 'DELETE' },
  })
  expect(answer.status).toBe(200)
})

test('hostile 30 D032 an unknown host name is refused, and the response does not contain it', async () => {
  const { port } = new URL(harness.origin)
  const text = await raw(
    `GET /api/v1/accounts/lookup?acct=alice HTTP/1.1\r\nHost: evil.example:${port}\r\nConnection: close\r\n\r\n`,
  )
  expect(text).toMatch(/^HTTP\/1\.1 421/)
  expect(text).not.toContain('evil.example')
})

test('D024 every response, including refusals, has the security headers and none that name the software', async () => {
  const answers = await Promise.all([
    harness.http('/api/v1/accounts/lookup?acct=alice'),
    harness.http('/api/v1/accounts/lookup?acct=nobody'),
    harness.http('/api/nothing'),
    harness.http('/api/v1/timelines/home'),
    harness.http('/api/v1/statuses', { token: alice, json: { status: 'x'.repeat(300_000) } }),
    harness.http('/nodeinfo/2.0'),
    harness.http('/api/v2/instance'),
  ])
  expect(answers.map((one) => one.status)).toEqual([200, 404, 404, 401, 413, 200, 503])
  for (const { headers } of answers) {
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; frame-ancestors 'none'; form-action 'none'",
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/)
    expect(headers.get('vary')).toBeTruthy()
    for (const name of ['x-powered-by', 'server', 'etag', 'strict-transport-security'])
      expect(headers.get(name)).toBeNull()
  }
})

test('D029 responses for one account are not cacheable, public ones are', async () => {
  const cacheOf = async (path: string, token?: string) =>
    (await harness.http(path, token ? { token } : {})).headers.get('cache-control')
  expect(await cacheOf('/api/v1/timelines/public')).toBe(
    'max-age=15, public, stale-while-revalidate=30, stale-if-error=86400',
  )
  expect(await cacheOf('/api/v1/timelines/public', alice)).toBe('private, no-store')
  expect(await cacheOf('/api/v1/timelines/home', alice)).toBe('private, no-store')
  expect(await cacheOf('/api/v1/accounts/lookup?acct=nobody')).toBe('private, no-store')
  expect(await cacheOf('/.well-known/oauth-authorization-server')).toMatch(/^max-age=300, public/)
})

test('D028 CORS preflights are allowed for any site on API paths, and on no others', async () => {
  const preflight = (path: string) =>
    harness.http(path, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'authorization, x-own-header',
      },
    })
  for (const path of [
    '/api/v1/statuses/1',
    '/oauth/token',
    '/oauth/revoke',
    '/.well-known/webfinger',
    '/nodeinfo/2.0',
  ]) {
    const { status, headers } = await preflight(path)
    expect([path, status, headers.get('access-control-allow-origin')]).toEqual([path, 204, '*'])
    expect(headers.get('access-control-allow-methods')).toBe('GET, POST, PUT, DELETE, PATCH, OPTIONS')
    expect(headers.get('access-control-allow-headers')).toBe('authorization, x-own-header')
  }
  for (const path of ['/oauth/authorize', '/auth/sign_in', '/@alice'])
    expect((await preflight(path)).headers.get('access-control-allow-origin')).toBeNull()
})

test('a valid request id is kept, an invalid one is replaced, and a refusal contains it', async () => {
  const of = async (id: string) => {
    const { headers, json } = await harness.http('/api/v1/accounts/1', { headers: { 'x-request-id': id } })
    expect(json().request_id).toBe(headers.get('x-request-id'))
    return headers.get('x-request-id')
  }
  expect(await of('0123456789abcdef')).toBe('0123456789abcdef')
  expect(await of('<script>')).toMatch(/^[\da-f-]{36}$/)
})

test('the Idempotency-Key is passed on: two requests with one key create one status', async () => {
  const post = () =>
    harness.http('/api/v1/statuses', {
      token: alice,
      json: { status: 'once' },
      headers: { 'idempotency-key': 'key-1' },
    })
  const [first, second] = [await post(), await post()]
  expect(second.json().id).toBe(first.json().id)
  expect(second.headers.get('x-unchanged')).toBeNull()
})

test('S-045 headers of the owner are sent to the client, internal ones are not', async () => {
  const { headers } = await harness.http('/nodeinfo/2.0')
  expect(headers.get('content-type')).toContain('http://nodeinfo.diaspora.software/ns/schema/2.0')
  expect(headers.get('mastodon-async-refresh')).toBe('id="x", retry=5')
  expect(headers.get('x-unchanged')).toBeNull()
})

test('hostile 37 a signed request is passed on unchanged: target, headers and body, also a long one', async () => {
  const body = JSON.stringify({ type: 'Create', text: 'é'.repeat(200_000) })
  const answer = await harness.http('/users/alice/inbox?x=%2F', {
    method: 'POST',
    body,
    headers: { signature: 'keyId="k"', 'content-type': 'application/activity+json' },
  })
  expect(answer.status).toBe(202)
  const passed = answer.json<{ username: string; target: string; headers: Record<string, string>; gzip: string }>()
  expect(passed).toMatchObject({
    username: 'alice',
    target: '/users/alice/inbox?x=%2F',
    headers: { signature: 'keyId="k"' },
  })
  const { gunzipSync } = await import('node:zlib')
  expect(gunzipSync(Buffer.from(passed.gzip, 'base64')).toString()).toBe(body)
  // U+FFFD is a valid character: a body that contains it is not broken.
  const replacement = '{"content":"\ufffd"}'
  const answered = await harness.http('/inbox', { method: 'POST', body: replacement })
  expect([answered.status, answered.json<{ body: string }>().body]).toEqual([202, replacement])
  // I22: the type does not matter, because the body is signed.
  for (const type of ['application/ld+json', 'application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
    const typed = await harness.http('/inbox', { method: 'POST', body: replacement, headers: { 'content-type': type } })
    expect([type, typed.status, typed.json<{ body: string }>().body]).toEqual([type, 202, replacement])
  }
  const broken = await harness.http('/inbox', { method: 'POST', body: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]) })
  expect([broken.status, broken.json().error]).toEqual([400, 'The body is not UTF-8'])
  expect((await harness.http('/inbox', { method: 'POST', body: 'x'.repeat(1_048_577) })).status).toBe(413)
  for (const path of ['/inbox', '/users/alice/inbox']) {
    const read = await harness.http(path)
    expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST'])
  }
})

test('O31 D030 the path of a page serves a document to requests for activity JSON', async () => {
  const accept = { headers: { accept: 'application/activity+json' } }
  const actor = await harness.http('/@alice', accept)
  expect(actor.headers.get('content-type')).toContain('application/activity+json')
  expect(actor.headers.get('vary')).toBe('Accept, Signature')
  expect(actor.json()).toMatchObject({ username: 'alice', target: '/@alice' })
  expect((await harness.http('/@alice/12', accept)).json()).toMatchObject({ username: 'alice', status: '12' })
  const browser = await harness.http('/@alice', { headers: { accept: 'text/html,application/activity+json;q=0.5' } })
  expect([browser.status, browser.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(browser.headers.get('vary')).toBe('Accept, Accept-Language')
  // Other servers send such Accept headers: the document first, HTML as the alternative.
  for (const wish of ['application/activity+json, text/html;q=0.1', 'application/ld+json', 'application/json'])
    expect((await harness.http('/@alice', { headers: { accept: wish } })).headers.get('content-type')).toContain('json')
})

test('F073 large and numerous headers are refused, and the server keeps working', async () => {
  const lines = (count: number, size: number) =>
    Array.from({ length: count }, (_, i) => `X-${i}: ${'y'.repeat(size)}\r\n`).join('')
  for (const headers of [lines(1, 65_536), lines(2_000, 20), `Cookie: ${'c'.repeat(17_000)}\r\n`])
    expect(await raw(`GET /api/v1/accounts/lookup?acct=alice HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`)).toMatch(
      /^HTTP\/1\.1 4(31|00)/,
    )
  expect(
    (await harness.http('/api/v1/accounts/lookup?acct=alice', { headers: { cookie: `a=${'c'.repeat(8_000)}` } }))
      .status,
  ).toBe(200)
})

test.each([
  ['both lengths', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['two lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello'],
  ['a folded header', 'X-A: b\r\n c\r\nContent-Length: 0\r\n\r\n'],
  ['a line that ends in one character', 'X-A: b\nContent-Length: 0\r\n\r\n'],
])('hostile 29 A188 a request with %s is refused', async (_name, rest) => {
  expect(await raw(`POST /api/v1/statuses HTTP/1.1\r\nHost: localhost\r\n${rest}`)).toMatch(/^HTTP\/1\.1 400/)
})

test('A182 a header named __proto__ is accepted', async () => {
  const text = await raw(
    'GET /api/v1/accounts/lookup?acct=alice HTTP/1.1\r\nHost: localhost\r\n__proto__: x\r\nConnection: close\r\n\r\n',
  )
  expect(text).toMatch(/^HTTP\/1\.1 200/)
})

test('D036 unexpected values of any field never give a 5xx status', async () => {
  const values: unknown[] = [
    null,
    [],
    {},
    '\u0000',
    '\ud800',
    '9'.repeat(30),
    -1,
    'NaN',
    1e308,
    [[[]]],
    { __proto__: null, constructor: 1 },
    true,
    '',
    '%00',
    "';drop table--",
  ]
  const fields = [
    'status',
    'in_reply_to_id',
    'media_ids',
    'poll',
    'visibility',
    'sensitive',
    'language',
    'scheduled_at',
    'limit',
    'id',
  ]
  const statuses = await Promise.all(
    fields.flatMap((field) =>
      values.map(
        async (value) =>
          [
            field,
            value,
            (await harness.http('/api/v1/statuses', { token: alice, json: { [field]: value, ...ASKED } })).status,
          ] as const,
      ),
    ),
  )
  expect(statuses.filter(([, , status]) => status >= 500)).toEqual([])
})
