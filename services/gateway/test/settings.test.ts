/** Settings pages in a browser without JavaScript: second factors, sessions, apps, and access by others. */

import { olderNames } from '@murmuration/contracts/kit'
import { allBrowserPages } from '@murmuration/contracts/registry'
import { name, sql } from '@murmuration/db'
import { createAuthenticator } from '@murmuration/testkit/browser/authenticator'
import { type Browser, openBrowser, type Visit } from '@murmuration/testkit/browser/forms'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, PASSWORD, startHarness } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())

const at = (path: string) => `${harness.origin}${path}`
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const open = (headers: Record<string, string> = {}): Browser =>
  openBrowser({ headers: { 'user-agent': AGENT, ...headers }, follows: (url) => url.origin === harness.origin })

/** The form of the page with this action. */
const formTo = (page: Visit, path: string) => {
  const form = page.forms.find((one) => new URL(one.action, harness.origin).pathname === path)
  if (!form) throw new Error(`no form for ${path} on ${page.title}: ${page.text}`)
  return form
}
const send = (by: Browser, path: string, fields: Record<string, string> = {}) =>
  by.submit(formTo(by.page(), path), { fields })
const signIn = async (by: Browser, name: string, path = '/settings') => {
  await by.get(at(path))
  return send(by, '/auth/sign_in', { 'user[email]': `${name}@mail.example`, 'user[password]': PASSWORD })
}
const signedIn = async (name: string): Promise<Browser> => {
  await harness.createAccount(name)
  const by = open()
  const page = await signIn(by, name)
  expect(page.title).toContain('Settings')
  return by
}

/** One-time code by RFC 6238, written here so that the test does not use the tested code. */
const codeOf = async (secret: string, steps = 0): Promise<string> => {
  const { createHmac } = await import('node:crypto')
  const bits = [...secret.replace(/ /g, '')]
    .map((one) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(one).toString(2).padStart(5, '0'))
    .join('')
  const key = Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [])
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps))
  const mac = createHmac('sha1', key).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

const withApp = async (by: Browser): Promise<{ secret: string; codes: string[] }> => {
  await by.get(at('/settings/second_factor'))
  const setUp = await send(by, '/settings/second_factor/app', { password: PASSWORD })
  expect(setUp.html).toContain('<svg class="qr"')
  const secret = /<code class="secret">([A-Z2-7 ]+)<\/code>/.exec(setUp.html)?.[1] ?? ''
  expect(secret.replace(/ /g, '')).toHaveLength(32)
  const wrong = await send(by, '/settings/second_factor/app/confirm', { code: '000000' })
  expect([wrong.status, wrong.alerts.length]).toEqual([422, 1])
  const shown = await send(by, '/settings/second_factor/app/confirm', { code: await codeOf(secret, -1) })
  const codes = [...shown.html.matchAll(/<code>([a-z1-9-]{19})<\/code>/g)].map((match) => match[1] ?? '')
  expect(codes).toHaveLength(10)
  return { secret, codes }
}

test('every settings page redirects anonymous visitors to sign-in and back', async () => {
  await harness.createAccount('alice')
  for (const path of [
    '/settings',
    '/settings/second_factor',
    '/settings/second_factor/app',
    '/settings/sessions',
    '/oauth/authorized_applications',
  ]) {
    const by = open()
    const page = await signIn(by, 'alice', path)
    expect([page.status, page.title.includes('Sign in')], path).toEqual([200, false])
    expect(page.headers['cache-control']).toBe('private, no-store')
    expect(page.headers['content-security-policy']).not.toContain('script-src')
  }
})

test('A056 a bearer token does not give access to settings pages', async () => {
  const token = await harness.createAccount('tokenly')
  for (const path of ['/settings/second_factor', '/settings/sessions', '/oauth/authorized_applications']) {
    const answer = await harness.http(path, { token })
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `/auth/sign_in?next=${encodeURIComponent(path)}`,
    ])
  }
})

