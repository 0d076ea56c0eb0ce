/** Roles, their assignment, and webhooks below `/admin` over plain HTTP. */
import { listRoles } from '@murmuration/contracts/accounts'
import { browseAuditLog, listWebhooks, showAccountForStaff } from '@murmuration/contracts/admin'
import { type Received, type StubResponse, serve, type WebServer } from '@murmuration/testkit/outside/web-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type StaffHarness, startStaffHarness } from './staff-harness.js'

let server: StaffHarness
let listener: WebServer
const received: Received[] = []
let answer: StubResponse = { status: 200 }
beforeAll(async () => {
  listener = await serve((request) => {
    received.push(request)
    return answer
  })
  server = await startStaffHarness({ OUTBOUND_ALLOW_ADDRESSES: '127.0.0.0/8' })
})
afterAll(async () => {
  await server.stop()
  await listener.close()
})

const roles = () => server.call(listRoles, {}, server.owner)
const roleNamed = async (name: string) => (await roles()).find((one) => one.name === name)
const webhooks = () => server.call(listWebhooks, {}, server.owner)

test('a role is created, changed and deleted, and a refused form keeps its input', async () => {
  const by = await server.signIn('boss')
  await server.open(by, '/admin/roles/new')
  await server.press(by, '/admin/roles/new', { fields: { name: 'Helper', color: 'red', position: '7' } })
  expect([by.page().status, by.page().alerts]).toEqual([422, ['Color is invalid']])
  expect(by.page().html).toContain('value="Helper"')
  await server.press(by, '/admin/roles/new', {
    fields: {
      name: 'Helper',
      color: '#1f6f75',
      position: '7',
      'permissions[]': ['manage_reports', 'view_dashboard'],
      highlighted: true,
      require_2fa: true,
      collection_limit: '3',
    },
  })
  expect(by.page().text).toContain('The role was created.')
  const made = await roleNamed('Helper')
  expect(made).toMatchObject({
    color: '#1f6f75',
    position: 7,
    permission_names: ['view_dashboard', 'manage_reports'],
    highlighted: true,
    require_2fa: true,
    collection_limit: 3,
  })
  const path = `/admin/roles/${made?.id}`
  await server.open(by, path)
  await server.press(by, path, { fields: { 'permissions[]': [], require_2fa: false }, button: 'Save' })
  expect(await roleNamed('Helper')).toMatchObject({ permission_names: [], require_2fa: false, highlighted: true })
  await server.open(by, path)
  await server.press(by, path, { button: 'Delete' })
  expect(await roleNamed('Helper')).toBeDefined()
  await server.press(by, path, { fields: { sure: true }, button: 'Delete' })
  expect(await roleNamed('Helper')).toBeUndefined()
})

test('the role of everyone can have invitation permissions only', async () => {
  const by = await server.signIn('boss')
  const { html } = await server.open(by, '/admin/roles/-99')
  expect([...html.matchAll(/id="permission-(\w+)"/g)].map((one) => one[1])).toEqual([
    'invite_users',
    'invite_bypass_approval',
  ])
  await server.press(by, '/admin/roles/-99', { fields: { 'permissions[]': [] } })
  expect((await roles()).find((one) => one.id === '-99')).toMatchObject({ permission_names: [] })
})

test('staff gives only permissions that it has, and roles that are not below its own cannot be changed', async () => {
  await server.make('admina', 'Admin')
  const by = await server.signIn('admina')
  const owner = await roleNamed('Owner')
  const locked = await server.open(by, `/admin/roles/${owner?.id}`)
  expect(locked.text).toContain('This role is not below yours.')
  expect(locked.html).toMatch(/<fieldset class="bare" disabled>/)
  const moderator = await roleNamed('Moderator')
  const path = `/admin/roles/${moderator?.id}`
  const { html } = await server.open(by, path)
  expect(html).toMatch(/value="administrator"[^>]* disabled/)
  expect(html).toMatch(/value="manage_users"(?![^>]* disabled)/)
  await server.press(by, path, { fields: { 'permissions[]': ['manage_reports'] }, button: 'Save' })
  expect(await roleNamed('Moderator')).toMatchObject({ permission_names: ['manage_reports'] })
})

