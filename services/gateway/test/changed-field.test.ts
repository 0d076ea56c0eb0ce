/** Forms write the fields that were changed on their page, and keep what other staff or a newer release stored meanwhile. */
import { showPreferences } from '@murmuration/contracts/accounts'
import { getSettings, setSetting } from '@murmuration/contracts/admin'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { choiceOf } from '../src/pages/admin/controls.js'
import type { StaffRequest } from '../src/pages/admin/frame.js'
import { webhookForm } from '../src/pages/admin/webhook-form.js'
import { changedFields, shownFields } from '../src/pages/core/changed-field.js'
import { type StaffHarness, startStaffHarness } from './staff-harness.js'

let server: StaffHarness
beforeAll(async () => {
  server = await startStaffHarness()
})
afterAll(() => server.stop())

const REGISTRATIONS = '/admin/settings/registrations'
const settings = async () => (await server.call(getSettings, {}, server.owner)).settings
const stored = (name: string) =>
  server.db('admin').row<{ value: unknown }>(sql`select value from settings where name = ${name}`)

test('the settings page writes only the changed settings', async () => {
  const by = await server.signIn('boss')
  await server.open(by, REGISTRATIONS)
  await server.call(setSetting, { name: 'registrations_mode', value: 'approved' })
  await server.press(by, REGISTRATIONS, { fields: { closed_registrations_message: 'Later' } })
  expect(by.page().text).toContain('The settings were saved.')
  expect(await settings()).toMatchObject({
    registrations_mode: 'approved',
    closed_registrations_message: 'Later',
    require_invite_text: false,
  })
  expect(await stored('require_invite_text')).toBeNull()
  await server.press(by, REGISTRATIONS, { fields: { registrations_mode: 'open', require_invite_text: true } })
  expect(await settings()).toMatchObject({ registrations_mode: 'open', require_invite_text: true })
})

test('a refused form of settings still writes only the changed ones', async () => {
  const by = await server.signIn('boss')
  await server.open(by, REGISTRATIONS)
  await server.press(by, REGISTRATIONS, { fields: { min_age: '-5', closed_registrations_message: 'Soon' } })
  expect(by.page().status).toBe(422)
  await server.call(setSetting, { name: 'registrations_mode', value: 'none' })
  await server.press(by, REGISTRATIONS, { fields: { min_age: '16' } })
  expect(await settings()).toMatchObject({
    ...{ registrations_mode: 'none', min_age: 16, closed_registrations_message: 'Soon' },
  })
})

test('a refused form without digests is shown again without them, so that all its fields are written', () => {
  const values = { mode: 'open', age: '-5' }
  const { text } = shownFields(values, values)
  expect([text, changedFields({}, values)]).toEqual(['', values])
  const kept = shownFields(values, { shown: { mode: 'digest' } }).text
  expect(kept).toBe('<input type="hidden" name="shown[mode]" value="digest">')
})

test('saving the settings page keeps a value of a newer release', async () => {
  const by = await server.signIn('boss')
  const value = JSON.stringify('by_vote')
  await server.db('admin').run(sql`insert into settings (name, value, updated_at)
    values ('registrations_mode', ${value}::jsonb, now()) on conflict (name) do update set value = excluded.value`)
  await server.open(by, REGISTRATIONS)
  await server.press(by, REGISTRATIONS, { fields: { closed_registrations_message: 'Vote' } })
  expect([await stored('registrations_mode'), await settings()]).toMatchObject([
    { value: 'by_vote' },
    { closed_registrations_message: 'Vote' },
  ])
})

test('a list of choices keeps an unknown value selected', () => {
  const { text } = choiceOf({ name: 'mode', label: 'Mode', value: 'by_vote' }, { open: 'Anyone', none: 'Nobody' })
  expect(text).toContain('<option value="by_vote" selected>by_vote</option>')
})

test('the form of a webhook keeps events of a newer release', () => {
  const shown = { url: '', template: null, enabled: true, events: ['tag.created', 'report.created'] }
  const visit = { may: () => true, csrfField: null } as unknown as StaffRequest
  const { text } = webhookForm(visit, { shown, path: '/', problem: null, button: 'Save' })
  expect(text).toContain('<input type="hidden" name="events[]" value="tag.created">')
})

test('the page of preferences writes only the changed ones', async () => {
  const { id } = await server.make('picky')
  const by = await server.signIn('picky')
  await server.open(by, '/settings/preferences')
  await server.db('accounts').run(sql`update preferences set default_privacy = 'unlisted' where account_id = ${id}`)
  await server.press(by, '/settings/preferences', { fields: { expand_spoilers: true } })
  const now = () => server.call(showPreferences, {}, { ...server.owner, id, userId: id })
  expect(await now()).toMatchObject({
    'posting:default:visibility': 'unlisted',
    'reading:expand:spoilers': true,
  })
  await server.press(by, '/settings/preferences', { fields: { privacy: 'private', expand_spoilers: false } })
  expect(await now()).toMatchObject({ 'posting:default:visibility': 'private', 'reading:expand:spoilers': false })
})

test('the form of a role keeps permissions of a newer release and changes by others', async () => {
  const by = await server.signIn('boss')
  const db = server.db('accounts')
  const newer = 2 ** 23
  await db.run(sql`insert into roles (id, name, color, position, permissions, highlighted, collection_limit, require_2fa)
    values (77, 'Guide', '', 3, ${newer + 16}, false, 10, false)`)
  await server.open(by, '/admin/roles/77')
  await db.run(sql`update roles set position = 4 where id = 77`)
  await server.press(by, '/admin/roles/77', {
    fields: { name: 'Guides', 'permissions[]': ['manage_users'] },
    button: 'Save',
  })
  expect(by.page().text).toContain('The role was changed.')
  expect(await db.row(sql`select name, position, permissions::int as permissions from roles where id = 77`)).toEqual({
    ...{ name: 'Guides', position: 4, permissions: newer + 1024 },
  })
})