test('D007 D009 an authenticator app is enabled, required at sign-in, and disabled', async () => {
  const by = await signedIn('bob')
  const { secret, codes } = await withApp(by)
  const fresh = open()
  const asked = await signIn(fresh, 'bob')
  expect([asked.url, asked.title.includes('Two-factor authentication')]).toEqual([
    at('/auth/sign_in/second_factor?next=%2Fsettings'),
    true,
  ])
  expect(fresh.cookies.find('murmuration_session')).toBeUndefined()
  expect((await fresh.get(at('/settings'))).title).toContain('Sign in')
  await fresh.get(asked.url)
  const wrong = await send(fresh, '/auth/sign_in/second_factor', { code: '123456' })
  expect([wrong.status, wrong.alerts]).toEqual([
    422,
    ['Invalid code or key. Try the next code, or another second factor.'],
  ])
  const inside = await send(fresh, '/auth/sign_in/second_factor', { code: await codeOf(secret) })
  expect(inside.url).toBe(at('/settings'))
  const backup = open()
  await signIn(backup, 'bob')
  expect((await send(backup, '/auth/sign_in/second_factor', { code: codes[0] ?? '' })).url).toBe(at('/settings'))
  expect((await backup.get(at('/settings/second_factor'))).text).toContain('You have 9 backup codes left.')

  await by.get(at('/settings/second_factor'))
  const refused = await send(by, '/settings/second_factor/remove', { password: 'wrong' })
  expect([refused.status, refused.alerts]).toEqual([422, ['The password is not right.']])
  const off = await send(by, '/settings/second_factor/remove', { password: PASSWORD })
  expect(off.text).toContain('Two-factor authentication is disabled.')
  expect((await signIn(open(), 'bob')).url).toBe(at('/settings'))
})

test('A082 the second step requires the first one, and five wrong codes end it', async () => {
  const by = await signedIn('carol')
  const { secret } = await withApp(by)
  const anonymous = open()
  expect((await anonymous.get(at('/auth/sign_in/second_factor'))).title).toContain('Sign in')
  const fresh = open()
  await signIn(fresh, 'carol')
  for (let i = 0; i < 5; i++)
    expect((await send(fresh, '/auth/sign_in/second_factor', { code: '000001' })).status).toBe(422)
  const over = await send(fresh, '/auth/sign_in/second_factor', { code: await codeOf(secret) })
  expect(over.title).toContain('Sign in')
  expect(over.text).toContain('Sign in again.')
})

test('D008 a security key is added and used to sign in; only these pages have a script', async () => {
  const by = await signedIn('dave')
  const key = createAuthenticator()
  await by.get(at('/settings/second_factor'))
  const page = await send(by, '/settings/second_factor/keys', { name: 'Blue <key>', password: PASSWORD })
  expect(page.headers['content-security-policy']).toMatch(/script-src 'self'; connect-src 'self'/)
  const script = /<script src="(\/assets\/security-key-[0-9a-f]{16}\.js)" defer><\/script>/.exec(page.html)?.[1] ?? ''
  const file = await harness.http(script)
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
  const optionsOf = (visit: Visit) =>
    (/data-options="([^"]*)"/.exec(visit.html)?.[1] ?? '').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  const codes = await send(by, '/settings/second_factor/keys/add', {
    credential: key.create(optionsOf(page), harness.origin),
  })
  expect(codes.title).toContain('Backup codes')
  expect((await by.get(at('/settings/second_factor'))).html).toContain('Blue &lt;key&gt;')

  const fresh = open()
  const asked = await signIn(fresh, 'dave')
  const inside = await fresh.submit('key-form', { fields: { credential: key.get(optionsOf(asked), harness.origin) } })
  expect(inside.url).toBe(at('/settings'))
})

