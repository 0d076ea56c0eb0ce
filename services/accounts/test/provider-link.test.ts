/** Tests of linking an identity provider to an account, with a change of the password during requests to the provider. */
import {
  beginIdentitySignIn,
  endSession,
  finishIdentitySignIn,
  listIdentities,
  removeIdentity,
  resetUserPassword,
  resolveSession,
  signInUser,
} from '@murmuration/contracts/accounts'
import { sql } from '@murmuration/db'
import type { SecretCipher } from '@murmuration/kernel'
import { logLines } from '@murmuration/testkit'
import { type StubResponse, serve, type WebServer } from '@murmuration/testkit/outside/web-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startAccounts } from './harness.js'

const password = 'correct horse battery'
const from = { ip: '192.0.2.1', userAgent: 'Mozilla/5.0 test' }
const provider = 'openid_connect'
let server: WebServer
let harness: Harness
/** Runs during the next request to a path of the provider. */
const during = new Map<string, () => Promise<unknown>>()
let nonce = ''

const json = (value: unknown): StubResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})

/** An ID token. Its signature is not checked, because it is received from the token endpoint. */
const idToken = (): string => {
  const iat = Math.floor(Date.now() / 1_000)
  const claims = { iss: server.origin, aud: 'us', sub: 'sub-1', nonce, iat, exp: iat + 60 }
  return `${[{ alg: 'RS256' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.c2ln`
}

beforeAll(async () => {
  server = await serve(async ({ path }) => {
    const work = during.get(path)
    during.delete(path)
    await work?.()
    if (path === '/token') return json({ access_token: 'a', token_type: 'Bearer', id_token: idToken() })
    const issuer = server.origin
    return json({ issuer, authorization_endpoint: `${issuer}/authorization`, token_endpoint: `${issuer}/token` })
  })
  harness = await startAccounts({
    OIDC_ENABLED: 'true',
    OIDC_DISPLAY_NAME: 'The Club',
    OIDC_ISSUER: server.origin,
    OIDC_CLIENT_ID: 'us',
    OIDC_CLIENT_SECRET: 'secret',
    OIDC_ALLOW_ADDRESSES: '127.0.0.0/8',
  })
})
afterAll(async () => {
  await harness.stop()
  await server.close()
})

const signIn = (name: string) => harness.call(signInUser, { email: `${name}@mail.example`, password, ...from })
const createAccount = async (name: string) => {
  const { id } = await harness.createAccount(name, { password })
  const { session } = await signIn(name)
  return { id, session: session ?? '' }
}
const begin = async (session: string) => {
  const { redirect, step } = await harness.call(beginIdentitySignIn, {
    provider,
    next: '/settings',
    join: { session, password },
  })
  const { searchParams } = new URL(redirect)
  nonce = searchParams.get('nonce') ?? ''
  const query = `code=1&state=${searchParams.get('state')}`
  return () => harness.call(finishIdentitySignIn, { provider, query, step, ...from })
}
const identities = () => harness.db('accounts').rows(sql`select 1 from identities`)

test('A092 a change of the password during requests to a provider prevents that the provider is linked', async () => {
  const first = await createAccount('alice')
  const changePassword = (id: string) => () => harness.call(resetUserPassword, { id, show: true })
  during.set('/.well-known/openid-configuration', changePassword(first.id))
  await expect(begin(first.session)).rejects.toMatchObject({ code: 'unauthenticated' })
  expect(await harness.db('accounts').rows(sql`select 1 from sign_in_steps`)).toEqual([])

  const second = await createAccount('bob')
  const finish = await begin(second.session)
  during.set('/token', changePassword(second.id))
  await expect(finish()).rejects.toMatchObject({ code: 'forbidden' })
  expect(await identities()).toEqual([])
})

test('A092 a session that ended during requests to a provider cannot link it', async () => {
  const { session } = await createAccount('erin')
  const { session: owner } = await signIn('erin')
  const finish = await begin(session)
  during.set('/token', () => harness.call(endSession, { session: owner ?? '', id: 'others' }))
  await expect(finish()).rejects.toMatchObject({ code: 'forbidden' })
  expect(await identities()).toEqual([])
})

test('a provider is linked by a step of an earlier release, which has no session', async () => {
  const { session } = await createAccount('frank')
  const finish = await begin(session)
  const running = harness.host.running.find(({ service }) => service === 'accounts')
  if (!running) throw new Error('accounts does not run')
  const { secretCipher } = running.ctx as unknown as { secretCipher: SecretCipher }
  const db = harness.db('accounts')
  const context = 'sign-in step provider'
  const row = await db.row<{ data: string }>(sql`select data_sealed as data from sign_in_steps
    order by created_at desc limit 1`)
  const { sessionId: _sessionId, ...data } = JSON.parse(secretCipher.decrypt(row?.data ?? '', context))
  const earlier = secretCipher.encrypt(JSON.stringify(data), context)
  await db.run(sql`update sign_in_steps set data_sealed = ${earlier} where data_sealed = ${row?.data}`)
  expect((await finish()).outcome).toEqual({ kind: 'joined', next: '/settings' })
  await db.run(sql`delete from identities`)
})

test('a provider is linked by the first response of its step', async () => {
  const { session } = await createAccount('carol')
  const finish = await begin(session)
  during.set('/token', async () => {
    await expect(finish()).rejects.toMatchObject({ code: 'forbidden' })
  })
  expect((await finish()).outcome).toEqual({ kind: 'joined', next: '/settings' })
  await expect(finish()).rejects.toMatchObject({ code: 'forbidden' })
  expect((await harness.call(listIdentities, { session })).identities).toMatchObject([{ provider }])
  // The same identity again changes nothing. It cannot be linked to another account.
  expect((await (await begin(session))()).outcome.kind).toBe('joined')
  const other = await createAccount('dave')
  const third = await begin(other.session)
  await expect(third()).rejects.toMatchObject({ code: 'forbidden' })
  expect(await identities()).toHaveLength(1)
})

test('D013 D071 a removal of a provider ends all other sessions, and link and removal are one log line each', async () => {
  const { session } = await createAccount('grace')
  const db = harness.db('accounts')
  await db.run(sql`delete from identities`)
  const lines = await logLines(harness, 'accounts', async () => {
    await (await begin(session))()
    const { session: other } = await signIn('grace')
    await harness.call(removeIdentity, { session, provider, password })
    const isSignedIn = async (one: string) => (await harness.call(resolveSession, { session: one })).person !== null
    expect([await isSignedIn(session), await isSignedIn(other ?? '')]).toEqual([true, false])
  })
  expect(lines.filter((line) => line.provider !== undefined)).toMatchObject([
    { message: 'a provider was linked', provider },
    { message: 'a provider was removed', provider },
  ])
})
