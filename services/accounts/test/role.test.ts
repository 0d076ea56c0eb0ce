/** Tests of S-027: staff create, change, delete and assign roles, with effects on their holders. */
import * as accounts from '@murmuration/contracts/accounts'
import type { Viewer } from '@murmuration/contracts/kit'
import { PERMISSIONS } from '@murmuration/contracts/permissions'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectGolden } from './golden.js'
import { type Harness, startAccounts } from './harness.js'

let harness: Harness
let call: Harness['call']
let ada: Viewer
let mona: Viewer
let olga: Viewer
let bob: Viewer
beforeAll(async () => {
  harness = await startAccounts()
  call = harness.call
  ada = await harness.createAccount('ada', { role: 'Admin' })
  mona = await harness.createAccount('mona', { role: 'Moderator' })
  olga = await harness.createAccount('olga', { role: 'Owner' })
  bob = await harness.createAccount('bob')
})
afterAll(() => harness.stop())

const events = async () =>
  (
    await harness
      .db('accounts')
      .rows<{ data: string }>(sql`select data from outbox where subject = 'evt.accounts.role.changed' order by id`)
  ).map((row) => JSON.parse(row.data) as { by: string | null; action: string; target: string })
const resolve = async (token: string) => (await call(accounts.resolveToken, { token, ip: null })).found
const refused = { status: 403, message: 'This action is not allowed' }

test('the roles of a new server are listed, highest first', async () => {
  const roles = await call(accounts.listRoles, {}, ada)
  expect(roles.map((one) => [one.name, one.position])).toEqual([
    ['Owner', 1000],
    ['Admin', 100],
    ['Moderator', 10],
    ['', -1],
  ])
  await expectGolden('staff-role', roles[2], harness.origin, {})
})

test('S-027 a role is created, assigned, changed and deleted, and its holder has its permissions', async () => {
  const token = await harness.token('bob')
  const role = await call(
    accounts.createRole,
    {
      name: 'Helper',
      position: '5',
      permissions: ['manage_reports', 'view_dashboard'],
      color: '#336699',
      highlighted: '1',
      collection_limit: 3,
    },
    ada,
  )
  expect(role).toMatchObject({ position: 5, permissions: '24', permission_names: ['view_dashboard', 'manage_reports'] })
  const assigned = await call(accounts.assignRole, { id: bob.id, role_id: role.id }, ada)
  expect(assigned.role).toMatchObject({ id: role.id, name: 'Helper', color: '#336699', collection_limit: 3 })
  expect(assigned.account.roles).toEqual([{ id: role.id, name: 'Helper', color: '#336699' }])
  expect((await resolve(token))?.viewer).toMatchObject({ position: 5, permissions: 24 | PERMISSIONS.invite_users })
  await call(accounts.updateRole, { id: role.id, permissions: [], highlighted: false }, ada)
  expect((await resolve(token))?.viewer?.permissions).toBe(PERMISSIONS.invite_users)
  expect((await call(accounts.showRole, { id: role.id }, ada)).name).toBe('Helper')
  expect(await call(accounts.removeRole, { id: role.id }, ada)).toEqual({})
  expect((await resolve(token))?.viewer).toMatchObject({ position: -1 })
  expect((await events()).map((one) => [one.by, one.action, one.target])).toEqual([
    [ada.id, 'create_user_role', 'Helper'],
    [ada.id, 'change_role_user', 'bob'],
    [ada.id, 'update_user_role', 'Helper'],
    [ada.id, 'destroy_user_role', 'Helper'],
  ])
})

test('S-027 a role that requires a second factor refuses requests of holders without one', async () => {
  const token = await harness.token('bob')
  const { id } = await call(accounts.createRole, { name: 'Careful', require_2fa: true }, ada)
  expect((await resolve(token))?.state).toBe('ok')
  await call(accounts.assignRole, { id: bob.id, role_id: id }, ada)
  expect((await resolve(token))?.state).toBe('disabled')
  await call(accounts.updateRole, { id, require_2fa: false }, ada)
  expect((await resolve(token))?.state).toBe('ok')
  await call(accounts.assignRole, { id: bob.id, role_id: '' }, ada)
})

