/** The page of an audit log entry: its content, its undo, and the reasons why an undo is refused. */
import { createRole } from '@murmuration/contracts/accounts'
import {
  actOnAccount,
  browseAuditLog,
  createDomainBlock,
  createWebhook,
  getSettings,
  importDomainBlocks,
  listDomainBlocks,
  removeDomainBlock,
  rotateWebhookSecret,
  setSetting,
  showAccountForStaff,
} from '@murmuration/contracts/admin'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type StaffHarness, startStaffHarness } from './staff-harness.js'

const LOG = '/admin/audit_log'
let server: StaffHarness
beforeAll(async () => {
  server = await startStaffHarness({ RATE_LIMITS: 'off' })
})
afterAll(() => server.stop())

/** Path of the page of the newest entry. */
const newest = async (): Promise<string> => {
  const [entry] = await server.call(browseAuditLog, { limit: 1 }, server.owner)
  if (!entry) throw new Error('the audit log is empty')
  return `${LOG}/${entry.id}`
}
const limit = async (id: string, text = ''): Promise<string> => {
  await server.call(actOnAccount, { id, type: 'silence', text }, server.owner)
  const [entry] = await server.call(browseAuditLog, { target_id: id, action: 'silence_account' }, server.owner)
  return `${LOG}/${entry?.id}`
}
const isLimited = async (id: string) => (await server.call(showAccountForStaff, { id }, server.owner)).silenced
const BUTTON = 'Undo this action'
const hasForm = (page: { forms: readonly { action: string }[] }) =>
  page.forms.some((one) => one.action.endsWith('/undo'))

test('an account page lists the actions about it, and links to their entries', async () => {
  const { id } = await server.make('listed')
  const path = await limit(id)
  const by = await server.signIn('boss')
  const account = await server.open(by, `/admin/accounts/${id}`)
  expect(account.html).toContain(`href="${path}"`)
  await by.follow('Account limited')
  const page = by.page()
  expect(page.url).toBe(server.origin + path)
  for (const text of ['@boss', 'silence_account', 'Limited', 'The account is no longer limited.'])
    expect(page.text).toContain(text)
  expect(page.html).toContain(`href="/admin/accounts/${id}"`)
  expect(page.html).toMatch(/<b>Limited<\/b>.*?>No<.*?>Yes</s)
  expect(page.html).not.toContain('silenced_by')
  expect(page.html).toContain('<label for="reason">')
  expect((await server.open(by, LOG)).html).toContain(`href="${path}"`)
})

test('an undo restores the state, keeps its reason, and is linked both ways', async () => {
  const { id } = await server.make('undone')
  const path = await limit(id)
  const by = await server.signIn('boss')
  await server.open(by, path)
  const done = await server.press(by, `${path}/undo`, { button: BUTTON, fields: { reason: '<b>A mistake</b>' } })
  expect([done.status, done.url]).toEqual([200, server.origin + path])
  for (const text of ['The action is undone.', 'Undone', 'This action is undone already.'])
    expect(done.text).toContain(text)
  expect(hasForm(done)).toBe(false)
  expect(await isLimited(id)).toBe(false)
  await by.follow('The entry that undid this one')
  const undo = by.page()
  for (const text of ['Limit removed', '<b>A mistake</b>', '@boss']) expect(undo.text).toContain(text)
  expect(undo.html).toContain(`href="${path}"`)
  await server.press(by, new URL(`${undo.url}/undo`).pathname, { button: BUTTON })
  expect(await isLimited(id)).toBe(true)
})

test('the undo of an entry that was undone meanwhile is refused on the page', async () => {
  const { id } = await server.make('twice')
  const path = await limit(id)
  const [first, second] = [await server.signIn('boss'), await server.signIn('boss')]
  await server.open(first, path)
  await server.open(second, path)
  await server.press(first, `${path}/undo`, { button: BUTTON })
  const refused = await server.press(second, `${path}/undo`, { button: BUTTON })
  expect([refused.status, refused.alerts]).toEqual([409, ['This action is undone already']])
  expect(hasForm(refused)).toBe(false)
})

test('the undo of a state that changed since is refused, and the page shows the reason afterwards', async () => {
  const { id } = await server.make('changed')
  const path = await limit(id)
  const by = await server.signIn('boss')
  await server.open(by, path)
  await limit(id)
  const refused = await server.press(by, `${path}/undo`, { button: BUTTON })
  expect([refused.status, refused.alerts]).toEqual([409, ['The state has changed since this action']])
  const page = await server.open(by, path)
  expect([page.status, page.text, hasForm(page)]).toEqual([
    200,
    expect.stringContaining('The state has changed since this action.'),
    false,
  ])
  expect(await isLimited(id)).toBe(true)
})

