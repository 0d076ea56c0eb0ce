/** Failed sign-ins with a provider: the log names the reason and the setting, once a minute, but not for forged responses. */
import { logReasons, readConfig } from '@murmuration/kernel'
import { createOutbound } from '@murmuration/outbound'
import { type StubResponse, serve, type WebServer } from '@murmuration/testkit/outside/web-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { providerSettings, providersOf } from '../provider-settings.js'
import { createIdentityProvider } from './provider.client.js'

type Claims = Record<string, unknown>

const json = (value: unknown, status = 200, headers: Record<string, string> = {}): StubResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
})

/** An ID token. Its signature is not checked, because it is received from the token endpoint. */
const tokenOf = (claims: Claims): string =>
  `${[{ alg: 'RS256' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.c2ln`

let server: WebServer
/** Differences from a working provider in the current test. */
let wrong: {
  discovery?: StubResponse
  metadata?: Claims
  token?: StubResponse
  userinfo?: StubResponse
  claims?: Claims
} = {}
let nonce = ''

beforeAll(async () => {
  server = await serve(({ path }) => {
    const issuer = server.origin
    if (path === '/token') {
      const now = Math.floor(Date.now() / 1_000)
      const claims = { iss: issuer, aud: 'us', sub: '1', nonce, iat: now, exp: now + 60, ...wrong.claims }
      return wrong.token ?? json({ access_token: 'a', token_type: 'Bearer', id_token: tokenOf(claims) })
    }
    if (path === '/userinfo') return wrong.userinfo ?? json({ sub: '1', name: 'Alice' })
    const endpoints = Object.fromEntries(
      ['authorization', 'token', 'userinfo'].map((name) => [`${name}_endpoint`, `${issuer}/${name}`]),
    )
    return wrong.discovery ?? json({ issuer, ...endpoints, ...wrong.metadata })
  })
})
afterAll(() => server.close())
beforeEach(() => {
  wrong = {}
})

/** Signs in once, and returns the logged lines and the code of the error. */
const signIn = async (
  env: Record<string, string> = {},
  query: (state: string) => string = (state) => `code=1&state=${state}`,
  times = 1,
): Promise<{ lines: string[]; code: string | null }> => {
  const lines: string[] = []
  const warn = ((line: string) => void lines.push(line)) as never
  const [plan] = providersOf(
    readConfig(providerSettings, {
      OIDC_ENABLED: 'true',
      OIDC_DISPLAY_NAME: 'The Club',
      OIDC_ISSUER: server.origin,
      OIDC_CLIENT_ID: 'us',
      OIDC_CLIENT_SECRET: 'secret',
      OIDC_ALLOW_ADDRESSES: '127.0.0.0/8',
      ...env,
    }),
  )
  if (!plan) throw new Error('no provider')
  const outbound = createOutbound({
    userAgent: 'test',
    mode: 'test',
    onRefused: () => {},
    operatorAddresses: plan.allowAddresses.split(',').filter(Boolean),
    ports: 'any',
    allowHttp: true,
  })
  const now = () => Date.now()
  const report = logReasons({ log: { warn }, clock: { now } })
  const provider = createIdentityProvider(plan, {
    origin: 'https://here.example',
    insecure: true,
    outbound,
    now,
    report,
  })
  const once = async (): Promise<string | null> => {
    try {
      const { trip } = await provider.depart()
      nonce = trip.nonce
      const { email } = await provider.arrive(query(trip.state), trip)
      if (email === null) throw provider.withoutEmail()
      return null
    } catch (error) {
      return (error as { code: string }).code
    }
  }
  const codes = await Promise.all(Array.from({ length: times }, once))
  await outbound.close()
  return { lines, code: codes[0] ?? null }
}

test('a sign-in that works logs nothing', async () => {
  wrong = { claims: { email: 'alice@mail.example' } }
  expect(await signIn()).toEqual({ lines: [], code: null })
})

test('a wrong client secret is logged with its settings, once a minute', async () => {
  wrong = { token: json({ error: 'invalid_client', error_description: 'HIDDEN' }, 401) }
  expect(await signIn({}, undefined, 3)).toEqual({
    lines: [
      'sign-in with The Club fails: it refuses this server: see OIDC_CLIENT_ID, OIDC_CLIENT_SECRET and OIDC_CLIENT_AUTH_METHOD',
    ],
    code: 'forbidden',
  })
})

const hour = 3_600
const now = Math.floor(Date.now() / 1_000)