test('a role is assigned on its own page, and only roles up to the own position are offered', async () => {
  const { id } = await server.make('promoted')
  await server.make('adminb', 'Admin')
  const by = await server.signIn('adminb')
  await server.open(by, `/admin/accounts/${id}`)
  await by.follow('Change the role')
  expect(by.page().text).not.toContain('Owner')
  const moderator = await roleNamed('Moderator')
  await server.press(by, `/admin/accounts/${id}/role`, { fields: { role_id: moderator?.id ?? '' } })
  expect(by.page().text).toContain('The role was changed.')
  expect((await server.call(showAccountForStaff, { id }, server.owner)).role?.name).toBe('Moderator')
  await server.open(by, `/admin/accounts/${id}/role`)
  await server.press(by, `/admin/accounts/${id}/role`, { fields: { role_id: '' } })
  expect((await server.call(showAccountForStaff, { id }, server.owner)).role?.name ?? '').toBe('')
})

test('a webhook is created, and its secret is shown only then', async () => {
  const by = await server.signIn('boss')
  await server.open(by, '/admin/webhooks/new')
  const refused = await server.press(by, '/admin/webhooks/new', {
    fields: { url: `${listener.origin}/hook`, template: '{{' },
  })
  expect([refused.status, refused.alerts]).toEqual([422, ["Events can't be blank"]])
  expect(refused.html).toContain('{{</textarea>')
  await server.press(by, '/admin/webhooks/new', {
    fields: { url: `${listener.origin}/hook`, 'events[]': ['account.created', 'report.created'], template: '' },
  })
  const secret = /[0-9a-f]{40}/.exec(by.page().html)?.[0] ?? ''
  const [made] = await webhooks()
  expect(made).toMatchObject({ events: ['account.created', 'report.created'], secret, enabled: true })
  expect((await server.open(by, `/admin/webhooks/${made?.id}`)).html).not.toContain(secret)
  await server.press(by, `/admin/webhooks/${made?.id}`, { button: 'New secret' })
  const [changed] = await webhooks()
  expect(changed?.secret).not.toBe(secret)
  expect(by.page().html).toContain(changed?.secret)
})

test('a test request shows the response of the webhook and is logged, and deliveries are listed with their errors', async () => {
  const by = await server.signIn('boss')
  const [hook] = await webhooks()
  const path = `/admin/webhooks/${hook?.id}`
  await server.open(by, path)
  await server.press(by, path, { button: 'Send a test' })
  expect(by.page().text).toContain('The webhook accepted the test.')
  answer = { status: 410 }
  await server.press(by, path, { button: 'Send a test' })
  expect(by.page().alerts.join(' ')).toContain('The webhook did not accept the test.')
  expect(by.page().text).toMatch(/HTTP status 410/)
  const log = await server.call(browseAuditLog, { action: 'test_webhook' }, server.owner)
  expect(log.map((one) => [one.target, (one.after as { status: number }).status])).toEqual([
    [new URL(listener.origin).host, 410],
    [new URL(listener.origin).host, 200],
  ])
  await server.make('newcomer')
  await server.waitForIdle()
  const { text } = await server.open(by, path)
  expect(text).toMatch(/account\.created Refused 1 410 HTTP 410/)
})

test('a webhook is changed, disabled, enabled and deleted', async () => {
  const by = await server.signIn('boss')
  const [hook] = await webhooks()
  const path = `/admin/webhooks/${hook?.id}`
  await server.open(by, path)
  await server.press(by, path, {
    fields: { 'events[]': ['status.created'], template: '{"text":"{{object.url}}"}' },
    button: 'Save',
  })
  expect(await webhooks()).toMatchObject([{ events: ['status.created'], template: '{"text":"{{object.url}}"}' }])
  await server.open(by, path)
  await server.press(by, path, { button: 'Disable' })
  expect(await webhooks()).toMatchObject([{ enabled: false }])
  await server.press(by, path, { button: 'Enable' })
  expect(await webhooks()).toMatchObject([{ enabled: true }])
  await server.press(by, path, { fields: { sure: true }, button: 'Delete' })
  expect(await webhooks()).toEqual([])
})