test('a role without the permission of the action can read the entry, but not undo it', async () => {
  const role = { name: 'Auditor', position: 5, permissions: ['view_audit_log', 'manage_reports'] as const }
  await server.call(createRole, { ...role, permissions: [...role.permissions] }, server.owner)
  await server.make('auditor', 'Auditor')
  await server.call(createDomainBlock, { domain: 'audited.example', severity: 'suspend' }, server.owner)
  const path = await newest()
  const by = await server.signIn('auditor')
  const page = await server.open(by, path)
  expect([page.status, hasForm(page)]).toEqual([200, false])
  expect(page.text).toContain('Your role does not allow this undo.')
  expect(page.html).not.toContain('href="/admin/domains')
  const proof = page.forms.flatMap((one) => one.fields).find((one) => one.name === 'authenticity_token')?.value ?? ''
  const headers = { cookie: by.cookies.header(new URL(server.origin)) }
  const body = new URLSearchParams({ authenticity_token: proof })
  const forged = await server.http(`${path}/undo`, { method: 'POST', headers, body })
  expect([forged.status, forged.text]).toEqual([403, expect.stringContaining('This action is not allowed')])
  const blocks = await server.call(listDomainBlocks, {}, server.owner)
  expect(blocks.map(({ domain }) => domain)).toContain('audited.example')
})

test('entries are hidden from roles without the audit log, and an undo requires a CSRF token', async () => {
  await server.call(createRole, { name: 'Helper', position: 4, permissions: ['manage_users'] }, server.owner)
  await server.make('helper', 'Helper')
  const { id } = await server.make('guarded')
  const path = await limit(id)
  const by = await server.signIn('helper')
  expect((await server.open(by, path)).status).toBe(403)
  expect((await server.open(by, `/admin/accounts/${id}`)).html).not.toContain(LOG)
  const boss = await server.signIn('boss')
  const headers = { cookie: boss.cookies.header(new URL(server.origin)) }
  const forged = await server.http(`${path}/undo`, { method: 'POST', headers, body: new URLSearchParams() })
  expect([forged.status, await isLimited(id)]).toEqual([403, true])
  for (const wrong of ['5', 'x']) expect((await server.open(boss, `${LOG}/${wrong}`)).status).toBe(404)
})

test('the undo of an added block removes it, and the undo of a removed block restores it', async () => {
  const block = { domain: 'spam.example', severity: 'suspend', private_comment: '<i>Spam</i>' }
  const { id } = await server.call(createDomainBlock, block, server.owner)
  const by = await server.signIn('boss')
  const added = await newest()
  const page = await server.open(by, added)
  for (const text of [
    'Server blocked',
    'Severity',
    'Suspend',
    '<i>Spam</i>',
    'The undo removes what this action added.',
  ])
    expect(page.text).toContain(text)
  expect(page.html).toContain(`href="/admin/domains/${id}"`)
  await server.call(removeDomainBlock, { id }, server.owner)
  const removed = await newest()
  expect((await server.open(by, removed)).text).toContain('The undo restores what this action removed.')
  expect(by.page().html).not.toContain(`href="/admin/domains/${id}"`)
  const domains = async () => (await server.call(listDomainBlocks, {}, server.owner)).map(({ domain }) => domain)
  await server.press(by, `${removed}/undo`, { button: BUTTON })
  expect(await domains()).toContain('spam.example')
  await server.open(by, added)
  await server.press(by, `${added}/undo`, { button: BUTTON })
  expect(await domains()).not.toContain('spam.example')
})

test('entries of one import are listed on the page of each', async () => {
  const rows = [['one.example'], ['two.example']]
  await server.call(importDomainBlocks, { rows }, server.owner)
  const by = await server.signIn('boss')
  const page = await server.open(by, await newest())
  for (const text of ['Other entries of the same bulk action', 'one.example', 'two.example'])
    expect(page.text).toContain(text)
  await by.follow('All entries of this bulk action')
  expect(by.page().url).toContain(`${LOG}?batch_id=`)
})

test('a setting shows its values, and its undo resets it', async () => {
  await server.call(setSetting, { name: 'site_title', value: 'Starlings & friends' }, server.owner)
  const by = await server.signIn('boss')
  const path = await newest()
  const page = await server.open(by, path)
  for (const text of ['Setting changed', 'site_title', 'Starlings & friends', 'The undo resets the setting'])
    expect(page.text).toContain(text)
  await server.press(by, `${path}/undo`, { button: BUTTON })
  const { settings } = await server.call(getSettings, {}, server.owner)
  expect(settings.site_title).not.toBe('Starlings & friends')
})

test('no entry contains a new secret', async () => {
  const made = { url: 'https://hooks.example/secret-path', events: ['report.created'] }
  const { id, secret: old } = await server.call(createWebhook, made, server.owner)
  const by = await server.signIn('boss')
  expect((await server.open(by, await newest())).html).not.toContain(old)
  const { secret } = await server.call(rotateWebhookSecret, { id }, server.owner)
  const page = await server.open(by, await newest())
  expect(page.text).toContain('This entry records no change of a field.')
  for (const hidden of [old, secret, 'secret-path']) expect(page.html).not.toContain(hidden)
})

test('the page of an entry is translated into German', async () => {
  const { id } = await server.make('german')
  const path = await limit(id)
  const by = await server.signIn('boss')
  const page = await server.open(by, `${path}?lang=de`)
  for (const text of ['Konto eingeschränkt', 'Danach gilt:', 'Diese Aktion rückgängig machen'])
    expect(page.text).toContain(text)
  await limit(id)
  const changed = await server.open(by, `${path}?lang=de`)
  expect(changed.text).toContain('Der Zustand hat sich seit dieser Aktion geändert.')
})
