/** Sign-up, password recovery and account deletion in a browser without JavaScript; e-mails are sent to a real SMTP server. */
import { app as accounts } from '@murmuration/accounts'
import { app as admin } from '@murmuration/admin'
import { approveRegistration, createAccountByOperator } from '@murmuration/contracts/accounts'
import { createRule, setSetting } from '@murmuration/contracts/admin'
import { sql } from '@murmuration/db'
import { app as media } from '@murmuration/media'
import { app as notifications } from '@murmuration/notifications'
import { app as statuses } from '@murmuration/statuses'
import { type Browser, openBrowser } from '@murmuration/testkit/browser/forms'
import { type SmtpServer, startSmtpServer } from '@murmuration/testkit/outside/smtp-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { app as gateway } from '../src/main.js'
import { type Harness, PASSWORD, startHarness, windowStart } from './harness.js'

let mailServer: SmtpServer
let harness: Harness
beforeAll(async () => {
  mailServer = await startSmtpServer()
  harness = await startHarness(
    {
      SMTP_SERVER: mailServer.host,
      SMTP_PORT: String(mailServer.port),
      TEST_CLOCK_OFFSET_MS: windowStart(),
      RATE_LIMITS: 'on',
    },
    [gateway, accounts, statuses, media, notifications, admin],
  )
  await setting('registrations_mode', 'open')
})
afterAll(async () => {
  await harness.stop()
  await mailServer.close()
})
beforeEach(() => mailServer.mails.clear())

const at = (path: string) => `${harness.origin}${path}`
const browse = (): Browser => openBrowser({ follows: (url) => url.origin === harness.origin })
const setting = async (name: string, value: string): Promise<void> => {
  await harness.call(setSetting, { name, value })
  const policy = harness.host.running.find((one) => one.service === 'accounts')?.ctx.policy
  while (String(policy?.settings()[name as 'registrations_mode']) !== value)
    await new Promise((resolve) => setTimeout(resolve, 10))
}
const gatewayClock = () => harness.host.running.find((one) => one.service === 'gateway')?.ctx.clock
/** Moves the clock by four seconds, because quicker forms are refused as bots. */
const read = (): void => {
  const clock = gatewayClock()
  clock?.moveTo((clock.offset() ?? 0) + 4_000)
}
/** The link with `path` in the newest e-mail to an address. */
const linkTo = async (to: string, path: string): Promise<string> => {
  await harness.waitForIdle()
  const mail = mailServer.mails.all.findLast((one) => one.to.includes(to) && one.text.includes(path))
  if (!mail) throw new Error(`no mail to ${to} about ${path}`)
  return /https?:\/\/\S+/.exec(mail.text.slice(mail.text.indexOf(path) - 40))?.[0] ?? ''
}
const fill = (by: Browser, name: string, more: Record<string, string | boolean> = {}) =>
  by.submit(0, {
    fields: {
      'user[username]': name,
      'user[email]': `${name}@mail.example`,
      'user[password]': PASSWORD,
      'user[agreement]': true,
      ...more,
    },
  })
/** Opens the sign-up form, and accepts the rules if there are any. */
const openForm = async (by: Browser, path = '/auth/sign_up'): Promise<void> => {
  const page = await by.get(at(path))
  if (page.text.includes('Server rules')) await by.submit(0, { button: 'I accept' })
}
const signUp = async (name: string, by = browse(), path = '/auth/sign_up') => {
  await openForm(by, path)
  read()
  return { by, page: await fill(by, name) }
}
const signIn = async (name: string, password = PASSWORD, by = browse()) => {
  await by.get(at('/auth/sign_in'))
  return {
    by,
    page: await by.submit(0, { fields: { 'user[email]': `${name}@mail.example`, 'user[password]': password } }),
  }
}

