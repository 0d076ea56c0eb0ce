/** Sign-in with a real OpenID provider: first and later sign-ins, second factor, linking, and attacks. */

import { createHmac } from 'node:crypto'
import {
  beginOneTimeCode,
  confirmOneTimeCode,
  createAccountByOperator,
  signInUser,
} from '@murmuration/contracts/accounts'
import { sql } from '@murmuration/db'
import { type Browser, openBrowser, type Visit } from '@murmuration/testkit/browser/forms'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, PASSWORD, startHarness } from './harness.js'
import { startProvider, type TestProvider } from './provider.js'

let harness: Harness
let provider: TestProvider
const callback = (origin: string) => `${origin}/auth/auth/openid_connect/callback`

beforeAll(async () => {
  provider = await startProvider()
  harness = await startHarness(provider.settings('OIDC', 'The Club'))
  provider.serve(callback(harness.origin))
})
afterAll(async () => {
  await harness.stop()
  await provider.stop()
})

const at = (path: string) => `${harness.origin}${path}`
const open = (): Browser => openBrowser({ headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/140.0' } })
const formTo = (page: Visit, path: string) => {
  const form = page.forms.find((one) => new URL(one.action, page.url).pathname.startsWith(path))
  if (!form) throw new Error(`no form for ${path} at ${page.url}: ${page.text}`)
  return form
}
const send = (by: Browser, path: string, fields: Record<string, string> = {}) =>
  by.submit(formTo(by.page(), path), { fields })

/** Opens `path`, signs in at the provider as `name`, and returns the page after the redirect back. */
const signInAt = async (by: Browser, name: string, path = '/auth/auth/openid_connect'): Promise<Visit> => {
  let page = await by.get(at(path))
  while (page.url.startsWith(provider.issuer)) {
    const login = page.forms[0]?.fields.some((field) => field.name === 'login')
    page = await by.submit(0, login ? { fields: { login: name, password: 'any' } } : {})
  }
  return page
}
const claims = (name: string, more: Record<string, unknown> = {}) => ({
  email: `${name}@club.example`,
  email_verified: true,
  preferred_username: name,
  ...more,
})
const count = async (table: 'users' | 'identities' | 'sessions'): Promise<number> => {
  const query = {
    users: sql`select 1 from users`,
    identities: sql`select 1 from identities`,
    sessions: sql`select 1 from sessions`,
  }
  return (await harness.db('accounts').rows(query[table])).length
}

test('a first sign-in asks for a username, and later ones do not', async () => {
  provider.claimsOf.set('sub-1', claims('New.Comer'))
  const by = open()
  const page = await by.get(at('/auth/sign_in?next=/settings'))
  expect(page.html).toContain('href="/auth/auth/openid_connect?next=%2Fsettings"')
  const welcome = await signInAt(by, 'sub-1', '/auth/auth/openid_connect?next=/settings')
  expect([welcome.url, welcome.title.includes('Welcome')]).toEqual([at('/auth/identity'), true])
  expect(by.cookies.find('murmuration_session')).toBeUndefined()
  expect(formTo(welcome, '/auth/identity').fields.find((field) => field.name === 'username')?.value).toBe('New_Comer')
  const wrong = await send(by, '/auth/identity', { username: 'not a name' })
  expect([wrong.status, wrong.alerts]).toEqual([422, ['Username must contain only letters, numbers and underscores.']])
  const inside = await send(by, '/auth/identity', { username: 'newcomer' })
  expect([inside.url, inside.text.includes('@newcomer@')]).toEqual([at('/settings'), true])
  const [user] = await harness
    .db('accounts')
    .rows<{ password_hash: string | null; confirmed: boolean }>(
      sql`select password_hash, confirmed_at is not null as confirmed from users where email = 'New.Comer@club.example'`,
    )
  expect(user).toEqual({ password_hash: null, confirmed: true })
  expect((await signInAt(open(), 'sub-1', '/auth/auth/openid_connect?next=/settings')).url).toBe(at('/settings'))
  // A login without a password accepts no password.
  const anonymous = open()
  await anonymous.get(at('/auth/sign_in'))
  for (const password of ['', 'null', PASSWORD]) {
    const refused = await send(anonymous, '/auth/sign_in', {
      'user[email]': 'New.Comer@club.example',
      'user[password]': password,
    })
    expect(refused.status, 'A082').toBe(422)
  }
})

test('A084 linking a provider by the e-mail address of an existing account requires its password', async () => {
  await harness.createAccount('alice')
  provider.claimsOf.set('sub-eve', claims('eve', { email: 'alice@mail.example' }))
  const by = open()
  const page = await signInAt(by, 'sub-eve')
  expect(page.title).toContain('Is this your account?')
  expect(page.text).toContain('a…@mail.example')
  expect(by.cookies.find('murmuration_session')).toBeUndefined()
  const before = await count('identities')
  const wrong = await send(by, '/auth/identity', { password: 'wrong' })
  expect([wrong.status, wrong.alerts]).toEqual([422, ['The password is not right.']])
  // Creating another account with the address is refused, too.
  const csrf = String(formTo(wrong, '/auth/identity').fields.find((one) => one.name === 'authenticity_token')?.value)
  const claim = await harness.http('/auth/identity', {
    method: 'POST',
    body: new URLSearchParams({ authenticity_token: csrf, username: 'eve' }),
    headers: { cookie: by.cookies.header(new URL(harness.origin)) },
  })
  expect(claim.status).toBe(403)
  for (let i = 0; i < 5; i++) await send(by, '/auth/identity', { password: 'wrong' })
  expect(by.page().text).toContain('failed too often')
  expect(await count('identities')).toBe(before)

  const again = open()
  await signInAt(again, 'sub-eve')
  const inside = await send(again, '/auth/identity', { password: PASSWORD })
  expect(inside.url).toBe(at('/home'))
  expect((await again.get(at('/settings'))).text).toContain('@alice@')
  const later = open()
  await signInAt(later, 'sub-eve')
  expect((await later.get(at('/settings'))).text).toContain('@alice@')
})

const codeOf = (secret: string, steps = 0): string => {
  const bits = [...secret].map((one) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(one).toString(2).padStart(5, '0'))
  const key = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps))
  const mac = createHmac('sha1', key).update(counter).digest()
  return String((mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

test('A082 a sign-in with a provider requires the second factor, also before linking', async () => {
  await harness.createAccount('bob')
  const first = open()
  await first.get(at('/auth/sign_in'))
  await send(first, '/auth/sign_in', { 'user[email]': 'bob@mail.example', 'user[password]': PASSWORD })
  const session = first.cookies.find('murmuration_session')?.value ?? ''
  const { secret } = await harness.call(beginOneTimeCode, { session, password: PASSWORD })
  await harness.call(confirmOneTimeCode, { session, code: codeOf(secret, -1) })

  provider.claimsOf.set('sub-bob', claims('bob', { email: 'bob@mail.example' }))
  const by = open()
  await signInAt(by, 'sub-bob')
  const before = await count('identities')
  const asked = await send(by, '/auth/identity', { password: PASSWORD })
  expect(asked.title).toContain('Two-factor authentication')
  expect(await count('identities')).toBe(before)
  await send(by, '/auth/sign_in/second_factor', { code: codeOf(secret) })
  expect(await count('identities')).toBe(before + 1)
  const later = await signInAt(open(), 'sub-bob')
  expect(later.title).toContain('Two-factor authentication')
})

test('an e-mail address that the provider did not verify is confirmed by e-mail', async () => {
  provider.claimsOf.set('sub-doubt', claims('doubt', { email_verified: false }))
  const by = open()
  await signInAt(by, 'sub-doubt', '/auth/auth/openid_connect?next=/settings')
  const page = await send(by, '/auth/identity', { username: 'doubt' })
  expect(page.text).toContain('not confirmed yet')
  const letters = await harness.db('accounts').rows(sql`select 1 from letters where address = 'doubt@club.example'`)
  expect(letters.length).toBe(1)
  provider.claimsOf.set('sub-silent', { preferred_username: 'silent' })
  const silent = await signInAt(open(), 'sub-silent')
  expect([silent.status, silent.text.includes('did not return an e-mail address')]).toEqual([403, true])
})

test('an e-mail address at an internationalised domain is stored with its ASCII form, and links its account', async () => {
  provider.claimsOf.set('sub-idna', claims('idna', { email: 'idna@münchen.example' }))
  const by = open()
  await signInAt(by, 'sub-idna', '/auth/auth/openid_connect?next=/settings')
  expect((await send(by, '/auth/identity', { username: 'idna' })).url).toBe(at('/settings'))
  const stored = await harness
    .db('accounts')
    .rows(sql`select email from users u join accounts a on a.id = u.account_id where a.username = 'idna'`)
  expect(stored).toEqual([{ email: 'idna@xn--mnchen-3ya.example' }])
  await harness.createAccount('umlaut')
  await harness.db('accounts').run(sql`update users set email = 'umlaut@xn--mnchen-3ya.example'
    where email = 'umlaut@mail.example'`)
  provider.claimsOf.set('sub-idna-2', claims('other', { email: 'umlaut@MÜNCHEN.example' }))
  expect((await signInAt(open(), 'sub-idna-2')).title).toContain('Is this your account?')
})

test('a callback without its step, from another browser, repeated, or with forged parameters signs nobody in', async () => {
  provider.claimsOf.set('sub-attack', claims('attack'))
  const users = await count('users')
  const sessions = await count('sessions')
  /** Signs in at the provider, and returns the URL of the callback without opening it. */
  const caught = async () => {
    const by = openBrowser({ follows: (url) => !url.pathname.endsWith('/callback') })
    let page = await by.get(at('/auth/auth/openid_connect'))
    while (!page.url.includes('/callback')) {
      const login = page.forms[0]?.fields.some((field) => field.name === 'login')
      page = await by.submit(0, login ? { fields: { login: 'sub-attack', password: 'any' } } : {})
    }
    return { by, back: page.url }
  }
  const first = await caught()
  const refused = await open().get(first.back)
  expect([refused.status, refused.title]).toEqual([403, expect.stringContaining('Not signed in')])

  const other = await caught()
  expect((await other.by.get(first.back)).status, 'the answer of another browser').toBe(403)
  expect((await other.by.get(other.back)).status, 'a step is taken by its first answer').toBe(403)
  for (const change of [
    (url: URL) => url.searchParams.set('state', 'forged'),
    (url: URL) => url.searchParams.delete('state'),
    (url: URL) => url.searchParams.set('code', 'forged'),
    (url: URL) => url.searchParams.set('iss', 'https://evil.example'),
    (url: URL) => {
      url.searchParams.delete('code')
      url.searchParams.set('error', 'access_denied')
    },
  ]) {
    const { by, back } = await caught()
    const url = new URL(back)
    change(url)
    expect((await by.get(url.href)).status, url.href).toBe(403)
  }
  expect([await count('users'), await count('sessions')]).toEqual([users, sessions])
  const { by, back } = await caught()
  expect((await by.get(back)).title).toContain('Welcome')
  for (const path of ['/auth/auth/unknown', '/auth/auth/unknown/callback?code=1', '/auth/auth/openid_connect_2'])
    expect((await harness.http(path)).status, path).toBe(404)
})

test('a signed-in user links a provider with the password and removes it; the only way to sign in cannot be removed', async () => {
  await harness.createAccount('carol')
  provider.claimsOf.set('sub-carol', claims('carol', { email: 'else@club.example' }))
  const by = open()
  await by.get(at('/auth/sign_in?next=/settings/providers'))
  const page = await send(by, '/auth/sign_in', { 'user[email]': 'carol@mail.example', 'user[password]': PASSWORD })
  expect(page.text).toContain('Join The Club to this account')
  const wrong = await send(by, '/settings/providers/join', { password: 'wrong' })
  expect([wrong.status, wrong.alerts]).toEqual([422, ['The password is not right.']])
  const on = await send(by, '/settings/providers/join', { password: PASSWORD })
  const href = /<a class="button" href="([^"]+)" rel="noreferrer">/.exec(on.html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect(href.startsWith(provider.issuer)).toBe(true)
  await by.get(href)
  while (by.page().url.startsWith(provider.issuer)) {
    const login = by.page().forms[0]?.fields.some((field) => field.name === 'login')
    await by.submit(0, login ? { fields: { login: 'sub-carol', password: 'any' } } : {})
  }
  expect([by.page().url, by.page().text.includes('From now on this provider signs you in too.')]).toEqual([
    at('/settings/providers'),
    true,
  ])
  const later = open()
  await signInAt(later, 'sub-carol', '/auth/auth/openid_connect?next=/settings')
  expect(later.page().text).toContain('@carol@')
  // An identity that is linked to one account cannot be linked to another.
  await harness.createAccount('dan')
  const dan = open()
  await dan.get(at('/auth/sign_in?next=/settings/providers'))
  await send(dan, '/auth/sign_in', { 'user[email]': 'dan@mail.example', 'user[password]': PASSWORD })
  const go = await send(dan, '/settings/providers/join', { password: PASSWORD })
  await dan.get(/<a class="button" href="([^"]+)" rel="noreferrer">/.exec(go.html)?.[1]?.replaceAll('&amp;', '&') ?? '')
  while (dan.page().url.startsWith(provider.issuer)) {
    const login = dan.page().forms[0]?.fields.some((field) => field.name === 'login')
    await dan.submit(0, login ? { fields: { login: 'sub-carol', password: 'any' } } : {})
  }
  expect([dan.page().status, dan.page().text.includes('opens another account already')]).toEqual([403, true])

  await by.get(at('/settings/providers'))
  expect((await send(by, '/settings/providers/remove', { password: PASSWORD })).text).toContain('signs you in no more')
  const newcomer = open()
  provider.claimsOf.set('sub-only', claims('only'))
  await signInAt(newcomer, 'sub-only', '/auth/auth/openid_connect?next=/settings/providers')
  await send(newcomer, '/auth/identity', { username: 'only' })
  const kept = await send(newcomer, '/settings/providers/remove')
  expect([kept.status, kept.alerts]).toEqual([422, ['This is the only way in that you have. Set a password first.']])
})

