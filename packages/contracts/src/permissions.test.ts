/** Permission bits of roles, their sums, and the order of roles. */
import { describe, expect, test } from 'vitest'
import {
  ALL_PERMISSIONS,
  can,
  DEFAULT_ROLES,
  EVERYONE_MAY_HOLD,
  effectivePermissions,
  overrides,
  PERMISSION_NAMES,
  PERMISSIONS,
  permissionNames,
  permissionsOf,
} from './permissions.js'

describe('bits', () => {
  test.each([
    ['administrator', 0x1],
    ['view_devops', 0x2],
    ['view_audit_log', 0x4],
    ['view_dashboard', 0x8],
    ['manage_reports', 0x10],
    ['manage_federation', 0x20],
    ['manage_settings', 0x40],
    ['manage_blocks', 0x80],
    ['manage_taxonomies', 0x100],
    ['manage_appeals', 0x200],
    ['manage_users', 0x400],
    ['manage_invites', 0x800],
    ['manage_rules', 0x1000],
    ['manage_announcements', 0x2000],
    ['manage_custom_emojis', 0x4000],
    ['manage_webhooks', 0x8000],
    ['invite_users', 0x10000],
    ['manage_roles', 0x20000],
    ['manage_user_access', 0x40000],
    ['delete_user_data', 0x80000],
    ['view_feeds', 0x100000],
    ['invite_bypass_approval', 0x200000],
    ['manage_email_subscriptions', 0x400000],
  ] as const)('S-178 %s has its published bit', (name, bit) => {
    expect(PERMISSIONS[name]).toBe(bit)
  })

  test('S-178 there are 23, and together they are 8388607', () => {
    expect(PERMISSION_NAMES).toHaveLength(23)
    expect(ALL_PERMISSIONS).toBe(8_388_607)
    expect(permissionsOf(...PERMISSION_NAMES)).toBe(ALL_PERMISSIONS)
    expect(permissionNames(ALL_PERMISSIONS)).toEqual(PERMISSION_NAMES)
  })
})

describe('can', () => {
  test('requires the bit itself', () => {
    expect(can(permissionsOf('manage_users'), 'manage_users')).toBe(true)
    expect(can(permissionsOf('manage_users'), 'manage_reports')).toBe(false)
    expect(can(0, 'administrator')).toBe(false)
  })

  test('an administrator has every permission', () => {
    expect(PERMISSION_NAMES.every((name) => can(PERMISSIONS.administrator, name))).toBe(true)
  })

  test('the default role is added, and administrators have every bit', () => {
    const everyone = DEFAULT_ROLES.everyone.permissions
    expect(effectivePermissions(permissionsOf('manage_users'), everyone)).toBe(0x10400)
    expect(effectivePermissions(PERMISSIONS.administrator, 0)).toBe(ALL_PERMISSIONS)
  })
})

describe('default roles', () => {
  test('the default role may only invite', () => {
    expect(DEFAULT_ROLES.everyone).toMatchObject({ position: -1, permissions: 65_536 })
    expect(DEFAULT_ROLES.everyone.permissions & ~EVERYONE_MAY_HOLD).toBe(0)
  })

  test('each role contains the permissions of the one below and has a higher position', () => {
    const { moderator, admin, owner } = DEFAULT_ROLES
    expect(permissionNames(moderator.permissions)).toHaveLength(6)
    expect(permissionNames(admin.permissions)).toHaveLength(18)
    expect(admin.permissions & moderator.permissions).toBe(moderator.permissions)
    expect(can(admin.permissions, 'view_devops')).toBe(false)
    expect(effectivePermissions(owner.permissions, 0)).toBe(ALL_PERMISSIONS)
    expect([moderator.position, admin.position, owner.position]).toEqual([10, 100, 1000])
  })

  test('only a strictly higher position overrides', () => {
    expect(overrides(100, 10)).toBe(true)
    expect(overrides(10, 10)).toBe(false)
    expect(overrides(10, 100)).toBe(false)
    expect(overrides(-1, null)).toBe(true)
  })
})
