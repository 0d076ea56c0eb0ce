/** A members-only server with a single user, behind a TLS proxy with another host name. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
let alice = ''
const forwarded = {
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'social.example',
  'x-forwarded-for': '203.0.113.9',
}
beforeAll(async () => {
  harness = await startHarness({
    LOCAL_DOMAIN: 'social.example',
    TRUSTED_PROXIES: '1',
    STREAMING_API_BASE_URL: 'wss://streaming.social.example:8443',
    DISALLOW_UNAUTHENTICATED_API_ACCESS: 'true',
    SINGLE_USER_MODE: 'true',
  })
  alice = await harness.createAccount('alice')
})
afterAll(() => harness.stop())
const sendRequest = (path: string, options: Parameters<Harness['http']>[1] = {}) =>
  harness.http(path, { ...options, headers: { ...forwarded, ...(options.headers as Record<string, string>) } })

test('every URL in responses starts with https://social.example/', async () => {
  for (const status of ['one', 'two']) await sendRequest('/api/v1/statuses', { token: alice, json: { status } })
  const me = (await sendRequest('/api/v1/accounts/verify_credentials', { token: alice })).json<{
    id: string
    url: string
    avatar: string
  }>()
  expect([me.url, me.avatar]).toEqual([
    'https://social.example/@alice',
    'https://social.example/avatars/original/missing.png',
  ])
  const list = await sendRequest(`/api/v1/accounts/${me.id}/statuses?limit=1`, { token: alice })
  expect(list.headers.get('link')).toMatch(/^<https:\/\/social\.example\/api\/v1\/accounts\//)
  expect((await sendRequest('/.well-known/oauth-authorization-server')).json().issuer).toBe('https://social.example/')
})

test('D026 D012 with https responses have HSTS, and cookies have the __Host- prefix', async () => {
  const page = await sendRequest('/auth/sign_in')
  const cookies = page.headers.getSetCookie()
  expect(cookies).toHaveLength(1)
  expect(cookies[0]).toMatch(
    /^__Host-murmuration_visitor=[\w-]{32}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=\d+$/,
  )
  for (const path of [
    '/auth/sign_in',
    '/api/v1/accounts/verify_credentials',
    '/nothing',
    '/avatars/original/missing.png',
  ])
    expect((await sendRequest(path)).headers.get('strict-transport-security'), path).toBe(
      'max-age=63072000; includeSubDomains',
    )
})

test('D032 a request whose forwarded host is unknown is refused', async () => {
  expect((await sendRequest('/about', { headers: { 'x-forwarded-host': 'evil.example' } })).status).toBe(421)
})

test('S-104 S-002 streaming requests are redirected to STREAMING_API_BASE_URL', async () => {
  const answer = await sendRequest('/api/v1/streaming/user?stream=user')
  expect([answer.status, answer.headers.get('location')]).toEqual([
    301,
    'https://streaming.social.example:8443/api/v1/streaming/user?stream=user',
  ])
})

test('a members-only server refuses anonymous API requests with 401, except for registering apps and tokens', async () => {
  const refused = await sendRequest('/api/v1/timelines/public')
  expect([refused.status, refused.json().error]).toEqual([401, 'This method requires an authenticated user'])
  expect((await sendRequest('/api/v1/accounts/lookup?acct=alice')).status).toBe(401)
  expect((await sendRequest('/api/v1/accounts/lookup?acct=alice', { token: alice })).status).toBe(200)
  const app = await sendRequest('/api/v1/apps', {
    json: { client_name: 'A', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob' },
  })
  expect(app.status).toBe(200)
  const { client_id, client_secret } = app.json<{ client_id: string; client_secret: string }>()
  const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64')
  const token = await sendRequest('/oauth/token', {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
    headers: { authorization: `Basic ${basic}` },
  })
  expect([token.status, token.headers.get('cache-control'), token.headers.get('pragma')]).toEqual([
    200,
    'no-store',
    'no-cache',
  ])
  const introspected = await sendRequest('/oauth/introspect', {
    method: 'POST',
    body: new URLSearchParams({ token: String(token.json().access_token) }),
    headers: { authorization: `Basic ${basic}` },
  })
  expect(introspected.json()).toMatchObject({ active: true, client_id })
  const asApp = await sendRequest('/api/v1/timelines/public', { token: String(token.json().access_token) })
  expect(asApp.status).toBe(401)
})

test('a members-only server has no public pages of accounts, hashtags and statuses', async () => {
  for (const path of ['/@alice', '/tags/birds', '/@alice/1']) expect((await sendRequest(path)).status).toBe(404)
  expect((await sendRequest('/')).status).toBe(200)
})

test('S-036 the landing page of a server with a single user has no link to sign up, whatever staff set', async () => {
  const gateway = harness.host.running.find((one) => one.service === 'gateway')
  if (!gateway) throw new Error('gateway does not run')
  const { policy } = gateway.ctx
  const settings = vi.spyOn(policy, 'settings').mockReturnValue({ ...policy.settings(), registrations_mode: 'open' })
  const { status, text } = await sendRequest('/')
  expect(status).toBe(200)
  expect(text).toContain('Registrations are closed.')
  expect(text).not.toContain('/auth/sign_up')
  settings.mockRestore()
})
