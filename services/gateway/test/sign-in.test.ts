/** Sign-in and authorization of apps in a browser without JavaScript (D-2). */
import { createHash, randomBytes } from 'node:crypto'
import { sql } from '@murmuration/db'
import { holding } from '@murmuration/testkit'
import { type Browser, openBrowser } from '@murmuration/testkit/browser/forms'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Harness, PASSWORD, startHarness } from './harness.js'

const CALLBACK = 'https://app.example/callback?x=1'
let harness: Harness
let browser: Browser
beforeAll(async () => {
  harness = await startHarness()
  await harness.createAccount('alice')
})
afterAll(() => harness.stop())
const fresh = (headers: Record<string, string> = {}): Browser =>
  openBrowser({ headers, follows: (url) => url.origin === harness.origin })
beforeEach(() => {
  browser = fresh()
})

const at = (path: string) => `${harness.origin}${path}`
/** Submits the sign-in form of the current page. */
const enter = (by = browser, password = PASSWORD) =>
  by.submit(0, { fields: { 'user[email]': 'alice@mail.example', 'user[password]': password } })
const signIn = async (by = browser) => {
  await by.get(at('/auth/sign_in'))
  return enter(by)
}
interface App {
  client_id: string
  client_secret: string
}
const register = async (more: object = {}): Promise<App> =>
  (
    await harness.http('/api/v1/apps', {
      json: {
        client_name: 'Birds <b>',
        redirect_uris: `${CALLBACK}\nurn:ietf:wg:oauth:2.0:oob`,
        scopes: 'read write push',
        ...more,
      },
    })
  ).json<App & Record<string, unknown>>()
const verifier = randomBytes(32).toString('base64url')
const authorizeAt = (app: App, more: Record<string, string> = {}) =>
  at(
    `/oauth/authorize?${new URLSearchParams({
      client_id: app.client_id,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'read write',
      state: 'a\\b&"<',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...more,
    })}`,
  )

test('S-179 sign-in, consent and authorization code give a token', async () => {
  const app = await register()
  const form = await browser.get(authorizeAt(app))
  expect([form.status, form.title]).toEqual([200, 'Sign in · Murmuration'])
  expect(form.headers['content-security-policy']).not.toContain('form-action')
  const shown = form.forms[0]?.fields.filter((field) => field.type !== 'hidden') ?? []
  expect(shown.map(({ type, label }) => [type, label])).toEqual([
    ['email', 'E-mail address'],
    ['password', 'Password'],
  ])
  const consent = await enter()
  expect(consent.title).toContain('Authorize Birds <b>')
  expect(consent.text).toContain('@alice')
  expect(consent.text).toContain('app.example')
  expect(consent.html).not.toContain('Birds <b>')
  expect(consent.headers['content-security-policy']).not.toContain('form-action')
  const done = await browser.submit(0, { button: 'Authorize' })
  const answer = new URL(done.url)
  expect([done.status, answer.origin, answer.searchParams.get('x'), answer.searchParams.get('state')]).toEqual([
    303,
    'https://app.example',
    '1',
    'a\\b&"<',
  ])
  const token = await harness.http('/oauth/token', {
    json: {
      grant_type: 'authorization_code',
      code: answer.searchParams.get('code'),
      redirect_uri: CALLBACK,
      code_verifier: verifier,
      ...{ client_id: app.client_id, client_secret: app.client_secret },
    },
  })
  expect(token.status, token.text).toBe(200)
  const { access_token } = token.json<{ access_token: string }>()
  const me = await harness.http('/api/v1/accounts/verify_credentials', { token: access_token })
  expect(me.json().username).toBe('alice')
  // No consent page for scopes that were granted before, unless the app requests it.
  expect((await browser.get(authorizeAt(app))).url).toContain('https://app.example/callback')
  expect((await browser.get(authorizeAt(app, { force_login: 'true' }))).title).toContain('Authorize')
})

test('D019 a denial redirects to the app, an out-of-band code is shown, and an invalid request is not redirected', async () => {
  const app = await register()
  await signIn()
  await browser.get(authorizeAt(app))
  const denied = new URL((await browser.submit(0, { button: 'Deny' })).url)
  expect([denied.origin, denied.searchParams.get('error')]).toEqual(['https://app.example', 'access_denied'])
  await browser.get(authorizeAt(app, { redirect_uri: 'urn:ietf:wg:oauth:2.0:oob' }))
  const native = await browser.submit(0, { button: 'Authorize' })
  expect(native.text).toMatch(/Your authorization code Copy it into the app: [\w-]{20,}/)
  for (const [more, status] of [
    [{ redirect_uri: 'https://app.example/callback' }, 401],
    [{ redirect_uri: `${CALLBACK}/` }, 401],
    [{ client_id: 'unknown' }, 401],
  ] as const) {
    const page = await browser.get(authorizeAt(app, more))
    expect([page.status, page.redirects]).toEqual([status, []])
    expect(page.text).toContain('This app cannot be authorized')
  }
})