test('S-027 no role changes an equal or higher role, or grants permissions it lacks', async () => {
  const state = () =>
    harness
      .db('accounts')
      .rows(sql`select r.*, array(select u.id from users u where u.role_id = r.id) from roles r order by id`)
  const before = await state()
  const count = (await events()).length
  for (const id of ['2', '3']) {
    await expect(call(accounts.updateRole, { id, name: 'x' }, ada)).rejects.toMatchObject(refused)
    await expect(call(accounts.removeRole, { id }, ada)).rejects.toMatchObject(refused)
  }
  await expect(call(accounts.removeRole, { id: '-99' }, olga)).rejects.toMatchObject(refused)
  await expect(call(accounts.assignRole, { id: bob.id, role_id: '3' }, ada)).rejects.toMatchObject(refused)
  await expect(call(accounts.assignRole, { id: olga.id, role_id: '' }, ada)).rejects.toMatchObject(refused)
  await expect(call(accounts.assignRole, { id: ada.id, role_id: '' }, ada)).rejects.toMatchObject(refused)
  await expect(call(accounts.updateRole, { id: '1', permissions: ['administrator'] }, ada)).rejects.toMatchObject({
    status: 422,
  })
  await expect(call(accounts.updateRole, { id: '1', position: 101 }, ada)).rejects.toMatchObject({ status: 422 })
  await expect(call(accounts.createRole, { name: 'moderator' }, ada)).rejects.toMatchObject({
    message: 'Validation failed: Name has already been taken',
  })
  // The role of the actor is read again, because the viewer of the request may be outdated.
  await expect(
    call(accounts.updateRole, { id: '1', name: 'x' }, { ...mona, permissions: 1, position: 2000 }),
  ).rejects.toMatchObject(refused)
  expect(await state()).toEqual(before)
  expect((await events()).length).toBe(count)
})

test.each(['position', 'collection_limit'])(
  'a %s that is no number is refused, and an unknown role is reported before',
  async (name) => {
    for (const value of ['soon', '1.5', '1_000', true, -1, 1_000_001]) {
      // Processes of the release before compare the value as a number, and PostgreSQL reads the text `1_000` as 1000.
      expect(accounts.updateRole.input.parse({ id: '1', [name]: value })).toEqual({ id: '1', [name]: -1 })
      const wrong = {
        status: 422,
        message: expect.stringMatching(/^Validation failed: (Position|Collection limit) must be from 0 to \d+$/),
      }
      await expect(call(accounts.updateRole, { id: '1', [name]: value }, ada)).rejects.toMatchObject(wrong)
      await expect(call(accounts.createRole, { name: 'Other', [name]: value }, ada)).rejects.toMatchObject(wrong)
      await expect(call(accounts.updateRole, { id: '77', [name]: value }, ada)).rejects.toMatchObject({ status: 404 })
    }
  },
)

test('unknown roles and accounts are not found, remote accounts have no role', async () => {
  const eve = await harness.remote('eve')
  await expect(call(accounts.showRole, { id: '77' }, ada)).rejects.toMatchObject({ status: 404 })
  for (const role_id of ['1', 'x'.repeat(40)])
    await expect(call(accounts.assignRole, { id: '77', role_id }, ada)).rejects.toMatchObject({ status: 404 })
  await expect(call(accounts.assignRole, { id: bob.id, role_id: '77' }, ada)).rejects.toMatchObject({ status: 404 })
  await expect(call(accounts.assignRole, { id: eve, role_id: '1' }, ada)).rejects.toMatchObject(refused)
})

test('operators assign roles with the same operation', async () => {
  expect((await call(accounts.assignRole, { id: bob.id, role_id: '3' })).role?.name).toBe('Owner')
  await call(accounts.assignRole, { id: bob.id })
})

test('many simultaneous assignments to unknown accounts are refused, and do not block each other', async () => {
  const began = performance.now()
  const attempts = Array.from({ length: 24 }, (_, n) =>
    call(accounts.assignRole, { id: String(70 + n), role_id: '' }, ada),
  )
  const outcomes = (await Promise.allSettled(attempts)).map((one) => one.status === 'rejected' && one.reason.status)
  expect(outcomes).toEqual(outcomes.map(() => 404))
  expect(performance.now() - began).toBeLessThan(15_000)
})