test('a sign-up by form, e-mail and confirmation link ends in a usable account', async () => {
  const { by, page } = await signUp('wren')
  expect([page.status, page.url]).toEqual([200, at('/auth/setup')])
  expect(page.text).toContain('wren@mail.example')
  const link = await linkTo('wren@mail.example', '/auth/confirmation')
  expect((await by.get(at('/settings'))).text).toContain('not confirmed yet')
  // Mail scanners send HEAD, which must not use up the link.
  await fetch(link, { method: 'HEAD' })
  const done = await by.get(link)
  expect([done.status, done.title]).toEqual([200, 'Your e-mail address is confirmed · Murmuration'])
  expect((await by.get(at('/settings'))).text).toContain('@wren@')
  await harness.waitForIdle()
  expect(mailServer.mails.all.map((mail) => mail.subject)).toContain('Welcome to Murmuration')
  const again = await browse().get(link)
  expect([again.status, again.text]).toEqual([422, expect.stringContaining('is no longer valid')])
})

test('a refused form shows the errors and keeps its fields, except for the password', async () => {
  await harness.call(createAccountByOperator, { username: 'taken', email: 'taken@mail.example', confirmed: true })
  const by = browse()
  await openForm(by)
  read()
  const page = await fill(by, 'taken', { 'user[password]': 'password1' })
  expect(page.status).toBe(422)
  expect(page.alerts.join(' ')).toMatch(
    /Username has already been taken\..*Email has already been taken\..*Password is too common/,
  )
  const fields = Object.fromEntries(page.forms[0]?.fields.map((one) => [one.name, one.value]) ?? [])
  expect([fields['user[username]'], fields['user[email]'], fields['user[password]']]).toEqual([
    'taken',
    'taken@mail.example',
    '',
  ])
})

test('bots are refused: forms sent too quickly, with the hidden field filled, or with a forged time', async () => {
  const quick = browse()
  await openForm(quick)
  expect((await fill(quick, 'quick')).alerts.join()).toContain('submitted too quickly')
  const greedy = browse()
  await openForm(greedy)
  read()
  expect((await fill(greedy, 'greedy', { 'user[website]': 'https://spam.example' })).status).toBe(422)
  const forged = browse()
  await openForm(forged)
  read()
  expect((await fill(forged, 'forged', { 'user[begun]': '1000000000000.abc' })).status).toBe(422)
  const rows = await harness
    .db('accounts')
    .rows(sql`select 1 from accounts where username in ('quick', 'greedy', 'forged')`)
  expect(rows).toEqual([])
})

test('the rules are shown first if there are any; date of birth and reason are required if the settings say so', async () => {
  await harness.call(createRule, { text: 'Be kind to gulls', hint: 'They remember.' })
  await setting('registrations_mode', 'approved')
  await setting('require_invite_text', 'true')
  await setting('min_age', '16')
  const by = browse()
  const first = await by.get(at('/auth/sign_up'))
  expect(first.text).toContain('Be kind to gulls')
  await by.submit(0, { button: 'I accept' })
  read()
  const page = await fill(by, 'young', {
    'user[date_of_birth]': `${new Date().getFullYear() - 3}-01-01`,
    'user[reason]': 'x',
  })
  expect(page.alerts.join()).toContain('below the age limit')
  read()
  const old = await fill(by, 'heron', { 'user[date_of_birth]': '1980-01-01', 'user[reason]': 'I like reeds' })
  expect(old.url).toBe(at('/auth/setup'))
  const waiting = await by.get(await linkTo('heron@mail.example', '/auth/confirmation'))
  expect(waiting.text).toContain('pending review by the moderators')
  expect((await by.get(at('/auth/setup'))).text).toContain('pending review')
  const [row] = await harness.db('accounts').rows<{ id: string }>(sql`select id from accounts where username = 'heron'`)
  expect(await harness.call(approveRegistration, { id: row?.id ?? '' })).toEqual({ changed: true })
  await harness.waitForIdle()
  expect(mailServer.mails.all.map((mail) => mail.subject)).toContain('Your account on Murmuration was approved')
  expect((await by.get(at('/settings'))).text).not.toContain('pending review')
  for (const [name, value] of [
    ['registrations_mode', 'open'],
    ['require_invite_text', 'false'],
    ['min_age', 'null'],
  ] as const)
    await setting(name, value)
})

