/** The pages below `/admin` over plain HTTP: permissions of the pages, and effects of their forms. */
import { app as accounts } from '@murmuration/accounts'
import { app as admin } from '@murmuration/admin'
import { createAccountByOperator, createRole, createTokenByOperator } from '@murmuration/contracts/accounts'
import { DEFAULT_ROLES } from '@murmuration/contracts/permissions'
import { sql } from '@murmuration/db'
import { app as federation } from '@murmuration/federation'
import { app as media } from '@murmuration/media'
import { app as notifications } from '@murmuration/notifications'
import { app as statuses } from '@murmuration/statuses'
import { viewer } from '@murmuration/testkit'
import type { Browser, Submission } from '@murmuration/testkit/browser/forms'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app as gateway } from '../src/main.js'
import { type Harness, PASSWORD, signInBrowser, startHarness } from './harness.js'

let server: Harness
let owner: string
beforeAll(async () => {
  server = await startHarness({ MEDIA_FFMPEG: 'off' }, [
    gateway,
    accounts,
    statuses,
    media,
    notifications,
    admin,
    federation,
  ])
  owner = (await make('boss', 'Owner')).id
})
afterAll(() => server.stop())

const at = (path: string): string => server.origin + path
const make = async (username: string, role?: string) => {
  const email = `${username}@mail.example`
  const input = { username, email, password: PASSWORD, confirmed: true, ...(role ? { role } : {}) }
  const { id } = await server.call(createAccountByOperator, input)
  const { token } = await server.call(createTokenByOperator, { username, scopes: 'read write admin:read admin:write' })
  return { id, token }
}
const signIn = (name: string): Promise<Browser> => signInBrowser(server, name)
const press = (by: Browser, path: string, submission: Submission) => {
  const form = by.page().forms.findLast((one) => new URL(one.action).pathname === path)
  if (!form)
    throw new Error(
      `no form to ${path}: ${by
        .page()
        .forms.map((one) => one.action)
        .join(' ')}`,
    )
  return by.submit(form, submission)
}
/** Creates a sign-up that waits for approval. */
const pend = async (username: string): Promise<string> => {
  const { id } = await make(username)
  await server.db('accounts').run(sql`update users set approved = false where account_id = ${id}`)
  return id
}
const report = async (token: string, target: string, comment: string): Promise<string> => {
  const filed = await server.http('/api/v1/reports', { token, json: { account_id: target, comment, category: 'spam' } })
  return filed.json<{ id: string }>().id
}
const shown = async <T>(path: string, token: string) => (await server.http(path, { token })).json<T>()

const PAGES = [
  '/admin',
  '/admin/reports',
  '/admin/reports?state=resolved',
  '/admin/accounts',
  '/admin/accounts?status=suspended&origin=remote',
  '/admin/sign_ups',
  '/admin/bulk_actions',
  '/admin/appeals',
  '/admin/appeals?state=approved',
  '/admin/strikes',
  '/admin/warning_presets',
  '/admin/trends',
  '/admin/trends/links',
  '/admin/trends/statuses',
  '/admin/trends/publishers',
  '/admin/audit_log',
  '/admin/domains',
  '/admin/allowed_domains',
  '/admin/blocks',
  '/admin/blocks/email_domains',
  '/admin/blocks/emails',
  '/admin/blocks/usernames',
  '/admin/tags',
  '/admin/invites',
  '/admin/relays',
  '/admin/terms',
  '/admin/terms/new',
  '/admin/custom_emojis',
  '/admin/remote_emojis',
  '/admin/rules',
  '/admin/announcements',
  '/admin/settings',
  '/admin/settings/registrations',
  '/admin/settings/discovery',
  '/admin/settings/access',
  '/admin/settings/posts',
  '/admin/queues',
  '/admin/dead_letters',
  '/admin/roles',
  '/admin/roles/new',
  '/admin/roles/-99',
  '/admin/webhooks',
  '/admin/webhooks/new',
]