test('the consent page lets users sign in to another account', async () => {
  const app = await register()
  await browser.get(authorizeAt(app))
  await enter()
  const again = await browser.submit(1, { button: 'Use another account' })
  expect(again.title).toContain('Sign in')
  expect((await enter()).title).toContain('Authorize')
})

test('D004 all refusals of a sign-in have the same status and message', async () => {
  const page = async (email: string, password: string) => {
    const by = fresh()
    await by.get(at('/auth/sign_in'))
    const { status, alerts } = await by.submit(0, { fields: { 'user[email]': email, 'user[password]': password } })
    return { status, alerts }
  }
  const refused = { status: 422, alerts: ['Invalid e-mail address or password.'] }
  expect(await page('alice@mail.example', 'wrong password')).toEqual(refused)
  expect(await page('nobody@mail.example', 'wrong password')).toEqual(refused)
  expect(await page('', '')).toEqual(refused)
})

test('D012 A096 each sign-in creates a session with an HttpOnly cookie, and only its digest is stored', async () => {
  await browser.get(at('/auth/sign_in'))
  const before = browser.cookies.find('murmuration_visitor')
  await signIn()
  const session = browser.cookies.find('murmuration_session')
  for (const cookie of [before, session])
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/', hostOnly: true })
  expect(Buffer.from(session?.value ?? '', 'base64url').length).toBeGreaterThanOrEqual(32)
  const other = fresh()
  await signIn(other)
  expect(other.cookies.find('murmuration_session')?.value).not.toBe(session?.value)
  const rows = await harness.db('accounts').rows<{ text: string }>(sql`select s::text as text from sessions s`)
  expect(rows.length).toBeGreaterThanOrEqual(2)
  expect(rows.some((row) => row.text.includes(session?.value ?? '?'))).toBe(false)
})

test('F066 of 25 parallel exchanges of one code one gets a token, and a later one revokes it', async () => {
  const app = await register()
  for (let round = 0; round < 5; round++) {
    const consent = await browser.get(authorizeAt(app))
    if (consent.title.startsWith('Sign in')) await enter()
    const code = new URL((await browser.submit(0, { button: 'Authorize' })).url).searchParams.get('code')
    const exchange = () =>
      harness.http('/oauth/token', {
        json: {
          grant_type: 'authorization_code',
          code,
          redirect_uri: CALLBACK,
          code_verifier: verifier,
          ...{ client_id: app.client_id, client_secret: app.client_secret },
        },
      })
    // More than the 20 logins that the gateway passes on at once, so that some are processed after the first use of the code.
    const together = <T>(work: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 25 }, work))
    // Opens the connections, so that no exchange waits for its own.
    await together(() => harness.http('/health'))
    const held = await holding(harness.db('accounts'), sql`lock table authorization_codes in share mode`)
    const parallel = together(exchange)
    await held.queued(1)
    // Sent after the exchanges. When they are answered, all exchanges have arrived, and none has used the code.
    await together(() => harness.http('/health'))
    await held.letGo()
    const answers = await parallel
    const given = answers.filter((answer) => answer.status === 200)
    expect(given).toHaveLength(1)
    const { access_token: token } = given[0]!.json<{ access_token: string }>()
    expect((await harness.http('/api/v1/accounts/verify_credentials', { token })).status).toBe(200)
    // A code that is used again after the response was stolen, so its token is revoked (RFC 6749, section 4.1.2).
    expect((await exchange()).status).toBe(400)
    expect((await harness.http('/api/v1/accounts/verify_credentials', { token })).status).toBe(401)
  }
})

test('D013 sign-out ends the session on the server', async () => {
  await signIn()
  const account = await browser.get(at('/auth/edit'))
  expect(account.text).toContain('@alice@')
  const old = browser.cookies.find('murmuration_session')?.value ?? ''
  expect((await browser.submit(0, { button: 'Sign out' })).url).toBe(at('/'))
  expect(browser.cookies.find('murmuration_session')).toBeUndefined()
  const thief = fresh({ cookie: `murmuration_session=${old}` })
  expect((await thief.get(at('/auth/edit'))).title).toContain('Sign in')
})