/** Token of a new application without a user, which may sign users up. */
const appGrant = async (): Promise<string> => {
  const app = await harness.http('/api/v1/apps', {
    json: { client_name: 'Joiner', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob', scopes: 'read write' },
  })
  const grant = await harness.http('/oauth/token', {
    json: { ...app.json<Record<string, string>>(), grant_type: 'client_credentials', scope: 'read write' },
  })
  return grant.json<{ access_token: string }>().access_token
}

test('S-162 an invite is created in the settings, works for browsers and apps, and ends when it is deactivated', async () => {
  await harness.createAccount('inviter')
  const { by } = await signIn('inviter')
  await setting('registrations_mode', 'none')
  await by.get(at('/invites'))
  const made = await by.submit(1, { button: 'Generate invite link', fields: { max_uses: '5' } }).catch(() => null)
  const page = made ?? (await by.get(at('/invites')))
  const link = /https?:\/\/\S+\/invite\/([2-9A-Za-z]{8})/.exec(page.text)
  expect(link).not.toBeNull()
  const path = `/invite/${link?.[1]}`
  const json = await harness.http(path, { headers: { accept: 'application/json' } })
  expect(json.json()).toEqual({ invite_code: link?.[1], instance_api_url: `${harness.origin}/api/v2/instance` })
  const bad = await harness.http('/invite/nothing', { headers: { accept: 'application/json' } })
  expect([bad.status, bad.json().error]).toEqual([401, 'This invite is not valid'])
  expect((await browse().get(at('/auth/sign_up'))).status).toBe(403)
  const guest = browse()
  await openForm(guest, path)
  read()
  expect((await fill(guest, 'guest')).url).toBe(at('/auth/setup'))
  const grant = await appGrant()
  const app = { ...{ password: PASSWORD, agreement: 'true', locale: 'en' }, username: 'appguest' }
  const asked = (more: object) =>
    harness.http('/api/v1/accounts', { token: grant, json: { ...app, email: 'appguest@mail.example', ...more } })
  expect((await asked({})).status).toBe(403)
  const joined = await asked({ invite_code: link?.[1] })
  expect([joined.status, joined.json().token_type], joined.text).toEqual([200, 'Bearer'])
  await by.get(at('/invites'))
  const forms = (await by.get(at('/invites'))).forms
  const end = forms.findIndex((one) => one.action.includes('/invites/'))
  const form = forms[end]
  if (!form) throw new Error('there is no form that deactivates the invite')
  const id = new URL(form.action).pathname.replace('/invites/', '')
  const longer = { ...form, action: at(`/invites/${id.padStart(19, '0')}0`) }
  expect((await by.submit(longer, { button: 'Deactivate' })).status).toBe(404)
  expect((await harness.http(path, { headers: { accept: 'application/json' } })).status).toBe(200)
  await by.submit(form, { button: 'Deactivate' })
  const over = await harness.http(path, { headers: { accept: 'application/json' } })
  expect(over.status).toBe(401)
  await setting('registrations_mode', 'open')
})

test('D005 a password recovery shows the same page for every address, and the link works once', async () => {
  await harness.createAccount('forgetful')
  const sendRequest = async (email: string) => {
    const by = browse()
    await by.get(at('/auth/password/new'))
    const page = await by.submit(0, { fields: { 'user[email]': email } })
    return [page.status, page.text]
  }
  expect(await sendRequest('nobody@mail.example')).toEqual(await sendRequest('forgetful@mail.example'))
  const link = await linkTo('forgetful@mail.example', '/auth/password/edit')
  const by = browse()
  await by.get(link)
  const weak = await by.submit(0, { fields: { 'user[password]': 'password1' } })
  expect([weak.status, weak.alerts.length]).toEqual([422, 1])
  const done = await by.submit(0, { fields: { 'user[password]': 'a fresh password' } })
  expect([done.url, done.text]).toEqual([
    at('/auth/sign_in'),
    expect.stringContaining('Your password has been changed'),
  ])
  expect((await signIn('forgetful', 'a fresh password')).page.url).toBe(at('/home'))
  await by.get(link)
  expect((await by.submit(0, { fields: { 'user[password]': 'another password' } })).status).toBe(422)
})

test('D003 no browser cuts a long password, and a refusal names the maximum', async () => {
  await harness.createAccount('careful')
  const { by } = await signIn('careful')
  const visitor = browse()
  await visitor.get(at('/auth/password/new'))
  await visitor.submit(0, { fields: { 'user[email]': 'careful@mail.example' } })
  const reset = await linkTo('careful@mail.example', '/auth/password/edit')
  const pages = [
    await visitor.get(at('/auth/sign_in')),
    await visitor.get(at('/auth/sign_up?accept=1')),
    await by.get(at('/auth/edit')),
    await by.get(at('/settings/delete')),
    await by.get(at('/settings/second_factor')),
    await visitor.get(reset),
  ]
  for (const { url, html } of pages) {
    expect(html, url).toContain('type="password"')
    expect(html, url).not.toMatch(/<input[^>]*type="password"[^>]*maxlength/)
  }
  const long = await visitor.submit(0, { fields: { 'user[password]': 'long '.repeat(30) } })
  expect([long.status, long.alerts.join()]).toEqual([422, expect.stringContaining('maximum is 128 characters')])
  expect(long.text).toContain('Use 8 to 128 characters')
  await visitor.submit(0, { fields: { 'user[password]': '🐦'.repeat(128) } })
  expect((await signIn('careful', '🐦'.repeat(128))).page.url).toBe(at('/home'))
})

test('A100 D009 changing e-mail address or password requires the password, and signs out other browsers', async () => {
  await harness.createAccount('changer')
  const { by } = await signIn('changer')
  const other = await signIn('changer')
  const formOf = async (what: string) => {
    const page = await by.get(at('/auth/edit'))
    return page.forms.findIndex((form) => form.fields.some((one) => one.name === 'what' && one.value === what))
  }
  const wrong = await by.submit(await formOf('email'), {
    fields: { 'user[email]': 'new@mail.example', 'user[current]': 'wrong' },
  })
  expect([wrong.status, wrong.alerts.join()]).toEqual([422, expect.stringContaining('not right')])
  const sent = await by.submit(await formOf('email'), {
    fields: { 'user[email]': 'new@mail.example', 'user[current]': PASSWORD },
  })
  expect(sent.text).toContain('An e-mail with a confirmation link was sent to the new address')
  expect((await by.get(await linkTo('new@mail.example', '/auth/confirmation'))).text).toContain(
    'new e-mail address is confirmed',
  )
  const changed = await by.submit(await formOf('password'), {
    fields: { 'user[current]': PASSWORD, 'user[password]': 'a fresh password' },
  })
  expect(changed.text).toContain('Your password has been changed')
  expect((await by.get(at('/auth/edit'))).text).toContain('You are signed in')
  expect((await other.by.get(at('/auth/edit'))).title).toContain('Sign in')
})

test('A089 the eleventh wrong password in the settings gets 429', async () => {
  await harness.createAccount('guesser')
  const { by } = await signIn('guesser')
  const page = await by.get(at('/auth/edit'))
  const form = page.forms.findIndex((one) => one.fields.some((field) => field.value === 'password'))
  const statuses: number[] = []
  for (let i = 0; i < 11; i++) {
    await by.get(at('/auth/edit'))
    statuses.push(
      (await by.submit(form, { fields: { 'user[current]': `wrong ${i}`, 'user[password]': 'a fresh password' } }))
        .status,
    )
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429])
})