test('an owner can open every page, and no page is cacheable or indexed', async () => {
  const by = await signIn('boss')
  for (const path of PAGES) {
    const page = await by.get(at(path))
    expect([path, page.status]).toEqual([path, 200])
    expect(page.headers['cache-control'], path).toBe('private, no-store')
    expect(page.headers['content-security-policy'], path).toContain("default-src 'none'")
    expect(page.headers['content-security-policy'], path).not.toContain('script-src')
    expect(page.html, path).toContain('noindex')
  }
})

test('an account without a role and a visitor can open no page and see no link', async () => {
  await make('plain')
  const by = await signIn('plain')
  expect((await by.get(at('/home'))).html).not.toContain('/admin')
  for (const path of PAGES) {
    expect([path, (await by.get(at(path))).status]).toEqual([path, 403])
    const visit = await server.http(path)
    expect([path, visit.status, visit.headers.get('location')?.split('?')[0]]).toEqual([path, 303, '/auth/sign_in'])
  }
})

test('a role with one permission can open only its pages', async () => {
  const { permissions, position } = DEFAULT_ROLES.owner
  const by = viewer(owner, { permissions, position })
  await server.call(createRole, { name: 'Reporter', position: 5, permissions: ['manage_reports'] }, by)
  await make('reporter', 'Reporter')
  const browser = await signIn('reporter')
  expect((await browser.get(at('/home'))).html).toContain('href="/admin"')
  const page = await browser.get(at('/admin'))
  expect(page.status).toBe(200)
  expect(page.html).toContain('href="/admin/reports"')
  expect(page.html).not.toContain('href="/admin/accounts"')
  expect(page.text).not.toContain('Last 30 days')
  for (const path of PAGES) {
    const isOwn = path === '/admin' || path.startsWith('/admin/reports')
    expect([path, (await browser.get(at(path))).status]).toEqual([path, isOwn ? 200 : 403])
  }
  expect(browser.page().text).toContain('Your role does not include this.')
})

test('a form without a CSRF token changes nothing', async () => {
  const by = await signIn('boss')
  const id = await pend('forged')
  const headers = { cookie: by.cookies.header(new URL(server.origin)) }
  const body = new URLSearchParams({ approve: id })
  expect((await server.http('/admin/sign_ups', { method: 'POST', headers, body })).status).toBe(403)
  const token = (await make('checker', 'Owner')).token
  expect(await shown(`/api/v1/admin/accounts/${id}`, token)).toMatchObject({ approved: false })
})

test('a sign-up is approved by the button of its row', async () => {
  const { token } = await make('approver', 'Admin')
  const one = await pend('one')
  const by = await signIn('approver')
  await by.get(at('/admin/sign_ups'))
  const form = by.page().forms.find((each) => new URL(each.action).pathname === '/admin/sign_ups')
  const proof = form?.fields.find((each) => each.name === 'authenticity_token')?.value ?? ''
  const headers = { cookie: by.cookies.header(new URL(server.origin)) }
  const body = new URLSearchParams({ authenticity_token: proof, approve: one })
  expect((await server.http('/admin/sign_ups', { method: 'POST', headers, body })).status).toBe(303)
  expect(await shown(`/api/v1/admin/accounts/${one}`, token)).toMatchObject({ approved: true })
})

test('a report is assigned; limiting the account resolves it, and the limit can be undone', async () => {
  const { token } = await make('mod', 'Moderator')
  const rude = await make('rude')
  const victim = await make('victim')
  const id = await report(victim.token, rude.id, 'They insult me')
  const by = await signIn('mod')
  await by.get(at('/admin/reports'))
  await by.get(at(`/admin/reports/${id}`))
  expect(by.page().text).toContain('They insult me')
  await press(by, `/admin/reports/${id}`, { button: 'Assign to me' })
  expect(by.page().text).toContain('The report is assigned to you.')
  await by.follow('Limit…')
  expect(by.page().text).toContain('It disappears from public timelines and trends.')
  expect(by.page().text).toContain('1 report')
  await press(by, `/admin/accounts/${rude.id}/act`, { fields: { text: 'Be kind.' } })
  expect(by.page().url).toBe(at(`/admin/reports/${id}`))
  expect(await shown(`/api/v1/admin/reports/${id}`, token)).toMatchObject({ action_taken: true })
  expect(await shown(`/api/v1/admin/accounts/${rude.id}`, token)).toMatchObject({ silenced: true })
  await by.get(at(`/admin/accounts/${rude.id}`))
  expect(by.page().text).toContain('silence_account')
  await press(by, `/admin/accounts/${rude.id}`, { button: 'Undo the limit' })
  expect(by.page().text).toContain('The account is no longer limited.')
  expect(await shown(`/api/v1/admin/accounts/${rude.id}`, token)).toMatchObject({ silenced: false })
})