test('a disabled login cannot sign in with its provider', async () => {
  provider.claimsOf.set('sub-off', claims('off'))
  const by = open()
  await signInAt(by, 'sub-off')
  await send(by, '/auth/identity', { username: 'off' })
  await harness.db('accounts').run(sql`update users set disabled = true where email = 'off@club.example'`)
  const refused = await signInAt(open(), 'sub-off')
  expect([refused.status, refused.text.includes('disabled')]).toEqual([403, true])
})

test('an issuer in a private network is requested only if OIDC_ALLOW_ADDRESSES contains its address', async () => {
  const closed = await startHarness({ ...provider.settings('OIDC', 'The Club'), OIDC_ALLOW_ADDRESSES: '' })
  try {
    const page = await closed.http('/auth/auth/openid_connect')
    expect([page.status, page.text.includes('The Club is currently unavailable')]).toEqual([503, true])
  } finally {
    await closed.stop()
  }
})

test('S-176 with OMNIAUTH_ONLY there are no sign-up and no passwords, and sign-in links lead to the only provider', async () => {
  const only = await startProvider()
  const club = await startHarness({
    OMNIAUTH_ONLY: 'true',
    OAUTH_PASSWORD_GRANT: 'true',
    ...only.settings('OIDC', 'The Club'),
  })
  const { origin } = club
  only.serve(callback(origin))
  try {
    await club.call(createAccountByOperator, {
      username: 'alice',
      email: 'alice@mail.example',
      password: PASSWORD,
      confirmed: true,
    })
    const app = (
      await club.http('/api/v1/apps', {
        json: { client_name: 'App', redirect_uris: 'https://app.example/', scopes: 'read write' },
      })
    ).json<{ client_id: string; client_secret: string }>()
    const token = (
      await club.http('/oauth/token', { json: { ...app, grant_type: 'client_credentials', scope: 'read write' } })
    ).json<{ access_token: string }>()
    const signUp = await club.http('/api/v1/accounts', {
      token: token.access_token,
      json: { username: 'new', email: 'new@mail.example', password: PASSWORD, agreement: true, locale: 'en' },
    })
    expect(signUp.status).toBe(403)
    const grant = { ...app, grant_type: 'password', username: 'alice@mail.example', password: PASSWORD }
    expect((await club.http('/oauth/token', { json: grant })).json().error).toBe('unsupported_grant_type')
    const typed = { email: 'alice@mail.example', password: PASSWORD, ip: null, userAgent: null }
    await expect(club.call(signInUser, typed)).rejects.toMatchObject({ code: 'forbidden' })
    const by = openBrowser({ follows: (url) => url.origin === origin })
    const landing = await by.get(`${origin}/`)
    expect(landing.html).toContain('href="/auth/auth/openid_connect"')
    expect(landing.html).not.toContain('href="/auth/sign_in"')
    expect((await by.get(`${origin}/settings`)).url.startsWith(only.issuer)).toBe(true)
    const page = await by.get(`${origin}/auth/sign_in?again=1`)
    expect([/type="password"|Forgot|sign_up/.test(page.html), page.text.includes('The Club')]).toEqual([false, true])
    const cookie = by.cookies.header(new URL(origin))
    const settings = await club.http('/auth/identity', { method: 'POST', headers: { cookie } })
    expect(settings.status).toBe(403)
  } finally {
    await club.stop()
    await only.stop()
  }
})

test('S-176 each provider has a button; with ONE_CLICK_SSO_LOGIN links lead to the only one, and passwords still work', async () => {
  const several = await startHarness({
    ...provider.settings('OIDC', 'The Club'),
    ...provider.settings('OIDC_2', 'The Other <Club>'),
    OMNIAUTH_ONLY: 'true',
  })
  try {
    expect((await several.http('/')).text).toContain('href="/auth/sign_in"')
    const page = await several.http('/auth/sign_in?next=/settings')
    expect(page.status).toBe(200)
    expect(page.text).toContain('<a class="button" href="/auth/auth/openid_connect?next=%2Fsettings">The Club</a>')
    expect(page.text).toContain('href="/auth/auth/openid_connect_2?next=%2Fsettings">The Other &lt;Club&gt;</a>')
  } finally {
    await several.stop()
  }
  const oneClick = await startHarness({ ...provider.settings('OIDC', 'The Club'), ONE_CLICK_SSO_LOGIN: 'true' })
  try {
    expect((await oneClick.http('/')).text).toContain('href="/auth/auth/openid_connect"')
    expect((await oneClick.http('/auth/sign_in')).text).toContain('type="password"')
  } finally {
    await oneClick.stop()
  }
})
