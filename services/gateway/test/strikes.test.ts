/** Pages of strikes, appeals and warning presets. */
import { app as accounts } from '@murmuration/accounts'
import { app as admin } from '@murmuration/admin'
import { createAccountByOperator, createTokenByOperator } from '@murmuration/contracts/accounts'
import {
  browseAuditLog,
  listAppeals,
  listStrikes,
  listWarningPresets,
  STRIKE_LINK,
  undoAuditLogEntry,
} from '@murmuration/contracts/admin'
import { ALL_PERMISSIONS } from '@murmuration/contracts/permissions'
import { app as federation } from '@murmuration/federation'
import { derive, signId } from '@murmuration/kernel'
import { app as media } from '@murmuration/media'
import { app as notifications } from '@murmuration/notifications'
import { app as statuses } from '@murmuration/statuses'
import { viewer } from '@murmuration/testkit'
import { type Browser, openBrowser, type Submission } from '@murmuration/testkit/browser/forms'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app as gateway } from '../src/main.js'
import { type Harness, PASSWORD, signInBrowser, startHarness } from './harness.js'

let server: Harness
let owner: { id: string; token: string }
let boss: Browser
const staff = () => viewer(owner.id, { permissions: ALL_PERMISSIONS, position: 1_000 })
beforeAll(async () => {
  const apps = [gateway, accounts, statuses, media, notifications, admin, federation]
  server = await startHarness({ MEDIA_FFMPEG: 'off', RATE_LIMITS: 'off' }, apps)
  owner = await make('boss', 'Owner')
  boss = await signIn('boss')
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
const open = (headers: Record<string, string> = {}) =>
  openBrowser({ headers, follows: (url) => url.origin === server.origin })
const signIn = (name: string): Promise<Browser> => signInBrowser(server, name)
const press = (by: Browser, path: string, submission: Submission) => {
  const form = by.page().forms.findLast((one) => new URL(one.action).pathname === path)
  if (!form) throw new Error(`no form to ${path}: ${by.page().text}`)
  return by.submit(form, submission)
}
/** Runs an action on an account; returns the id of the strike. */
const act = async (account: string, type: string, text: string): Promise<string> => {
  const json = { type, text }
  const answer = await server.http(`/api/v1/admin/accounts/${account}/action`, { token: owner.token, json })
  expect(answer.status).toBe(200)
  return (await server.call(listStrikes, { account_id: account }, staff()))[0]?.id ?? ''
}
const appealState = async (account: string) =>
  (await server.call(listStrikes, { account_id: account }, staff()))[0]?.appeal?.state

test('an account holder sees strikes in the settings, and can appeal once', async () => {
  const alice = await make('alice')
  const by = await signIn('alice')
  expect((await by.get(at('/settings/strikes'))).text).toContain('The moderators made no decision')
  const id = await act(alice.id, 'silence', '<i>Be kind</i>')
  const page = await by.get(at('/settings/strikes'))
  for (const text of ['Account limited', '<i>Be kind</i>', 'You can appeal once']) expect(page.text).toContain(text)
  expect(page.html).toContain('&lt;i&gt;Be kind&lt;/i&gt;')
  expect(page.html).toContain(`<label for="appeal-${id}">`)

  const path = `/settings/strikes/${id}/appeal`
  const refused = await press(by, path, { fields: { text: ' ' } })
  expect([refused.status, refused.alerts]).toEqual([422, ["Text can't be blank"]])
  const sent = await press(by, path, { fields: { text: 'I was\nkind.' } })
  expect([sent.status, sent.text]).toEqual([200, expect.stringContaining('Your appeal was sent to the moderators.')])
  expect(sent.text).toContain('Your appeal is waiting for a decision.')
  expect(sent.forms.some((one) => one.action.includes('/appeal'))).toBe(false)
  expect(await appealState(alice.id)).toBe('pending')
})

test('a suspended account can sign in, open the strike from the settings, and appeal', async () => {
  const { id: account } = await make('susan')
  const id = await act(account, 'suspend', 'Spam')
  await server.waitForIdle()
  const by = await signIn('susan')
  const settings = await by.get(at('/settings'))
  expect(settings.text).toContain('Your account is suspended')
  expect(settings.html).toContain('href="/settings/strikes"')
  await by.get(at('/settings/strikes'))
  await press(by, `/settings/strikes/${id}/appeal`, { fields: { text: 'Not me' } })
  expect(await appealState(account)).toBe('pending')
})

test('the link in the e-mail shows the strike and accepts an appeal without a sign-in', async () => {
  const { id: account } = await make('dora')
  const id = await act(account, 'disable', 'Enough')
  const secret = derive(server.host.running[0]?.ctx.common as never, STRIKE_LINK)
  const token = signId(secret, id, Date.now() + 60_000)
  const by = open({ 'accept-language': 'de' })
  const page = await by.get(at(`/appeal?token=${token}`))
  expect(page.status).toBe(200)
  for (const text of ['@dora@', 'Enough', 'Deine Gründe']) expect(page.text).toContain(text)
  expect(page.headers['cache-control']).toBe('private, no-store')
  const refused = await press(by, '/appeal', { fields: { text: '' } })
  expect([refused.status, refused.alerts]).toEqual([422, ['Text darf nicht leer sein']])
  const sent = await press(by, '/appeal', { fields: { text: 'Bitte' } })
  expect(sent.text).toContain('Dein Einspruch wurde an die Moderation gesendet.')
  expect(await appealState(account)).toBe('pending')

  for (const wrong of ['', 'x', signId(secret, '5', Date.now() + 60_000), signId(secret, id, Date.now() - 1_000)]) {
    const answer = await open().get(at(`/appeal?token=${wrong}`))
    expect([wrong, answer.status]).toEqual([wrong, 404])
    expect(answer.text).toContain('This link is no longer valid')
  }
})

test('the appeal form of the link is refused without a CSRF token', async () => {
  const body = new URLSearchParams({ token: 'x', text: 'x' })
  expect((await server.http('/appeal', { method: 'POST', body })).status).toBe(403)
})

test('staff reads appeals, approves one and rejects one', async () => {
  const [first, second] = [await make('fred'), await make('sam')]
  const decided: [string, string][] = []
  for (const [one, name] of [
    [first, 'fred'],
    [second, 'sam'],
  ] as const) {
    const id = await act(one.id, 'silence', `for ${name}`)
    const json = { text: `<b>${name}</b> did nothing` }
    expect((await server.http(`/api/murmuration/v1/strikes/${id}/appeal`, { token: one.token, json })).status).toBe(200)
    const [strike] = await server.call(listStrikes, { account_id: one.id }, staff())
    decided.push([one.id, strike?.appeal?.id ?? ''])
  }
  const list = await boss.get(at('/admin/appeals'))
  for (const text of ['fred', 'sam', 'Account limited']) expect(list.text).toContain(text)
  const [[fred, approved], [sam, rejected]] = decided as [[string, string], [string, string]]
  const page = await boss.get(at(`/admin/appeals/${approved}`))
  for (const text of ['<b>fred</b> did nothing', 'for fred', 'The account is no longer limited.'])
    expect(page.text).toContain(text)
  const done = await press(boss, `/admin/appeals/${approved}`, { button: 'Approve the appeal' })
  expect([done.status, done.text]).toEqual([200, expect.stringContaining('The appeal is approved.')])
  expect(done.forms.some((one) => one.action.endsWith(approved))).toBe(false)
  await boss.get(at(`/admin/appeals/${rejected}`))
  await press(boss, `/admin/appeals/${rejected}`, { button: 'Reject the appeal' })
  expect([await appealState(fred), await appealState(sam)]).toEqual(['approved', 'rejected'])
  expect((await boss.get(at('/admin/appeals?state=approved'))).text).toContain('fred')
  expect((await boss.get(at('/admin/appeals?state=rejected'))).text).not.toContain('fred')
  const pending = await server.call(listAppeals, {}, staff())
  expect(pending.every((one) => ![fred, sam].includes(one.target_account.id))).toBe(true)
  const shown = await boss.get(at(`/admin/strikes?account_id=${fred}`))
  expect(shown.text).toContain('Overruled')
  expect((await boss.get(at('/admin/appeals/5'))).status).toBe(404)
})

test('an appeal against an action that was undone meanwhile can only be approved', async () => {
  const { id: account, token } = await make('undone')
  const id = await act(account, 'silence', 'Hm')
  await server.http(`/api/murmuration/v1/strikes/${id}/appeal`, { token, json: { text: 'No' } })
  const [strike] = await server.call(listStrikes, { account_id: account }, staff())
  const path = `/admin/appeals/${strike?.appeal?.id}`
  expect((await boss.get(at(path))).text).toContain('Reports stay resolved.')
  const [entry] = await server.call(browseAuditLog, { target_id: account, action: 'silence_account' }, staff())
  const undo = await boss.get(at(`/admin/audit_log/${entry?.id}`))
  expect(undo.text).toContain('Reports that this action resolved are then open again.')
  await server.call(undoAuditLogEntry, { id: entry?.id ?? '' }, staff())
  const page = await boss.get(at(path))
  expect(page.text).toContain('Staff undid this decision already.')
  expect(page.text).not.toContain('Reject the appeal')
  const done = await press(boss, path, { button: 'Approve the appeal' })
  expect([done.status, done.text]).toEqual([200, expect.stringContaining('The appeal is approved.')])
})

test('an appeal that was decided meanwhile is refused on the page', async () => {
  const { id: account, token } = await make('late')
  const id = await act(account, 'none', 'Hm')
  await server.http(`/api/murmuration/v1/strikes/${id}/appeal`, { token, json: { text: 'No' } })
  const [strike] = await server.call(listStrikes, { account_id: account }, staff())
  const path = `/admin/appeals/${strike?.appeal?.id}`
  await boss.get(at(path))
  await server.http(`/api/murmuration/v1/admin/appeals/${strike?.appeal?.id}/approve`, { token: owner.token, json: {} })
  const refused = await press(boss, path, { button: 'Reject the appeal' })
  expect([refused.status, refused.alerts]).toEqual([422, ['Appeal was already decided']])
})

test('staff adds, changes and deletes warning presets', async () => {
  const path = '/admin/warning_presets'
  await boss.get(at(path))
  const refused = await press(boss, path, { fields: { title: 'Spam', text: '' } })
  expect([refused.status, refused.html]).toEqual([422, expect.stringContaining('value="Spam"')])
  await press(boss, path, { fields: { title: 'Spam', text: 'No <b>ads</b>' } })
  const [preset] = await server.call(listWarningPresets, {}, staff())
  expect(preset).toMatchObject({ title: 'Spam', text: 'No <b>ads</b>' })
  const of = `${path}/${preset?.id}`
  const saved = await press(boss, of, { button: 'Save', fields: { text: 'No ads, please' } })
  expect(saved.text).toContain('The preset was saved.')
  expect(await server.call(listWarningPresets, {}, staff())).toMatchObject([{ title: 'Spam', text: 'No ads, please' }])
  const { id: target } = await make('preset')
  const form = await boss.get(at(`/admin/accounts/${target}/act?type=none`))
  expect(form.text).toContain('Spam: No ads, please')
  const given = { warning_preset_id: preset?.id ?? '', text: 'Third time' }
  await press(boss, `/admin/accounts/${target}/act`, { fields: given })
  const [strike] = await server.call(listStrikes, { account_id: target }, staff())
  expect(strike?.text).toBe('No ads, please\n\nThird time')
  await boss.get(at(path))
  await press(boss, of, { button: 'Delete' })
  expect(await server.call(listWarningPresets, {}, staff())).toEqual([])
})

test('staff deletes reported posts on the page of the report', async () => {
  const [author, reporter] = [await make('author'), await make('reporter')]
  const posted = await server.http('/api/v1/statuses', { token: author.token, json: { status: 'a bad post' } })
  const status = posted.json<{ id: string }>().id
  const json = { account_id: author.id, status_ids: [status] }
  const report = (await server.http('/api/v1/reports', { token: reporter.token, json })).json<{ id: string }>().id
  const path = `/admin/reports/${report}/statuses`
  await boss.get(at(`/admin/reports/${report}`))
  const refused = await press(boss, path, { button: 'Mark posts as sensitive' })
  expect([refused.status, refused.alerts]).toEqual([422, ['Status ids name no post with visible media']])
  await boss.get(at(`/admin/reports/${report}`))
  const none = await press(boss, path, { button: 'Delete posts for good', fields: { 'ids[]': false } })
  expect([none.status, none.alerts]).toEqual([422, ['No post was selected.']])
  await boss.get(at(`/admin/reports/${report}`))
  const asked = await press(boss, path, { button: 'Delete posts for good' })
  expect(asked.text).toContain('This cannot be undone.')
  expect(asked.text).toContain('author@mail.example')
  const preview = await press(boss, path, { button: 'Update the preview', fields: { text: 'Enough' } })
  expect(preview.html).toContain('&gt; Enough')
  expect((await server.http(`/api/v1/statuses/${status}`, { token: author.token })).status).toBe(200)
  const done = await press(boss, path, { button: 'Delete posts for good' })
  expect(done.text).toContain('The posts are deleted.')
  expect(done.forms.some((one) => one.action.endsWith('/statuses'))).toBe(false)
  expect((await server.http(`/api/v1/statuses/${status}`, { token: author.token })).status).toBe(404)
  const [strike] = await server.call(listStrikes, { account_id: author.id }, staff())
  expect(strike).toMatchObject({ action: 'delete_statuses', text: 'Enough', status_ids: [status] })
})

test('roles without the permission can open neither page', async () => {
  await make('mod', 'Moderator')
  const by = await signIn('mod')
  for (const path of ['/admin/appeals', '/admin/warning_presets'])
    expect([path, (await by.get(at(path))).status]).toEqual([path, 403])
  expect((await by.get(at('/admin/strikes'))).status).toBe(200)
})
