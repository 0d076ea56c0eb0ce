/** Settings, rules and announcements below `/admin` over plain HTTP. */
import { browseAuditLog, getSettings, listAllAnnouncements, listRules } from '@murmuration/contracts/admin'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type StaffHarness, startStaffHarness } from './staff-harness.js'

let server: StaffHarness
beforeAll(async () => {
  server = await startStaffHarness()
})
afterAll(() => server.stop())

const settings = async () => (await server.call(getSettings, {}, server.owner)).settings
const rules = () => server.call(listRules, {})
const announcements = async () => (await server.call(listAllAnnouncements, {}, server.owner)).announcements

test('settings of one topic are saved together, and only changes are in the audit log', async () => {
  const by = await server.signIn('boss')
  await server.open(by, '/admin/settings/registrations')
  await server.press(by, '/admin/settings/registrations', {
    fields: { registrations_mode: 'approved', min_age: '16', require_invite_text: true },
  })
  expect(by.page().text).toContain('The settings were saved.')
  expect(await settings()).toMatchObject({ registrations_mode: 'approved', min_age: 16, require_invite_text: true })
  const log = await server.call(browseAuditLog, { action: 'update_setting' }, server.owner)
  expect(log.map((one) => one.target).sort()).toEqual(['min_age', 'registrations_mode', 'require_invite_text'])
  await server.open(by, '/admin/settings/registrations')
  await server.press(by, '/admin/settings/registrations', { fields: { min_age: '', require_invite_text: false } })
  expect(await settings()).toMatchObject({ registrations_mode: 'approved', min_age: null, require_invite_text: false })
})

test('the error of a refused setting is beside its field, the input is kept, and nothing is saved', async () => {
  const by = await server.signIn('boss')
  await server.open(by, '/admin/settings')
  const page = await server.press(by, '/admin/settings', {
    fields: { site_title: ' ', site_contact_email: 'nobody', site_short_description: 'About birds' },
  })
  expect([page.status, page.alerts]).toEqual([422, ['Nothing was saved. See the marked fields.']])
  expect(page.html).toMatch(/id="site_title-problem">can&#39;t be blank</)
  expect(page.html).toMatch(/id="site_contact_email-problem">is invalid</)
  expect(page.html).toContain('About birds</textarea>')
  expect(await settings()).toMatchObject({ site_short_description: '', site_title: 'Murmuration' })
})

test('line breaks of texts are kept, languages are a list, and the contact is shown by its handle', async () => {
  const by = await server.signIn('boss')
  await server.open(by, '/admin/settings')
  await server.press(by, '/admin/settings', {
    fields: { site_terms: 'One\r\nTwo', languages: 'de, en', site_contact_account: '@boss' },
  })
  expect(await settings()).toMatchObject({
    site_terms: 'One\nTwo',
    languages: ['de', 'en'],
    site_contact_account: server.owner.id,
  })
  const { html } = await server.open(by, '/admin/settings')
  expect(html).toContain('One\nTwo</textarea>')
  expect(html).toContain('value="@boss"')
  const refused = await server.press(by, '/admin/settings', { fields: { site_contact_account: '@missing' } })
  expect(refused.html).toMatch(/id="site_contact_account-problem">is not an account of this server</)
})

test('rules are added, moved, translated and removed', async () => {
  const by = await server.signIn('boss')
  await server.open(by, '/admin/rules')
  expect(by.page().text).toContain('This server has no rules yet.')
  for (const text of ['Be kind', 'Stay legal', 'Mark what is made by machines']) {
    await server.open(by, '/admin/rules')
    await server.press(by, '/admin/rules', { fields: { text, hint: 'Always' } })
  }
  const [first, second] = await rules()
  await server.open(by, '/admin/rules')
  await server.press(by, `/admin/rules/${second?.id}/move`, { button: '↑' })
  expect((await rules()).map((one) => one.text)).toEqual(['Stay legal', 'Be kind', 'Mark what is made by machines'])
  await server.open(by, `/admin/rules/${first?.id}`)
  await server.press(by, `/admin/rules/${first?.id}`, {
    fields: { text: 'Be very kind', new_language: 'de', new_text: 'Sei freundlich', new_hint: 'Immer' },
    button: 'Save',
  })
  expect((await rules())[1]).toMatchObject({
    text: 'Be very kind',
    translations: { de: { text: 'Sei freundlich', hint: 'Immer' } },
  })
  await server.open(by, `/admin/rules/${first?.id}`)
  const page = await server.press(by, `/admin/rules/${first?.id}`, { fields: { text: 'x'.repeat(1_001) } })
  expect([page.status, page.alerts.length, page.html.includes('x'.repeat(1_001))]).toEqual([422, 1, true])
  await server.open(by, `/admin/rules/${first?.id}`)
  await server.press(by, `/admin/rules/${first?.id}`, { fields: { 'translations[de][text]': '' } })
  expect((await rules())[1]?.translations).toEqual({})
  await server.open(by, `/admin/rules/${first?.id}`)
  const form = by.page().forms.at(-1) ?? 0
  await by.submit(form, { button: 'Remove' })
  expect((await rules()).map((one) => one.text)).toEqual(['Stay legal', 'Mark what is made by machines'])
})

test('an announcement is scheduled, changed, published, withdrawn and removed', async () => {
  const by = await server.signIn('boss')
  await server.open(by, '/admin/announcements')
  const refused = await server.press(by, '/admin/announcements', {
    fields: { text: 'We move', starts_at: '2999-01-02T10:00' },
  })
  expect([refused.status, refused.alerts.length, refused.text.includes('We move')]).toEqual([422, 1, true])
  await server.open(by, '/admin/announcements')
  await server.press(by, '/admin/announcements', {
    fields: {
      text: 'We move',
      starts_at: '2999-01-02T10:00',
      ends_at: '2999-01-03T10:00',
      scheduled_at: '2999-01-01T08:30',
    },
  })
  expect(by.page().text).toContain('The announcement is scheduled.')
  const [made] = await announcements()
  expect(made).toMatchObject({
    scheduled_at: '2999-01-01T08:30:00.000Z',
    starts_at: '2999-01-02T10:00:00.000Z',
    published_at: null,
  })
  const path = `/admin/announcements/${made?.id}`
  await server.open(by, path)
  expect(by.page().html).toContain('value="2999-01-01T08:30"')
  await server.press(by, path, { fields: { text: 'We move far', all_day: true, scheduled_at: '2999-01-01T09:00' } })
  expect((await announcements())[0]).toMatchObject({
    text: 'We move far',
    all_day: true,
    scheduled_at: '2999-01-01T09:00:00.000Z',
  })
  await server.open(by, path)
  await server.press(by, path, { fields: { scheduled_at: '' }, button: 'Save' })
  expect((await announcements())[0]).toMatchObject({ scheduled_at: null, published_at: expect.any(String) })
  await server.open(by, '/admin/announcements')
  await server.press(by, path, { button: 'Withdraw' })
  expect((await announcements())[0]).toMatchObject({ published_at: null })
  await server.open(by, path)
  await server.press(by, path, { fields: { text: 'Later' }, button: 'Save' })
  expect((await announcements())[0]).toMatchObject({ text: 'Later', published_at: null, scheduled_at: null })
  await server.open(by, path)
  await by.submit(by.page().forms.at(-1) ?? 0, { button: 'Remove' })
  expect(await announcements()).toEqual([])
})
