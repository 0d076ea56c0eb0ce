/** Tests of OAuth 2.0: registration, grants, codes, revocation and introspection. */
import { createHash } from 'node:crypto'
import {
  type AuthorizationRequest,
  approveAuthorization,
  createApp,
  denyAuthorization,
  endSession,
  introspectToken,
  issueToken,
  oauthMetadata,
  prepareAuthorization,
  resolveSession,
  resolveToken,
  revokeGrant,
  revokeToken,
  signInUser,
  signOutUser,
  tokenInfo,
  userInfo,
  verifyApp,
} from '@murmuration/contracts/accounts'
import { sql } from '@murmuration/db'
import { holding } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startAccounts } from './harness.js'

const password = 'correct horse battery'
const callback = 'https://client.example/callback?a=1'
let harness: Harness
beforeAll(async () => {
  harness = await startAccounts({ VAPID_PUBLIC_KEY: 'vapid' })
  await harness.createAccount('alice', { password })
})
afterAll(() => harness.stop())

const register = (more: object = {}) =>
  harness.call(createApp, { client_name: 'Test', redirect_uris: callback, scopes: 'read write', ...more })
type App = Awaited<ReturnType<typeof register>>
const clientOf = ({ client_id, client_secret }: App) => ({ client_id, client_secret })
const signIn = async () => {
  const { session } = await harness.call(signInUser, {
    email: 'alice@mail.example',
    password,
    ip: '127.0.0.1',
    userAgent: 'test',
  })
  return session ?? ''
}
const requestOf = (app: App, more: Partial<AuthorizationRequest> = {}): AuthorizationRequest => ({
  client_id: app.client_id,
  redirect_uri: callback,
  response_type: 'code',
  scope: 'read',
  ...more,
})
const codeOf = async (app: App, more: Partial<AuthorizationRequest> = {}): Promise<string> => {
  const { outcome } = await harness.call(approveAuthorization, {
    session: await signIn(),
    request: requestOf(app, more),
  })
  if (outcome.kind !== 'leave') throw new Error(outcome.error)
  return new URL(outcome.redirect).searchParams.get('code') ?? ''
}
const exchange = (app: App, code: string, more: object = {}) =>
  harness.call(issueToken, {
    ...clientOf(app),
    grant_type: 'authorization_code',
    code,
    redirect_uri: callback,
    ...more,
  })
/** An address of this number of characters. */
const urlOf = (length: number) => 'https://a.example/'.padEnd(length, 'x')
const resolve = (token: string) => harness.call(resolveToken, { token, ip: null })
const oauth = (error: string, status: number) => ({
  message: error,
  status,
  extras: { body: { error_description: expect.any(String) } },
})

test('a registered application has all fields that clients read', async () => {
  const app = await register({
    redirect_uris: [callback, 'urn:ietf:wg:oauth:2.0:oob'],
    website: 'https://client.example',
  })
  expect(app).toMatchObject({
    name: 'Test',
    website: 'https://client.example',
    scopes: ['read', 'write'],
    redirect_uri: `${callback}\nurn:ietf:wg:oauth:2.0:oob`,
    vapid_key: 'vapid',
    client_secret_expires_at: 0,
  })
  expect(app.client_id).toHaveLength(43)
  expect(app.client_secret).toHaveLength(43)
  const { count } = (await harness
    .db('accounts')
    .row<{ count: number }>(
      sql`select count(*)::int as count from applications t where t::text like ${`%${app.client_secret}%`}`,
    )) ?? { count: -1 }
  expect(count).toBe(0)
})