test.each<[string, typeof wrong, string]>([
  ['a refused login', { token: json({}, 401, { 'www-authenticate': 'Basic realm="x"' }) }, 'OIDC_CLIENT_SECRET'],
  ['a refused code', { token: json({ error: 'invalid_grant' }, 400) }, 'OIDC_REDIRECT_URI'],
  ['a refused client', { token: json({ error: 'unauthorized_client' }, 400) }, 'OIDC_CLIENT_ID'],
  ['an unknown error', { token: json({ error: 'quota_used' }, 400) }, 'token endpoint responds with quota_used'],
  ['an error page', { token: { status: 200, body: '<html>HIDDEN' } }, 'token endpoint responds with no JSON'],
  ['a failing endpoint', { token: { status: 502, body: 'HIDDEN' } }, 'token endpoint responds with HTTP status 502'],
  ['no ID token', { token: json({ access_token: 'a', token_type: 'Bearer' }) }, 'id_token'],
  ['another issuer', { metadata: { issuer: 'https://other.example/' } }, 'OIDC_ISSUER'],
  ['no discovery', { discovery: { status: 404 } }, 'discovery endpoint responds with HTTP status 404: see OIDC_ISSUER'],
  ['a page as discovery', { discovery: { status: 200, body: '<html>' } }, 'OIDC_ISSUER'],
  ['no token endpoint', { metadata: { token_endpoint: undefined } }, 'token_endpoint: see OIDC_ISSUER'],
  ['a token of another issuer', { claims: { iss: 'https://other.example' } }, 'OIDC_ISSUER'],
  ['a token for another client', { claims: { aud: 'them' } }, 'OIDC_CLIENT_ID'],
  ['an old token', { claims: { iat: now - hour, exp: now - hour } }, 'clock'],
  ['a token of later', { claims: { nbf: now + hour } }, 'clock'],
  ['refused userinfo', { userinfo: json({}, 401, { 'www-authenticate': 'Bearer' }) }, 'OIDC_SCOPE'],
  ['userinfo of another user', { userinfo: json({ sub: '2' }) }, 'another user'],
  ['no e-mail address', {}, 'it returns no valid email: see OIDC_SCOPE'],
])('%s is logged with the reason and the setting', async (_name, given, expected) => {
  wrong = given
  const { lines, code } = await signIn()
  expect(lines).toEqual([expect.stringContaining(expected)])
  expect(lines[0]).not.toContain('HIDDEN')
  expect(code).toBe('forbidden')
})

test.each<[Record<string, string>, string, string]>([
  [{ OIDC_UID_FIELD: 'employee' }, 'it returns no valid employee: see OIDC_UID_FIELD and OIDC_SCOPE', 'forbidden'],
  [{ OIDC_CLIENT_SECRET: '' }, 'OIDC_CLIENT_SECRET', 'unavailable'],
  [{ OIDC_ALLOW_ADDRESSES: '' }, 'OIDC_ALLOW_ADDRESSES', 'unavailable'],
  [{ OIDC_ISSUER: 'http://127.0.0.1:1' }, 'OIDC_ISSUER', 'unavailable'],
])('the settings %o are named in the log', async (env, expected, code) => {
  expect(await signIn(env)).toEqual({ lines: [expect.stringContaining(expected)], code })
})

test('a wrong setting of another provider is logged with the prefix of its settings', async () => {
  const second = Object.fromEntries(
    Object.entries({ ENABLED: 'true', ISSUER: server.origin, CLIENT_ID: 'us', CLIENT_SECRET: 's' }).map(
      ([key, value]) => [`OIDC_2_${key}`, value],
    ),
  )
  wrong = { token: json({ error: 'invalid_client' }, 400) }
  const env = { OIDC_ENABLED: 'false', OIDC_2_ALLOW_ADDRESSES: '127.0.0.0/8', ...second }
  expect((await signIn(env)).lines).toEqual([expect.stringContaining('OIDC_2_CLIENT_SECRET')])
})

test.each([
  ['invalid_scope', 'OIDC_SCOPE'],
  ['login_required', 'OIDC_PROMPT'],
  ['unauthorized_client', 'OIDC_CLIENT_ID'],
  ['server_error', 'server_error'],
])('the error %s of the authorization endpoint is logged', async (error, expected) => {
  const { lines, code } = await signIn({}, (state) => `error=${error}&state=${state}`)
  expect([lines, code]).toEqual([[expect.stringContaining(expected)], 'forbidden'])
})

test.each([
  (state: string) => `error=access_denied&state=${state}`,
  () => 'code=1&state=forged',
  () => 'code=1',
  (state: string) => `state=${state}`,
  (state: string) => `code=1&state=${state}&state=${state}`,
  (state: string) => `code=1&state=${state}&iss=https://evil.example`,
  (state: string) => `code=1&state=${state}&id_token=x`,
  (state: string) => `response=x&state=${state}`,
])('a refusal by the user and a forged response are not logged: %s', async (query) => {
  expect(await signIn({}, query)).toEqual({ lines: [], code: 'forbidden' })
})