test('D013 sessions are listed and ended, and the history lists sign-in attempts', async () => {
  const by = await signedIn('erin')
  const other = open({ 'user-agent': 'Mozilla/5.0 (iPhone) Version/18.0 Mobile Safari/604.1' })
  await signIn(other, 'erin')
  const wrong = open()
  await wrong.get(at('/auth/sign_in'))
  await send(wrong, '/auth/sign_in', { 'user[email]': 'erin@mail.example', 'user[password]': 'wrong' })
  // Failures are recorded after the response, so that its time does not reveal whether an account exists.
  await expect.poll(async () => (await by.get(at('/settings/sessions'))).text).toContain('Failed with password')
  const page = by.page()
  for (const text of ['Firefox on Linux', 'this browser', 'Safari on iPhone', 'Signed in with'])
    expect(page.text).toContain(text)
  const ended = await by.submit(
    page.forms.find((form) => form.fields.some((field) => field.name === 'id' && field.value !== 'others')) ?? 0,
  )
  expect(ended.text).toContain('One browser was signed out.')
  expect((await other.get(at('/settings'))).title).toContain('Sign in')
  await signIn(other, 'erin')
  await signIn(open(), 'erin')
  const shown = await by.get(at('/settings/sessions'))
  const all = shown.forms.find((form) => form.fields.some((field) => field.value === 'others'))
  expect((await by.submit(all ?? 0)).text).toContain('2 browsers were signed out.')
  expect((await by.get(at('/settings'))).title).toContain('Settings')
})

test('D013 sessions of other users cannot be ended', async () => {
  const [by, other] = [await signedIn('frank'), await signedIn('grace')]
  await signIn(open(), 'frank')
  const rows = await harness
    .db('accounts')
    .rows<{ id: string }>(sql`select s.id from sessions s join users u on u.id = s.user_id where u.email like 'grace%'`)
  await by.get(at('/settings/sessions'))
  const form = by
    .page()
    .forms.find((one) => one.fields.some((field) => field.name === 'id' && field.value !== 'others'))
  const page = await by.submit(form ?? 0, { fields: { id: rows[0]?.id ?? '' } })
  expect(page.text).toContain('0 browsers were signed out.')
  expect((await other.get(at('/settings'))).title).toContain('Settings')
})

test('an e-mail reports a sign-in from a new network, but not the first one or one from the same network', async () => {
  await harness.createAccount('heidi')
  const user = sql`(select id from users where email like 'heidi%')`
  const cameFrom = async (ip: string | null) => {
    await harness.db('accounts').run(sql`delete from sign_ins where user_id = ${user}`)
    if (ip !== null)
      await harness
        .db('accounts')
        .run(sql`insert into sign_ins (user_id, ip, used_at) values (${user}, ${ip}::inet, now())`)
    await signIn(open(), 'heidi')
    const rows = await harness
      .db('accounts')
      .rows<{ values: { browser: string } }>(
        sql`select ${name(olderNames.mailValues)} as values from letters where kind = 'sign-in' and username = 'heidi'`,
      )
    return rows.map((row) => row.values.browser)
  }
  expect(await cameFrom(null)).toEqual([])
  expect(await cameFrom('127.0.0.77')).toEqual([])
  expect(await cameFrom('192.0.2.9')).toEqual([AGENT])
})

test('authorized apps are listed and revoked, as a page and as JSON', async () => {
  const token = await harness.createAccount('ivan', 'read write:statuses')
  const by = open()
  const page = await signIn(by, 'ivan', '/oauth/authorized_applications')
  for (const text of ['Command line', 'change statuses of yours', 'read everything in your account'])
    expect(page.text).toContain(text)
  const cookie = by.cookies.header(new URL(harness.origin))
  const headers = { cookie, accept: 'application/json' }
  const list = await harness.http('/oauth/authorized_applications', { headers })
  const [app] = list.json<{ id: string; name: string; created_at: string }[]>()
  expect([list.status, Object.keys(app ?? {})]).toEqual([200, ['id', 'name', 'created_at']])
  const path = `/oauth/authorized_applications/${app?.id}`
  expect((await harness.http(path, { method: 'DELETE', headers })).status).toBe(403)
  expect(
    (await harness.http('/oauth/authorized_applications', { headers: { accept: 'application/json' } })).status,
  ).toBe(401)
  const gone = await send(by, path)
  expect(gone.text).toContain('Access for the app was revoked.')
  expect((await harness.http('/api/v1/accounts/verify_credentials', { token })).status).toBe(401)
  const proof = String(gone.forms[0]?.fields.find((field) => field.name === 'authenticity_token')?.value)
  const again = await harness.http(path, { method: 'DELETE', headers: { ...headers, 'x-csrf-token': proof } })
  expect(again.status).toBe(404)
})

