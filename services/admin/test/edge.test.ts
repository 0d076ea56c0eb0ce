/** The routes of admin through the gateway: access, and headers of responses. */
import { randomUUID } from 'node:crypto'
import * as admin from '@murmuration/contracts/admin'
import type { AnyOperation, Route } from '@murmuration/contracts/kit'
import { DEFAULT_ROLES, PERMISSIONS } from '@murmuration/contracts/permissions'
import { app as gateway } from '@murmuration/gateway'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { as } from './fixtures.js'
import { type Harness, startHarness, who } from './harness.js'

let harness: Harness
const made: Record<string, string> = {}
beforeAll(async () => {
  harness = await startHarness({ apps: [gateway] })
  const ada = as(who(harness, '12'))
  const { call } = harness.cluster
  made['domain-block'] = (await call(admin.createDomainBlock, { domain: 'bad.example' }, ada)).id
  made['domain-allow'] = (await call(admin.createDomainAllow, { domain: 'good.example' }, ada)).id
  made.report = (await call(admin.createReport, { account_id: '201' }, as(who(harness, '101')))).id
  made.account = '102'
})
afterAll(() => harness.cluster.stop())

/** Token of the fake accounts service, with an account id and scopes. */
const token = (id: string, ...scopes: string[]) => `${id}/${scopes.join(',')}`

/** Sends a request. Repeats it while the edge sheds load, which happens on a busy machine. */
const patient = async (path: string, init: RequestInit = {}): Promise<Response> => {
  const answer = await fetch(`${harness.cluster.origin}${path}`, init)
  if (answer.status !== 503) return answer
  await answer.arrayBuffer()
  await new Promise((resolve) => setTimeout(resolve, 300))
  return patient(path, init)
}