test('an account is marked as a memorial after a confirmation, and the audit log undoes it', async () => {
  const { token } = await make('registrar', 'Admin')
  const gone = await make('deceased')
  const by = await signIn('registrar')
  const path = `/admin/accounts/${gone.id}`
  await by.get(at(path))
  expect(by.page().text).toMatch(/@deceased\s+Active/)
  await press(by, `${path}/memorialize`, { fields: { sure: false } })
  expect(by.page().text).toContain('Nothing was changed')
  await press(by, `${path}/memorialize`, { fields: { sure: true } })
  expect(by.page().text).toContain('The account is a memorial now.')
  expect(by.page().text).toContain('In memoriam')
  expect(by.page().forms.some((one) => one.action.endsWith('/memorialize'))).toBe(false)
  expect(await shown(`/api/v1/accounts/${gone.id}`, token)).toMatchObject({ memorial: true })
  await server.waitForIdle()
  const [entry] = (await shown('/api/murmuration/v1/admin/audit_log?action=memorialize_account', token)) as unknown as {
    id: string
  }[]
  await by.get(at(`/admin/audit_log/${entry?.id}`))
  await press(by, `/admin/audit_log/${entry?.id}/undo`, {})
  expect(await shown(`/api/v1/accounts/${gone.id}`, token)).not.toHaveProperty('memorial')
})

test('staff cannot act on an account of a higher role, and the page says so', async () => {
  await make('low', 'Moderator')
  const by = await signIn('low')
  await by.get(at(`/admin/accounts/${owner}/act?type=suspend`))
  const page = await press(by, `/admin/accounts/${owner}/act`, { fields: { text: '' } })
  expect(page.status).toBe(403)
  expect(page.alerts.join()).toContain('This action is not allowed')
})

test('the chart of a measure has a title, a description and the same numbers as a table', async () => {
  const by = await signIn('boss')
  const { html } = await by.get(at('/admin'))
  expect(html).toMatch(/<svg[^>]+role="img"[^>]+aria-labelledby="chart-new_users-title chart-new_users-desc"/)
  expect(html.match(/<polyline/g)?.length).toBeGreaterThanOrEqual(5)
  expect(html).not.toContain('style=')
})

test('a server is blocked, the block changed, and removed after a confirmation', async () => {
  const { token } = await make('federator', 'Admin')
  const by = await signIn('federator')
  await by.get(at('/admin/domains'))
  await press(by, '/admin/domains', { fields: { domain: 'not a domain' } })
  expect([by.page().status, by.page().alerts.length]).toEqual([422, 1])
  await by.get(at('/admin/domains'))
  await press(by, '/admin/domains', { fields: { domain: 'bad.example', severity: 'suspend', reject_media: true } })
  const blocks = () => shown<{ id: string; domain: string; severity: string }[]>('/api/v1/admin/domain_blocks', token)
  const [block] = await blocks()
  expect(block).toMatchObject({ domain: 'bad.example', severity: 'suspend', reject_media: true })
  await by.get(at(`/admin/domains/${block?.id}`))
  await press(by, `/admin/domains/${block?.id}`, { fields: { severity: 'silence', reject_media: false } })
  expect(await blocks()).toMatchObject([{ severity: 'silence', reject_media: false }])
  await by.get(at(`/admin/domains/${block?.id}/remove`))
  expect([by.page().text.includes('bad.example'), (await blocks()).length]).toEqual([true, 1])
  await press(by, `/admin/domains/${block?.id}/remove`, { button: 'Remove' })
  expect(await blocks()).toEqual([])
})