test('S-169 S-172 S-206 an invalid registration of an application names every problem', async () => {
  expect((await register({ scopes: 'read write follow read:me push' })).scopes).toHaveLength(5)
  expect((await register({ scopes: undefined })).scopes).toEqual(['read'])
  const wrong: [object, string][] = [
    [{ client_name: '' }, "Application name can't be blank"],
    [{ client_name: 'x'.repeat(61) }, 'Application name is too long (maximum is 60 characters)'],
    [{ redirect_uris: '' }, "Redirect URI can't be blank"],
    [{ redirect_uris: '/relative' }, 'Redirect URI must be an absolute URI.'],
    [{ redirect_uris: 'javascript:alert(1)' }, 'Redirect URI is forbidden by the server.'],
    [{ redirect_uris: 'https://a.example/#x' }, 'Redirect URI cannot contain a fragment.'],
    [{ redirect_uris: urlOf(2_001) }, 'Redirect URI is too long (maximum is 2000 characters)'],
    [{ scopes: 'read everything' }, "Scopes doesn't match configured on the server."],
    [{ website: 'ftp://x' }, 'Application website is not a valid URL'],
    [{ website: urlOf(2_001) }, 'Application website is too long (maximum is 2000 characters)'],
  ]
  const longest = { client_name: 'x'.repeat(60), redirect_uris: urlOf(2_000), website: urlOf(2_000) }
  expect(await register(longest)).toMatchObject({ name: longest.client_name, website: longest.website })
  for (const [more, text] of wrong)
    await expect(register(more)).rejects.toMatchObject({ code: 'unprocessable', message: `Validation failed: ${text}` })
})

test('S-179 a code is exchanged for a token without expiry, and the same grant has the same token', async () => {
  const app = await register()
  const token = await exchange(app, await codeOf(app))
  expect(token).toEqual({
    access_token: expect.stringMatching(/^[\w-]{43}$/),
    token_type: 'Bearer',
    scope: 'read',
    created_at: expect.any(Number),
  })
  expect(await resolve(token.access_token)).toMatchObject({ why: 'ok', found: { scopes: ['read'], state: 'ok' } })
  const again = await exchange(app, await codeOf(app))
  expect(again.access_token).toBe(token.access_token)
  const other = await exchange(app, await codeOf(app, { scope: 'read write' }))
  expect(other.access_token).not.toBe(token.access_token)
})

test('D016 a code is bound to its client and redirect URI, and its second use revokes its token', async () => {
  const [app, thief] = [await register(), await register()]
  const code = await codeOf(app)
  await expect(exchange(thief, code)).rejects.toMatchObject(oauth('invalid_grant', 400))
  await expect(exchange(app, code, { redirect_uri: 'https://client.example/' })).rejects.toMatchObject(
    oauth('invalid_grant', 400),
  )
  const { access_token } = await exchange(app, code)
  await expect(exchange(app, code)).rejects.toMatchObject(oauth('invalid_grant', 400))
  expect(await resolve(access_token)).toMatchObject({ found: null, why: 'revoked' })
})