test('revoking a grant keeps grants of other users, and a second revocation gives 404', async () => {
  const token = await harness.createAccount('judy')
  const by = await signedIn('kim')
  await by.get(at('/oauth/authorized_applications'))
  const [row] = await harness.db('accounts').rows<{ id: string }>(sql`select id from applications`)
  const [form] = by.page().forms
  const cookie = by.cookies.header(new URL(harness.origin))
  const proof = String(form?.fields.find((field) => field.name === 'authenticity_token')?.value)
  const revoke = () =>
    harness.http(`/oauth/authorized_applications/${row?.id}`, {
      method: 'DELETE',
      headers: { cookie, 'x-csrf-token': proof, accept: 'application/json' },
    })
  expect((await revoke()).status).toBe(204)
  expect((await revoke()).status).toBe(404)
  expect((await harness.http('/api/v1/accounts/verify_credentials', { token })).status).toBe(200)
})

test('A095 D014 forms of the settings are refused without a CSRF token', async () => {
  const by = await signedIn('leo')
  const cookie = by.cookies.header(new URL(harness.origin))
  for (const path of [
    '/settings/second_factor/app',
    '/settings/second_factor/app/confirm',
    '/settings/second_factor/backup_codes',
    '/settings/second_factor/remove',
    '/settings/second_factor/keys',
    '/settings/second_factor/keys/add',
    '/settings/second_factor/keys/1/remove',
    '/settings/sessions/end',
    '/oauth/authorized_applications/1',
    '/auth/sign_in/second_factor',
  ]) {
    const body = new URLSearchParams({ password: PASSWORD, id: 'others' })
    const answer = await harness.http(path, { method: 'POST', body, headers: { cookie } })
    expect([path, answer.status]).toEqual([path, 403])
  }
})

test('D010 an account that may not authorize apps is redirected to the page with the reason', async () => {
  const by = await signedIn('mallory')
  await harness.db('accounts').run(sql`update users set role_id = 1 where email like 'mallory%'`)
  await harness.db('accounts').run(sql`update roles set require_2fa = true where id = 1`)
  expect((await by.get(at('/settings'))).alerts.join()).toContain('Your account requires two-factor authentication')
  const app = (
    await harness.http('/api/v1/apps', { json: { client_name: 'App', redirect_uris: 'https://app.example/' } })
  ).json<{ client_id: string }>()
  const query = new URLSearchParams({
    client_id: app.client_id,
    redirect_uri: 'https://app.example/',
    response_type: 'code',
  })
  const sent = await by.get(at(`/oauth/authorize?${query}`))
  expect([sent.url, sent.text.includes('requires two-factor authentication')]).toEqual([
    at('/settings/second_factor'),
    true,
  ])
  await harness.db('accounts').run(sql`update roles set require_2fa = false where id = 1`)
  for (const [change, path, text] of [
    [sql`confirmed_at = null`, '/auth/setup', 'Check your inbox'],
    [sql`confirmed_at = now(), approved = false`, '/auth/setup', 'pending review'],
    [sql`approved = true, disabled = true`, '/settings', 'Your account is disabled'],
  ] as const) {
    await harness.db('accounts').run(sql`update users set ${change} where email like 'mallory%'`)
    const page = await by.get(at(`/oauth/authorize?${query}`))
    expect([page.url, page.text.includes(text)], page.text).toEqual([at(path), true])
  }
})

test('every browser page of the contracts is served, and refuses posts without a CSRF token', async () => {
  const by = await signedIn('nina')
  const cookie = by.cookies.header(new URL(harness.origin))
  for (const page of allBrowserPages())
    for (const { method, path } of page.http) {
      // The page of the authorization code gives 404 without a code.
      const query = page.name === 'gateway.authorization.native' ? '?code=1' : ''
      const answer = await harness.http(path.replace(/:\w+/g, '1') + query, { method, headers: { cookie } })
      expect(answer.status, page.name).not.toBe(404)
      const refused = path.startsWith('/api/web/') ? 422 : 403
      expect([page.name, answer.status]).toEqual([page.name, method === 'GET' ? expect.any(Number) : refused])
    }
})