test.each([
  ['', { ip: '192.0.2.0/24', severity: 'no_access' }, '192.0.2.0/24'],
  ['/email_domains', { domain: 'spam.example' }, 'spam.example'],
  ['/emails', { email: 'someone@spam.example' }, ''],
  ['/usernames', { username: 'official', exact: true }, 'official'],
])('a sign-up block below /admin/blocks%s is added and removed', async (path, fields, text) => {
  const by = await signIn('boss')
  const count = async () => (await by.get(at(`/admin/blocks${path}`))).html.split('name="remove"').length
  const before = await count()
  const adding = by.page().forms.find((one) => new URL(one.action).pathname === `/admin/blocks${path}`) ?? 0
  await by.submit(adding, { fields })
  expect(by.page().text).toContain('The block was added.')
  expect(by.page().text).toContain(text)
  expect(await count()).toBe(before + 1)
  const { html, forms } = by.page()
  const proof = forms.at(-1)?.fields.find((one) => one.name === 'authenticity_token')?.value ?? ''
  const body = new URLSearchParams({
    authenticity_token: proof,
    remove: /name="remove" value="(\d+)"/.exec(html)?.[1] ?? '',
  })
  const headers = { cookie: by.cookies.header(new URL(server.origin)) }
  expect((await server.http(`/admin/blocks${path}`, { method: 'POST', headers, body })).status).toBe(303)
  expect(await count()).toBe(before)
})

test('a refused sign-up block is explained in its form, which keeps the input', async () => {
  const by = await signIn('boss')
  await by.get(at('/admin/blocks'))
  const form = by.page().forms.find((one) => new URL(one.action).pathname === '/admin/blocks') ?? 0
  const page = await by.submit(form, {
    fields: { ip: 'not an address', severity: 'no_access', comment: 'Scanner' },
  })
  expect([page.status, page.alerts.length]).toEqual([422, 1])
  expect(page.html).toMatch(/value="not an address"/)
  expect(page.html).toMatch(/<option value="no_access" selected>/)
  expect(page.html).toMatch(/value="Scanner"/)
})

test('the history of an account names the actors, and the audit log can be filtered', async () => {
  const target = await make('warned')
  const by = await signIn('boss')
  await by.get(at(`/admin/accounts/${target.id}/act?type=sensitive`))
  await press(by, `/admin/accounts/${target.id}/act`, { fields: { text: '' } })
  expect(by.page().text).toContain('@boss')
  const log = await by.get(at('/admin/audit_log?action=sensitive_account'))
  expect(log.text).toContain('warned')
  expect((await by.get(at('/admin/audit_log?action=nothing'))).text).toContain('No entry matches.')
})

test('staff with manage_reports only can read and resolve a report, and sees no action that needs other permissions', async () => {
  const { token } = await make('observer')
  const target = await make('observed')
  const id = await report(token, target.id, 'Please look')
  const by = await signIn('reporter')
  const dashboard = await by.get(at('/admin'))
  expect(dashboard.text).toMatch(/Open reports 1 Oldest: /)
  expect(dashboard.text).not.toContain('Pending sign-ups')
  const page = await by.get(at(`/admin/reports/${id}`))
  expect(page.status).toBe(200)
  expect(page.text).not.toContain('Suspend…')
  expect((await by.get(at(`/admin/accounts/${target.id}/act?type=suspend`))).status).toBe(403)
  await by.get(at(`/admin/reports/${id}`))
  await press(by, `/admin/reports/${id}`, { button: 'Resolve without action' })
  expect(by.page().text).toContain('The report is resolved.')
  await press(by, `/admin/reports/${id}`, { button: 'Reopen the report' })
  expect(by.page().text).toContain('The report is open again.')
})