test('F066 concurrent exchanges of a code give one token', async () => {
  const app = await register()
  const code = await codeOf(app)
  const settled = await Promise.allSettled(Array.from({ length: 20 }, () => exchange(app, code)))
  expect(settled.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
})

test('an exchange locks the user before it uses the code, so that it cannot deadlock with the removal of a user', async () => {
  const app = await register()
  const code = await codeOf(app)
  const held = await holding(harness.db('accounts'), sql`lock table authorization_codes in share mode`)
  const exchanging = exchange(app, code)
  await held.queued(1)
  const unlocked = sql`select id from users where email = 'alice@mail.example' for no key update skip locked`
  expect(await harness.db('accounts').rows(unlocked)).toEqual([])
  await held.letGo()
  expect((await exchanging).token_type).toBe('Bearer')
})

test('revoking an application also revokes the token of an exchange that commits meanwhile', async () => {
  const app = await register()
  const { access_token: first } = await exchange(app, await codeOf(app))
  await codeOf(app, { scope: 'write' })
  const id = (await harness.db('accounts').row<{ id: string }>(sql`select id from applications
    where client_id = ${app.client_id}`))!.id
  const held = await holding(
    harness.db('accounts'),
    sql`with used as (update authorization_codes set used_at = now() where application_id = ${id} and used_at is null)
      insert into access_tokens (id, application_id, user_id, scopes, hash, nonce, created_at)
        select id + 1, application_id, user_id, '{write}', hash || '\\x01', nonce, now() from access_tokens
        where application_id = ${id}`,
  )
  const revoked = harness.call(revokeGrant, { session: await signIn(), id })
  await held.queued(1)
  await held.letGo()
  await revoked
  expect((await resolve(first)).why).toBe('revoked')
  const valid = sql`select 1 from access_tokens where application_id = ${id} and revoked_at is null`
  expect(await harness.db('accounts').rows(valid)).toEqual([])
})

test('a revoked application gets no code without consent from a request that began before', async () => {
  const app = await register()
  const { id } = (await harness.db('accounts').row<{ id: string }>(sql`select id from applications
    where client_id = ${app.client_id}`))!
  const session = await signIn()
  const prepare = () => harness.call(prepareAuthorization, { session, request: requestOf(app) })
  const revoke = () => harness.call(revokeGrant, { session, id })
  for (const order of [
    [prepare, revoke],
    [revoke, prepare],
  ]) {
    // The application has a token, so that no consent is needed.
    await exchange(app, await codeOf(app))
    const held = await holding(
      harness.db('accounts'),
      sql`select 1 from users where email = 'alice@mail.example' for no key update`,
    )
    const running = []
    for (const run of order) {
      running.push(run())
      await Promise.race([running.at(-1), held.queued(running.length)])
    }
    await held.letGo()
    const [first, second] = await Promise.all(running)
    expect([first, second]).toContainEqual(
      expect.objectContaining({
        outcome: expect.objectContaining({ kind: order[0] === prepare ? 'leave' : 'consent' }),
      }),
    )
    const codes = sql`select 1 from authorization_codes where application_id = ${id} and used_at is null`
    expect(await harness.db('accounts').rows(codes)).toEqual([])
  }
})

test('A092 no code is created if the session ends meanwhile', async () => {
  const app = await register()
  // The application has a token for these scopes, so that no consent is needed.
  await exchange(app, await codeOf(app))
  const codes = sql`select 1 from authorization_codes where used_at is null`
  const before = (await harness.db('accounts').rows(codes)).length
  /** Ends the session while a request with it waits for the lock of the user, as a change of the password does. */
  const ending = async <T>(run: (session: string) => Promise<T>): Promise<T> => {
    const session = await signIn()
    const held = await holding(
      harness.db('accounts'),
      sql`with locked as (select id from users where email = 'alice@mail.example' for no key update)
        delete from sessions where user_id in (select id from locked)`,
    )
    const [result] = await Promise.allSettled([run(session), held.queued(1).then(held.letGo)])
    if (result.status === 'rejected') throw result.reason
    return result.value
  }
  const approve = (session: string) => harness.call(approveAuthorization, { session, request: requestOf(app) })
  await expect(ending(approve)).rejects.toMatchObject({ code: 'unauthenticated' })
  const prepare = (more?: Partial<AuthorizationRequest>) => (session: string) =>
    harness.call(prepareAuthorization, { session, request: requestOf(app, more) })
  expect((await ending(prepare())).outcome.kind).toBe('sign-in')
  expect((await ending(prepare({ prompt: 'none' }))).outcome).toMatchObject({
    kind: 'leave',
    redirect: expect.stringContaining('login_required'),
  })
  expect(await harness.db('accounts').rows(codes)).toHaveLength(before)
})

test('D018 PKCE accepts only S256, and requires the right verifier', async () => {
  const app = await register()
  const verifier = 'v'.repeat(50)
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
  await expect(exchange(app, await codeOf(app, pkce))).rejects.toMatchObject(oauth('invalid_grant', 400))
  await expect(exchange(app, await codeOf(app, pkce), { code_verifier: 'w'.repeat(50) })).rejects.toMatchObject(
    oauth('invalid_grant', 400),
  )
  expect((await exchange(app, await codeOf(app, pkce), { code_verifier: verifier })).scope).toBe('read')
  for (const method of ['plain', undefined]) {
    const request = requestOf(app, { code_challenge: challenge, code_challenge_method: method })
    const { outcome } = await harness.call(prepareAuthorization, { session: null, request })
    expect(outcome).toMatchObject({ kind: 'refused', status: 400, error: 'invalid_code_challenge_method' })
  }
})

test('S-179 a code expires after ten minutes', async () => {
  const app = await register()
  const codeAfter = async (seconds: number) => {
    const code = await codeOf(app)
    const age = sql`update authorization_codes set expires_at = expires_at - make_interval(secs => ${seconds})`
    await harness.db('accounts').run(age)
    return code
  }
  expect((await exchange(app, await codeAfter(540))).scope).toBe('read')
  await expect(exchange(app, await codeAfter(600))).rejects.toMatchObject(oauth('invalid_grant', 400))
})

test('S-179 an application gets a token without a user, within its scopes', async () => {
  const app = await register()
  const grant = { ...clientOf(app), grant_type: 'client_credentials' }
  const token = await harness.call(issueToken, { ...grant, scope: 'read write' })
  expect(Object.keys(token).sort()).toEqual(['access_token', 'created_at', 'scope', 'token_type'])
  expect(await resolve(token.access_token)).toMatchObject({ found: { viewer: null, scopes: ['read', 'write'] } })
  expect((await harness.call(issueToken, grant)).scope).toBe('read')
  for (const scope of ['follow', 'read:accounts', 'nonsense'])
    await expect(harness.call(issueToken, { ...grant, scope })).rejects.toMatchObject(oauth('invalid_scope', 400))
})

test('D021 a client with wrong credentials gets no token', async () => {
  const app = await register()
  const grant = { grant_type: 'client_credentials', client_id: app.client_id }
  const off = `${app.client_secret.slice(0, -1)}${app.client_secret.endsWith('A') ? 'B' : 'A'}`
  for (const client_secret of [off, undefined, ''])
    await expect(harness.call(issueToken, { ...grant, client_secret })).rejects.toMatchObject(
      oauth('invalid_client', 401),
    )
  await expect(harness.call(issueToken, clientOf(app))).rejects.toMatchObject(oauth('invalid_request', 400))
  for (const grant_type of ['refresh_token', 'implicit'])
    await expect(harness.call(issueToken, { ...clientOf(app), grant_type })).rejects.toMatchObject(
      oauth('unsupported_grant_type', 400),
    )
})

test('the password grant accepts e-mail address and user name in test mode', async () => {
  const app = await register()
  const grant = { ...clientOf(app), grant_type: 'password', scope: 'read write' }
  for (const username of ['alice@mail.example', 'ALICE'])
    expect((await harness.call(issueToken, { ...grant, username, password })).scope).toBe('read write')
  for (const [username, typed] of [
    ['alice', 'wrong password'],
    ['nobody', password],
  ])
    await expect(harness.call(issueToken, { ...grant, username, password: typed })).rejects.toMatchObject(
      oauth('invalid_grant', 400),
    )
})

test('a token gets a stream grant if it may read statuses or notifications, and only on request', async () => {
  const granted = async (scopes: string, stream: boolean) => {
    const token = await harness.token('alice', scopes)
    const { found, grant } = await harness.call(resolveToken, { token, ip: null, stream })
    return grant === undefined ? null : harness.allows(found?.viewer?.id ?? '', grant)
  }
  expect(await granted('read', true)).toBe(true)
  expect(await granted('read', false)).toBeNull()
  for (const scope of ['write', 'push']) expect(await granted(scope, true), scope).toBeNull()
})

test('a token is revoked by its own application only, and revoking is repeatable', async () => {
  const [app, other] = [await register(), await register()]
  const { access_token: token } = await exchange(app, await codeOf(app))
  await expect(harness.call(revokeToken, { ...clientOf(other), token })).rejects.toMatchObject(
    oauth('unauthorized_client', 403),
  )
  await expect(harness.call(revokeToken, { client_id: app.client_id, token })).rejects.toMatchObject({ status: 403 })
  expect(await harness.call(revokeToken, { ...clientOf(app), token })).toEqual({})
  expect(await harness.call(revokeToken, { ...clientOf(app), token })).toEqual({})
  expect(await harness.call(revokeToken, { ...clientOf(app), token: 'unknown' })).toEqual({})
  expect(await resolve(token)).toEqual({ found: null, why: 'revoked' })
  const { n } = (await harness
    .db('accounts')
    .row<{ n: number }>(sql`select count(*)::int as n from outbox where subject = 'evt.accounts.token.revoked'
      and data::jsonb -> 'tokenIds' ->> 0 = (select id::text from access_tokens where revoked_at is not null order by revoked_at desc limit 1)`)) ?? {
    n: 0,
  }
  expect(n).toBe(1)
})

test('S-167 S-173 a token is introspected by its own client, and by itself whatever its scopes', async () => {
  const [app, other] = [await register({ scopes: 'push' }), await register()]
  const { access_token: token } = await exchange(app, await codeOf(app, { scope: 'push' }))
  const { found } = await resolve(token)
  const caller = {
    viewer: found?.viewer ?? null,
    app: { id: found?.appId ?? '', tokenId: found?.tokenId ?? '', scopes: found?.scopes ?? [] },
  }
  expect(await harness.call(verifyApp, {}, caller)).toMatchObject({ id: app.id, name: 'Test', scopes: ['push'] })
  expect(await harness.call(tokenInfo, {}, caller)).toMatchObject({
    resource_owner_id: found?.viewer?.id,
    scope: ['push'],
    expires_in: null,
    application: { uid: app.client_id },
  })
  expect(await harness.call(introspectToken, { ...clientOf(app), token })).toMatchObject({
    active: true,
    scope: 'push',
    client_id: app.client_id,
  })
  expect(await harness.call(introspectToken, { token }, caller)).toMatchObject({ active: true })
  expect(await harness.call(introspectToken, { ...clientOf(other), token })).toEqual({ active: false })
  await expect(harness.call(introspectToken, { token })).rejects.toMatchObject(oauth('invalid_client', 401))
  expect(await harness.call(userInfo, {}, found?.viewer)).toMatchObject({
    iss: `${harness.origin}/`,
    preferred_username: 'alice',
    profile: `${harness.origin}/@alice`,
  })
})

test('the metadata describe how to obtain tokens', async () => {
  expect(await harness.call(oauthMetadata, {})).toMatchObject({
    issuer: `${harness.origin}/`,
    token_endpoint: `${harness.origin}/oauth/token`,
    grant_types_supported: ['authorization_code', 'client_credentials', 'password'],
    code_challenge_methods_supported: ['S256'],
  })
})

test('D017 D019 errors are not sent by redirect before client and redirect URI are validated', async () => {
  const app = await register()
  const refused = async (more: Partial<AuthorizationRequest>, error: string, status: number) => {
    const { outcome } = await harness.call(prepareAuthorization, { session: null, request: requestOf(app, more) })
    expect(outcome).toMatchObject({ kind: 'refused', error, status })
  }
  await refused({ client_id: 'unknown' }, 'invalid_client', 401)
  for (const redirect_uri of [
    `${callback}/`,
    `${callback}&b=2`,
    callback.toUpperCase(),
    'https://x@client.example/callback?a=1',
  ])
    await refused({ redirect_uri }, 'invalid_redirect_uri', 401)
  await refused({ response_type: 'token' }, 'unsupported_response_type', 400)
  await refused({ scope: 'read follow' }, 'invalid_scope', 400)
  await refused({ response_mode: 'web_message' }, 'unsupported_response_mode', 400)
})

test('D015 consent is requested once for the same scopes, and again for more or if the client requires it', async () => {
  const app = await register()
  const session = await signIn()
  const prepare = async (more: Partial<AuthorizationRequest> = {}) =>
    (await harness.call(prepareAuthorization, { session, request: requestOf(app, { state: 's t', ...more }) })).outcome
  expect(await harness.call(prepareAuthorization, { session: null, request: requestOf(app) })).toMatchObject({
    outcome: { kind: 'sign-in', app: { name: 'Test', destination: 'client.example' } },
  })
  expect(await prepare()).toMatchObject({ kind: 'consent', app: { scopes: ['read'], destination: 'client.example' } })
  await exchange(app, await codeOf(app))
  const skipped = await prepare()
  expect(skipped).toMatchObject({ kind: 'leave', form: null })
  expect(skipped.kind === 'leave' && skipped.redirect).toMatch(
    /^https:\/\/client.example\/callback\?a=1&code=[\w-]{43}&state=s\+t&iss=/,
  )
  expect(await prepare({ scope: 'read write' })).toMatchObject({ kind: 'consent' })
  expect(await prepare({ force_login: true })).toMatchObject({ kind: 'consent' })
})

test('a code is sent by query, fragment, form or page, and a refusal is sent to the client', async () => {
  const app = await register({ redirect_uris: ['app://cb', 'urn:ietf:wg:oauth:2.0:oob'] })
  const session = await signIn()
  const leave = async (more: Partial<AuthorizationRequest>) =>
    (
      await harness.call(approveAuthorization, {
        session,
        request: requestOf(app, { redirect_uri: 'app://cb', ...more }),
      })
    ).outcome
  expect(await leave({})).toMatchObject({ redirect: expect.stringMatching(/^app:\/\/cb\?code=/) })
  expect(await leave({ response_mode: 'fragment' })).toMatchObject({
    redirect: expect.stringMatching(/^app:\/\/cb#code=/),
  })
  expect(await leave({ response_mode: 'form_post', state: 'x' })).toMatchObject({
    redirect: 'app://cb',
    form: { code: expect.any(String), state: 'x' },
  })
  expect(await leave({ redirect_uri: 'urn:ietf:wg:oauth:2.0:oob' })).toMatchObject({
    redirect: expect.stringContaining(`${harness.origin}/oauth/authorize/native?code=`),
  })
  const { outcome } = await harness.call(denyAuthorization, {
    session,
    request: requestOf(app, { redirect_uri: 'app://cb', state: 'x' }),
  })
  expect(outcome.kind === 'leave' && outcome.redirect).toMatch(
    /^app:\/\/cb\?error=access_denied&error_description=.+&state=x/,
  )
})

test('D012 D013 a session has a new secret, stored as a digest, and ends at sign-out', async () => {
  const [first, second] = [await signIn(), await signIn()]
  expect(first).not.toBe(second)
  const { person: user } = await harness.call(resolveSession, { session: first })
  expect(user).toMatchObject({ username: 'alice', state: 'ok' })
  const stored = await harness.db('accounts').rows<{ line: string }>(sql`select t::text as line from sessions t`)
  expect(stored.map((row) => row.line).join()).not.toContain(first)
  expect(await harness.call(signOutUser, { session: first })).toEqual({ ended: true })
  expect(await harness.call(resolveSession, { session: first })).toEqual({ person: null })
  expect((await harness.call(resolveSession, { session: second })).person).not.toBeNull()
  await expect(
    harness.call(approveAuthorization, { session: first, request: requestOf(await register()) }),
  ).rejects.toMatchObject({ code: 'unauthenticated' })
})

test('of two sessions that end the other sessions at the same time, one stays', async () => {
  const sessions = [await signIn(), await signIn()]
  const held = await holding(
    harness.db('accounts'),
    sql`select 1 from users where email = 'alice@mail.example' for no key update`,
  )
  const ending = Promise.allSettled(sessions.map((session) => harness.call(endSession, { session, id: 'others' })))
  await Promise.race([ending, held.queued(2)])
  await held.letGo()
  expect((await ending).map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected'])
  const persons = await Promise.all(sessions.map((session) => harness.call(resolveSession, { session })))
  expect(persons.filter(({ person }) => person !== null)).toHaveLength(1)
})

test('D004 wrong name, wrong password and disabled user have the same response', async () => {
  const mallory = await harness.createAccount('mallory', { password })
  await harness.db('accounts').run(sql`update users set disabled = true where account_id = ${mallory.id}`)
  const attempt = (email: string, typed: string) =>
    harness.call(signInUser, { email, password: typed, ip: null, userAgent: null })
  const answers = await Promise.all([
    attempt('nobody@mail.example', password),
    attempt('alice@mail.example', 'wrong password'),
    attempt('mallory@mail.example', password),
  ])
  expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1)
  expect(answers[0]).toEqual({ state: 'refused', session: null, proof: null })
})

test('D019 prompt=none never shows a page: it gives a code or an error by redirect; any other prompt requests consent again', async () => {
  const app = await register()
  const session = await signIn()
  const asked = async (as: string | null, prompt: string) => {
    const request = requestOf(app, { prompt, state: 'x' })
    const { outcome } = await harness.call(prepareAuthorization, { session: as, request })
    if (outcome.kind !== 'leave') return outcome.kind
    const query = new URL(outcome.redirect).searchParams
    expect(query.get('state')).toBe('x')
    return query.get('error') ?? (query.has('code') ? 'code' : 'nothing')
  }
  expect(await asked(null, 'none')).toBe('login_required')
  expect(await asked(null, 'login')).toBe('sign-in')
  expect(await asked(session, 'none')).toBe('interaction_required')
  await exchange(app, await codeOf(app))
  expect(await asked(session, 'none')).toBe('code')
  expect(await asked(session, '')).toBe('code')
  for (const prompt of ['consent', 'login', 'select_account']) expect(await asked(session, prompt)).toBe('consent')
  const oob = await register({ redirect_uris: 'urn:ietf:wg:oauth:2.0:oob' })
  const request = requestOf(oob, { prompt: 'none', redirect_uri: 'urn:ietf:wg:oauth:2.0:oob' })
  const { outcome } = await harness.call(prepareAuthorization, { session: null, request })
  expect(outcome).toMatchObject({ kind: 'refused', error: 'login_required' })
})