test('A090 A091 the sixth request for a confirmation e-mail gets 429', async () => {
  const { by } = await signUp('flooded')
  const statuses: number[] = []
  for (let i = 0; i < 6; i++) {
    await by.get(at('/auth/setup'))
    statuses.push(
      (
        await by.submit(
          by.page().forms.findIndex((one) => one.action.endsWith('/auth/setup')),
          {},
        )
      ).status,
    )
  }
  expect(statuses.slice(0, 5)).toEqual([200, 200, 200, 200, 200])
  expect(statuses[5]).toBe(429)
  await harness.waitForIdle()
  expect(mailServer.mails.all.filter((mail) => mail.to.includes('flooded@mail.example')).length).toBeLessThanOrEqual(6)
})

test('e-mail notifications are chosen in the settings, and an invalid unsubscribe link is refused', async () => {
  await harness.createAccount('reader')
  const { by } = await signIn('reader')
  const page = await by.get(at('/settings/mail'))
  const form = page.forms.findIndex((one) => one.fields.some((field) => field.name === 'mention'))
  expect(page.forms[form]?.fields.filter((one) => one.checked).map((one) => one.name)).toEqual([
    'mention',
    'quote',
    'follow',
    'follow_request',
    'admin.report',
  ])
  const saved = await by.submit(form, { fields: { mention: false, favourite: true, daily: true } })
  expect(saved.text).toContain('Saved.')
  expect((await browse().get(at('/unsubscribe?token=nonsense'))).forms).toHaveLength(1)
  const refused = await harness.http('/unsubscribe?token=nonsense', {
    method: 'POST',
    body: 'List-Unsubscribe=One-Click',
  })
  expect(refused.status).toBe(422)
})