test('D014 A095 forms without a CSRF token, with another visitor’s, or from another site are refused', async () => {
  const app = await register()
  await signIn()
  const consent = await browser.get(authorizeAt(app))
  const fields = Object.fromEntries(
    (consent.forms[0]?.fields ?? []).map(({ name, value }) => [name, String(value ?? '')]),
  )
  const cookie = browser.cookies.header(new URL(harness.origin))
  const anonymous = await fresh().get(at('/auth/sign_in'))
  const foreign = anonymous.forms[0]?.fields.find((field) => field.name === 'authenticity_token')?.value
  const send = (path: string, body: Record<string, string>, headers: Record<string, string> = {}) =>
    harness.http(path, { method: 'POST', body: new URLSearchParams(body), headers: { cookie, ...headers } })
  const grants = async () => (await harness.db('accounts').rows(sql`select 1 from authorization_codes`)).length
  const before = await grants()
  for (const path of ['/oauth/authorize', '/auth/sign_in', '/auth/sign_out']) {
    const refused = [
      await send(path, { ...fields, authenticity_token: '' }),
      await send(path, { ...fields, authenticity_token: String(foreign) }),
      await send(path, fields, { origin: 'https://evil.example' }),
      await send(path, fields, { origin: 'null' }),
      await send(path, fields, { origin: 'no address' }),
      await send(path, fields, { 'sec-fetch-site': 'cross-site' }),
      await send(path, fields, { 'sec-fetch-site': 'same-site' }),
      await send(path, fields, { cookie: cookie.replace(/murmuration_visitor=[^;]+/, '') }),
    ]
    expect(refused.map((one) => one.status)).toEqual(refused.map(() => 403))
  }
  expect(await grants()).toBe(before)
  expect((await browser.get(at('/auth/edit'))).text).toContain('You are signed in')
  expect(
    (await send('/oauth/authorize', fields, { origin: harness.origin, 'sec-fetch-site': 'same-origin' })).status,
  ).toBe(303)
  expect(await grants()).toBe(before + 1)
})

test('D014 a session cookie does not authenticate API requests', async () => {
  await signIn()
  const cookie = browser.cookies.header(new URL(harness.origin))
  expect((await harness.http('/api/v1/accounts/verify_credentials', { headers: { cookie } })).status).toBe(401)
})

test('A094 sign-in does not redirect to another host', async () => {
  for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example/']) {
    const by = fresh()
    await by.get(at(`/auth/sign_in?next=${encodeURIComponent(next)}`))
    expect((await enter(by)).url).toBe(at('/home'))
  }
})

test('D015 the consent page cannot be framed', async () => {
  const app = await register()
  await signIn()
  const { headers } = await browser.get(authorizeAt(app))
  expect(headers['x-frame-options']).toBe('DENY')
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(headers['cache-control']).toBe('private, no-store')
})

test('a consent page with a slash at the end of its path is reached through the sign-in', async () => {
  const form = await browser.get(authorizeAt(await register()).replace('?', '/?'))
  expect(form.title).toBe('Sign in · Murmuration')
  expect(form.headers['content-security-policy']).not.toContain('form-action')
  expect((await enter()).title).toContain('Authorize Birds <b>')
})

/** Paths of this server that a page links in the same window. */
const linkedInPlace = (page: string): string[] =>
  [...page.matchAll(/<a [^>]*href="(\/[^"]*)"([^>]*)>/g)].flatMap(([, path = '', more = '']) =>
    more.includes('target="_blank" rel="noopener"') ? [] : [path],
  )

test('links from sign-in pages to pages that end the popup of an app open in a new window', async () => {
  const signInPage = await browser.get(authorizeAt(await register()))
  const consent = await enter()
  const signUp = await fresh().get(at('/auth/sign_up?accept=1'))
  for (const { html } of [signInPage, consent, signUp]) {
    expect(html).toContain('href="/privacy-policy" target="_blank"')
    expect(linkedInPlace(html).filter((path) => !/^\/(?:auth|oauth)\//.test(path))).toEqual([])
  }
  expect(linkedInPlace((await browser.get(at('/settings'))).html)).toContain('/privacy-policy')
})

test('with response_mode form_post the response is a form that posts to the app', async () => {
  const app = await register()
  await signIn()
  await browser.get(authorizeAt(app, { response_mode: 'form_post' }))
  const page = await browser.submit(0, { button: 'Authorize' })
  expect(page.status).toBe(200)
  expect(page.forms[0]).toMatchObject({ action: CALLBACK, method: 'POST' })
  expect(page.forms[0]?.fields.map((field) => field.name)).toEqual(expect.arrayContaining(['code', 'state']))
  expect(page.headers['content-security-policy']).not.toContain('form-action')
})
