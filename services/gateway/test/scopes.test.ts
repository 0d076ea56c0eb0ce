/** OAuth scopes over HTTP: registration, grants, and authorization on every route. */
import type { AnyOperation, Route } from '@murmuration/contracts/kit'
import { routedOperations } from '@murmuration/contracts/registry'
import { scopeAllows } from '@murmuration/contracts/scopes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())

const OUTSIDE = 'This action is outside the authorized scopes'
const register = async (scopes?: string) => {
  const answer = await harness.http('/api/v1/apps', {
    json: { client_name: 'App', redirect_uris: 'https://app.example/', ...(scopes ? { scopes } : {}) },
  })
  return { status: answer.status, app: answer.json<{ client_id: string; client_secret: string; scopes: string[] }>() }
}

/** Routes that require a scope, each with a path without placeholders. */
const guarded = (): { operation: AnyOperation; route: Route; path: string }[] =>
  routedOperations()
    .filter(({ viewer }) => viewer.scopes.length > 0 && viewer.permission === undefined)
    .flatMap((operation) =>
      operation.http.map((route) => ({ operation, route, path: route.path.replace(/:\w+/g, '1') })),
    )

const refusedFor = async (scopes: string): Promise<Set<string>> => {
  const token = await harness.createAccount(`p${Math.random().toString(36).slice(2, 10)}`, scopes)
  const refused = new Set<string>()
  for (const { route, path } of guarded()) {
    const { method } = route
    const answer = await harness.http(path, { method, token })
    if (answer.status === 403 && answer.json().error === OUTSIDE) refused.add(`${method} ${route.path}`)
  }
  return refused
}
const all = () => guarded().map(({ route }) => `${route.method} ${route.path}`)
const opened = (refused: Set<string>) => all().filter((one) => !refused.has(one))

test('S-169 S-172 every known scope can be registered, including read:me and follow; unknown ones are refused', async () => {
  const { status, app } = await register('read write follow push read:me profile admin:read write:statuses')
  expect([status, app.scopes]).toEqual([
    200,
    ['read', 'write', 'follow', 'push', 'read:me', 'profile', 'admin:read', 'write:statuses'],
  ])
  expect((await register()).app.scopes).toEqual(['read'])
  expect((await register('read everything')).status).toBe(422)
})

test('S-172 a grant contains only scopes that the application registered literally', async () => {
  const { app } = await register('read write:statuses')
  const request = async (scope: string) => {
    const { client_id, client_secret } = app
    const json = { client_id, client_secret, grant_type: 'client_credentials', scope }
    const answer = await harness.http('/oauth/token', { json })
    return [answer.status, answer.json().error ?? answer.json().scope]
  }
  expect(await request('read')).toEqual([200, 'read'])
  expect(await request('write:statuses')).toEqual([200, 'write:statuses'])
  for (const scope of ['read:accounts', 'write', 'nonsense', 'read push'])
    expect(await request(scope)).toEqual([400, 'invalid_scope'])
})

test('S-171 read:me and profile allow only the routes of the own account', async () => {
  const own = [
    'GET /api/v1/accounts/verify_credentials',
    'GET /api/v1/profile',
    'GET /oauth/userinfo',
    'POST /oauth/userinfo',
  ]
  for (const scopes of ['read:me', 'profile']) expect(opened(await refusedFor(scopes)).sort()).toEqual(own)
})

test('S-171 userinfo requires profile or read:me, not read', async () => {
  for (const [scopes, status] of [
    ['read', 403],
    ['read:me', 200],
    ['read profile', 200],
  ] as const) {
    const token = await harness.createAccount(`u${scopes.replace(/\W/g, '')}`, scopes)
    expect((await harness.http('/oauth/userinfo', { token })).status, scopes).toBe(status)
  }
})

test('S-170 S-214 follow allows only relationships, blocks and mutes', async () => {
  const through = opened(await refusedFor('follow'))
  expect(through).toEqual(all().filter((one) => /block|mute|follow|relationships/.test(one) && through.includes(one)))
  for (const route of ['POST /api/v1/accounts/:id/follow', 'GET /api/v1/mutes', 'POST /api/v1/accounts/:id/block'])
    expect(through).toContain(route)
  for (const route of ['GET /api/v1/accounts/:id/followers', 'POST /api/v1/statuses', 'GET /api/v1/timelines/home'])
    expect(through).not.toContain(route)
})

test('S-170 S-177 a parent scope includes its granular scopes, and granular scopes allow only their routes', async () => {
  for (const scopes of ['read', 'write', 'read:statuses write:follows']) {
    const expected = guarded()
      .filter(({ operation }) => scopeAllows(scopes.split(' '), operation.viewer.scopes))
      .map(({ route }) => `${route.method} ${route.path}`)
    expect(opened(await refusedFor(scopes))).toEqual(expected)
  }
})

test('S-173 verify_credentials of apps works with any token', async () => {
  const token = await harness.createAccount('pusher', 'push')
  const answer = await harness.http('/api/v1/apps/verify_credentials', { token })
  expect([answer.status, answer.json().name]).toEqual([200, 'Command line'])
  const { app } = await register('write:media')
  const { client_id, client_secret } = app
  const json = { client_id, client_secret, grant_type: 'client_credentials', scope: 'write:media' }
  const own = (await harness.http('/oauth/token', { json })).json<{ access_token: string }>().access_token
  const verified = (await harness.http('/api/v1/apps/verify_credentials', { token: own })).json<
    Record<string, unknown>
  >()
  expect(verified.scopes).toEqual(['write:media'])
  expect(Object.keys(verified)).not.toContain('client_secret')
})

test('S-168 only the application of a token can introspect and revoke it', async () => {
  const { app } = await register('read')
  const other = (await register('read')).app
  const basic = (one: typeof app, secret = one.client_secret) => ({
    authorization: `Basic ${Buffer.from(`${one.client_id}:${secret}`).toString('base64')}`,
  })
  const form = (token: string, headers: Record<string, string>) => ({
    method: 'POST',
    body: new URLSearchParams({ token }),
    headers,
  })
  const issued = await harness.http('/oauth/token', {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
    headers: basic(app),
  })
  expect([issued.status, issued.headers.get('cache-control'), issued.headers.get('pragma')]).toEqual([
    200,
    'no-store',
    'no-cache',
  ])
  const token = issued.json<{ access_token: string }>().access_token
  const asked = await harness.http('/oauth/introspect', form(token, basic(app)))
  expect(asked.json()).toMatchObject({ active: true, client_id: app.client_id, token_type: 'Bearer', scope: 'read' })
  expect((await harness.http('/oauth/introspect', form(token, basic(other)))).json()).toEqual({ active: false })
  expect((await harness.http('/oauth/introspect', form(token, basic(app, 'wrong')))).status).toBe(401)
  expect((await harness.http('/oauth/introspect', { ...form(token, {}), token })).json()).toMatchObject({
    active: true,
  })
  expect((await harness.http('/oauth/revoke', form(token, basic(other)))).status).toBe(403)
  const revoked = await harness.http('/oauth/revoke', form(token, basic(app)))
  expect([revoked.status, revoked.json()]).toEqual([200, {}])
  expect((await harness.http('/api/v1/apps/verify_credentials', { token })).status).toBe(401)
  expect((await harness.http('/oauth/introspect', form(token, basic(app)))).json()).toEqual({ active: false })
})
