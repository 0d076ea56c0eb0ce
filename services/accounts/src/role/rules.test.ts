/** Tests of S-027 and S-175: which roles staff may change and assign. */
import { ALL_PERMISSIONS, DEFAULT_ROLES, PERMISSIONS, permissionsOf } from '@murmuration/contracts/permissions'
import { expect, test } from 'vitest'
import { type Actor, bitsOf, changedRole, checkActor, checkAssignment, type RoleChange } from './rules.js'

const admin: Actor = { permissions: DEFAULT_ROLES.admin.permissions, position: 100 }
const owner: Actor = { permissions: ALL_PERMISSIONS, position: 1000 }
const helper = {
  id: '7',
  name: 'Helper',
  color: '',
  position: 5,
  permissions: PERMISSIONS.view_dashboard,
  highlighted: false,
  collection_limit: 10,
  require_2fa: false,
}
const everyone = { ...helper, id: '-99', name: '', position: -1, permissions: PERMISSIONS.invite_users }
const change = (actor: Actor, wanted: RoleChange, role = helper) => changedRole(actor, role, role, wanted)

test.each<[string, RoleChange, object]>([
  ['name and colour', { name: ' Guide ', color: '#A0c' }, { name: 'Guide', color: '#A0c' }],
  ['position up to the own one', { position: 100 }, { position: 100 }],
  ['permissions by name', { permissions: ['manage_reports'] }, { permissions: PERMISSIONS.manage_reports }],
  ['permissions as a number', { permissions: ['24'] }, { permissions: 24 }],
  ['no permissions', { permissions: [] }, { permissions: 0 }],
  [
    'the rest',
    { highlighted: true, require_2fa: true, collection_limit: 0 },
    { highlighted: true, require_2fa: true, collection_limit: 0 },
  ],
])('S-027 a role accepts %s', (_, wanted, result) => {
  expect(change(admin, wanted)).toEqual({ ...helper, ...result })
})

test.each<[RoleChange, string]>([
  [{ name: '' }, "Name can't be blank"],
  [{ name: 'x'.repeat(101) }, 'Name is too long (maximum is 100 characters)'],
  [{ color: 'red' }, 'Color is invalid'],
  [{ color: '#12345' }, 'Color is invalid'],
  [{ position: -1 }, 'Position must be from 0 to 1000000'],
  [{ collection_limit: -1 }, 'Collection limit must be from 0 to 1000'],
  [{ permissions: ['fly'] }, 'Permissions is not included in the list'],
  [{ permissions: ['99999999'] }, 'Permissions is not included in the list'],
  [{ position: 101 }, 'Position cannot be higher than your current role'],
  [{ permissions: ['view_devops'] }, 'Permissions cannot include permissions your current role does not possess'],
  [{ permissions: ['administrator'] }, 'Permissions cannot include permissions your current role does not possess'],
])('S-027 a role refuses %j', (wanted, message) => {
  expect(() => change(admin, wanted)).toThrow(`Validation failed: ${message}`)
})

test('operators and owners may add every permission', () => {
  expect(change(null, { permissions: ['administrator'], position: 5000 }).permissions).toBe(1)
  expect(change(owner, { permissions: ['administrator'] }).permissions).toBe(1)
})

test('a permission that the role has already may stay', () => {
  const role = { ...helper, permissions: permissionsOf('view_devops') }
  expect(change(admin, { name: 'Other' }, role)).toMatchObject({ name: 'Other', permissions: role.permissions })
})

test('the role of everyone keeps its name and position, and accepts invitation permissions only', () => {
  expect(change(admin, { name: 'x', position: 50, require_2fa: true, permissions: [] }, everyone)).toEqual({
    ...everyone,
    permissions: 0,
  })
  expect(() => change(owner, { permissions: ['manage_users'] }, everyone)).toThrow('not safe for the base role')
})

test('S-027 only a higher position with manage_roles acts on a role or its holder', () => {
  const refused = expect.objectContaining({ status: 403, message: 'This action is not allowed' })
  expect(() => checkActor(admin, 100)).toThrow(refused)
  expect(() => checkActor(admin, 1000)).toThrow(refused)
  expect(() => checkActor({ permissions: 0, position: 2000 }, 5)).toThrow(refused)
  expect(checkActor(admin, 99)).toBeUndefined()
  expect(checkActor(null, 5000)).toBeUndefined()
  expect(() => checkAssignment(admin, { position: 101, permissions: 0 })).toThrow(refused)
  expect(() => checkAssignment(admin, { position: 5, permissions: PERMISSIONS.view_devops })).toThrow(refused)
  expect(() => checkAssignment(admin, { position: 5, permissions: PERMISSIONS.administrator })).toThrow(refused)
  expect(checkAssignment(admin, { position: 100, permissions: 8 })).toBeUndefined()
})

test('permissions as a number with unknown bits are refused', () => {
  expect(bitsOf(['8388607'])).toBe(ALL_PERMISSIONS)
  expect(() => bitsOf(['8388608'])).toThrow()
})