test('deleting an account requires the password, and ends sessions, tokens and the profile page', async () => {
  const token = await harness.createAccount('leaver')
  const { by } = await signIn('leaver')
  const formAt = async () =>
    (await by.get(at('/settings/delete'))).forms.findIndex((one) => one.action.endsWith('/settings/delete'))
  expect((await by.submit(await formAt(), { fields: { password: 'wrong password' } })).status).toBe(422)
  const gone = await by.submit(await formAt(), { fields: { password: PASSWORD } })
  expect([gone.url, gone.text]).toEqual([at('/auth/sign_in'), expect.stringContaining('has been deleted')])
  expect((await harness.http('/@leaver')).status).toBe(404)
  await expect.poll(async () => (await harness.http('/api/v1/accounts/verify_credentials', { token })).status).toBe(401)
  expect((await signIn('leaver')).page.status).toBe(422)
})

test('S-125 A098 after a sign-up by an app the token allows only e-mail confirmation until the link was opened', async () => {
  const own = await appGrant()
  const input = { username: 'finch', email: 'finch@mail.example', password: PASSWORD, agreement: 'true', locale: 'de' }
  const made = await harness.http('/api/v1/accounts', { token: own, json: input })
  expect(made.status, made.text).toBe(200)
  const token = made.json<{ access_token: string }>().access_token
  const check = () => harness.http('/api/v1/emails/check_confirmation', { token })
  expect((await check()).text).toBe('false')
  const status = await harness.http('/api/v1/statuses', { token, json: { status: 'too early' } })
  // The language of the account.
  expect([status.status, status.json().error]).toEqual([403, 'Deinem Zugang fehlt eine bestätigte E-Mail-Adresse'])
  const english = await harness.http('/api/v1/statuses?lang=en', { token, json: { status: 'too early' } })
  expect(english.json().error).toBe('Your login is missing a confirmed e-mail address')
  expect((await harness.http('/api/v1/emails/confirmations', { token, json: {} })).text).toBe('{}')
  expect((await harness.http('/api/v1/emails/confirmations', { token: own, json: {} })).status).toBe(422)
  expect((await harness.http('/api/v1/emails/check_confirmation')).status).toBe(401)
  const link = await linkTo('finch@mail.example', '/auth/confirmation')
  expect(mailServer.mails.all.at(-1)?.subject).toBe('Bestätige deine Adresse für Murmuration')
  await browse().get(link)
  expect((await check()).text).toBe('true')
  expect((await harness.http('/api/v1/statuses', { token, json: { status: 'hello' } })).status).toBe(200)
  const wrong = await harness.http('/api/v1/accounts', {
    token: own,
    json: { ...input, email: 'x', agreement: 'false' },
  })
  expect([wrong.status, Object.keys(wrong.json<{ details: object }>().details).sort()]).toEqual([
    422,
    ['agreement', 'email', 'username'],
  ])
})

test('D006 the sixth sign-up from one IP address in half an hour gets 429', async () => {
  const token = await appGrant()
  const statuses: number[] = []
  for (let i = 0; i < 6; i++) statuses.push((await harness.http('/api/v1/accounts', { token, json: {} })).status)
  expect(statuses.at(-1)).toBe(429)
})