const sendRequest = async (method: string, path: string, bearer?: string, body?: object) => {
  const answer = await patient(path, {
    method,
    headers: {
      ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every operation pass here.
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as any }
}

const staffOperations = Object.values(admin as Record<string, unknown>).filter(
  (one): one is AnyOperation =>
    typeof one === 'object' && one !== null && 'viewer' in one && (one as AnyOperation).viewer.permission !== undefined,
)
/** Nouns with prepared rows. `e2e/api/staff-access.test.ts` tests all others on the whole product. */
const PREPARED = new Set(['domain-block', 'domain-allow', 'report', 'account'])
const ELSEWHERE = new Set(['approve', 'reject', 'delete', 'list', 'list-v1'].map((verb) => `admin.account.${verb}`))
const table = staffOperations
  .filter(({ name }) => PREPARED.has(name.split('.')[1] ?? '') && !ELSEWHERE.has(name))
  .flatMap((operation) =>
    operation.http.map((route: Route) => [`${route.method} ${route.path}`, operation, route] as const),
  )

/** Operations with DELETE last, because others need the rows. */
const inOrder = table.toSorted((a, b) => Number(a[0].startsWith('DELETE')) - Number(b[0].startsWith('DELETE')))

const bodies: Record<string, object> = {
  'POST /api/v1/admin/domain_blocks': { domain: 'worse.example' },
  'POST /api/v1/admin/domain_allows': { domain: 'better.example' },
  'POST /api/v1/admin/accounts/:id/action': { type: 'suspend' },
}

test('every operation of staff has a scope and a permission', () => {
  expect(table).toHaveLength(26)
  for (const operation of staffOperations) {
    expect(operation.viewer.kind).toBe('user')
    expect(operation.viewer.scopes[0]).toMatch(/^admin:(read|write)$/)
    expect(operation.cache).toBe('private')
  }
})

test.each(inOrder)(
  'A065 D-5 %s: no token, no scope, no permission, and the right permission',
  async (name, operation, route) => {
    const noun = operation.name.split('.')[1] ?? ''
    const path = route.path.replace(':id', made[noun] ?? '')
    const body = route.method === 'GET' || route.method === 'DELETE' ? undefined : (bodies[name] ?? {})
    const [parent = '', own = ''] = operation.viewer.scopes
    const refusal = (text: string) => ({ error: text, code: 'forbidden', request_id: expect.any(String) })
    const asked = async (bearer?: string) => {
      const { status, body: said } = await sendRequest(route.method, path, bearer, body)
      return [status, said]
    }
    expect(await asked()).toEqual([403, refusal('This action is not allowed')])
    const others = ['read', 'write', 'follow', 'push', own.includes(':read:') ? 'admin:write' : 'admin:read']
    expect(await asked(token('13', ...others))).toEqual([403, refusal('This action is outside the authorized scopes')])
    expect(await asked(token('101', parent))).toEqual([403, refusal('This action is not allowed')])
    if (operation.viewer.permission === 'manage_federation')
      expect(await asked(token('11', parent))).toEqual([403, refusal('This action is not allowed')])
    // The undo of a suspension needs a suspended account.
    if (operation.name === 'admin.account.unsuspend') who(harness, '102').suspended = 'staff'
    const right = await sendRequest(route.method, path, token('12', own), body)
    expect([right.status, right.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    if (route.method === 'DELETE') expect(right.body).toEqual({})
  },
)

test('A066 disabled staff is refused', async () => {
  who(harness, '11').disabled = true
  // Another scope makes another token, which is not cached.
  const { status, body } = await sendRequest('GET', '/api/v1/admin/reports', token('11', 'admin:read', 'push'))
  expect([status, body.error]).toEqual([403, 'Your login is currently disabled'])
  who(harness, '11').disabled = false
})

test('S-143 a full page has a link to the next one, with the filters of the request', async () => {
  const alice = as(who(harness, '101'))
  for (let i = 0; i < 3; i++) await harness.cluster.call(admin.createReport, { account_id: '201' }, alice)
  const { headers, body } = await sendRequest(
    'GET',
    '/api/v1/admin/reports?limit=2&target_account_id=201&unresolved=true',
    token('12', 'admin:read'),
  )
  const kept = `${harness.cluster.origin}/api/v1/admin/reports?limit=2&unresolved=true&target_account_id=201`
  expect(headers.get('link')).toBe(
    `<${kept}&max_id=${body[1].id}>; rel="next", <${kept}&min_id=${body[0].id}>; rel="prev"`,
  )
})

test('S-143 S-147 a full page of domain blocks or allows has a link to the next one', async () => {
  const { call } = harness.cluster
  const ada = as(who(harness, '12'))
  for (const domain of ['one.example', 'two.example']) {
    await call(admin.createDomainBlock, { domain }, ada)
    await call(admin.createDomainAllow, { domain }, ada)
  }
  for (const noun of ['domain_blocks', 'domain_allows']) {
    const address = `${harness.cluster.origin}/api/v1/admin/${noun}`
    const page = (query: string) => sendRequest('GET', `/api/v1/admin/${noun}${query}`, token('12', 'admin:read'))
    const { headers, body } = await page('?limit=1')
    const [{ id, domain }] = body
    expect(domain).toBe('two.example')
    expect(headers.get('link')).toBe(
      `<${address}?limit=1&max_id=${id}>; rel="next", <${address}?limit=1&min_id=${id}>; rel="prev"`,
    )
    expect((await page(`?limit=1&max_id=${id}`)).body[0].domain).toBe('one.example')
  }
})

test('S-057 a block is created with the scope admin:write:domain_blocks and the permission manage_federation', async () => {
  const create = async (bearer: string, domain: string) =>
    (await sendRequest('POST', '/api/v1/admin/domain_blocks', bearer, { domain })).status
  expect(await create(token('12', 'admin:write:domain_allows', 'admin:read'), 'scope.example')).toBe(403)
  const { moderator, admin: administrator } = DEFAULT_ROLES
  const holds = (role: { permissions: number }) => (role.permissions & PERMISSIONS.manage_federation) !== 0
  expect([holds(moderator), holds(administrator)]).toEqual([false, true])
  expect(await create(token('11', 'admin:write:domain_blocks'), 'scope.example')).toBe(403)
  expect(await create(token('12', 'admin:write:domain_blocks'), 'scope.example')).toBe(200)
})

test('S-145 the response of a conflict contains the existing block', async () => {
  const ada = token('12', 'admin:write')
  await sendRequest('POST', '/api/v1/admin/domain_blocks', ada, { domain: 'conflict.example', severity: 'suspend' })
  const { status, body } = await sendRequest('POST', '/api/v1/admin/domain_blocks', ada, { domain: 'conflict.example' })
  expect(status).toBe(422)
  expect(body).toMatchObject({
    error: 'You have already imposed stricter limits on conflict.example.',
    existing_domain_block: { domain: 'conflict.example', severity: 'suspend' },
    code: 'unprocessable',
  })
})

test('S-126 a report accepts a form with brackets, and requires its scope', async () => {
  const form = new URLSearchParams({ account_id: '201', 'status_ids[]': '', category: 'spam', comment: 'Spam' })
  const send = (bearer: string) =>
    patient('/api/v1/reports', {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'idempotency-key': randomUUID() },
      body: form,
    })
  form.delete('status_ids[]')
  expect((await send(token('101', 'read'))).status).toBe(403)
  const answer = await send(token('101', 'write:reports'))
  expect([answer.status, await answer.json()]).toMatchObject([200, { category: 'spam', comment: 'Spam' }])
})

test.each([
  ['/api/v1/instance', '@1668384000'],
  ['/api/v2/instance', null],
  ['/api/v1/instance/rules', null],
  ['/api/v1/instance/languages', null],
  ['/api/v1/instance/extended_description', null],
  ['/api/v1/instance/privacy_policy', null],
])('S-085 S-086 S-087 S-090 %s may be kept for five minutes, whoever asks', async (path, deprecated) => {
  for (const bearer of [undefined, token('101', 'read')]) {
    const { status, headers } = await sendRequest('GET', path, bearer)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('max-age=300, public, stale-while-revalidate=30, stale-if-error=86400')
    expect(headers.get('vary')).toBe('Origin')
    expect(headers.get('deprecation')).toBe(deprecated)
  }
})

test('S-088 A051 the list of blocks is hidden until staff publishes it, and is not cacheable with a token', async () => {
  expect((await sendRequest('GET', '/api/v1/instance/domain_blocks')).status).toBe(404)
  await harness.cluster.call(admin.setSetting, { name: 'show_domain_blocks', value: 'all' })
  const visitor = await sendRequest('GET', '/api/v1/instance/domain_blocks')
  expect([visitor.status, visitor.headers.get('cache-control')?.includes('public')]).toEqual([200, true])
  const fakeAccount = await sendRequest('GET', '/api/v1/instance/domain_blocks', token('101', 'read'))
  expect([fakeAccount.status, fakeAccount.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
})

test('pictures of the server can be embedded by other sites', async () => {
  const answer = await patient('/instance/pictures/icon-48.png')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('image/png')
  expect(answer.headers.get('cache-control')).toBe('public, max-age=86400')
  expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(500)
  expect((await patient('/instance/pictures/nothing.png')).status).toBe(404)
})
