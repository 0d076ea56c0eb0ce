/** Permissions of staff: the bits of a role, their names, and the default roles. */

/**
 * Permission bits of a role. All permissions fit into 23 bits, so numbers and bit operators are exact. `administrator`
 * implies all others.
 */
export const PERMISSIONS = {
  administrator: 1 << 0,
  view_devops: 1 << 1,
  view_audit_log: 1 << 2,
  view_dashboard: 1 << 3,
  manage_reports: 1 << 4,
  manage_federation: 1 << 5,
  manage_settings: 1 << 6,
  manage_blocks: 1 << 7,
  manage_taxonomies: 1 << 8,
  manage_appeals: 1 << 9,
  manage_users: 1 << 10,
  manage_invites: 1 << 11,
  manage_rules: 1 << 12,
  manage_announcements: 1 << 13,
  manage_custom_emojis: 1 << 14,
  manage_webhooks: 1 << 15,
  invite_users: 1 << 16,
  manage_roles: 1 << 17,
  manage_user_access: 1 << 18,
  delete_user_data: 1 << 19,
  view_feeds: 1 << 20,
  invite_bypass_approval: 1 << 21,
  manage_email_subscriptions: 1 << 22,
} as const

export type PermissionName = keyof typeof PERMISSIONS

/** Names of all permissions, lowest bit first. */
export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as PermissionName[]

/** All permission bits together: 8388607. */
export const ALL_PERMISSIONS = (1 << PERMISSION_NAMES.length) - 1

/** Returns the permission bits of a list of permission names. */
export function permissionsOf(...names: readonly PermissionName[]): number {
  return names.reduce((bits, name) => bits | PERMISSIONS[name], 0)
}

/** Names of the permission bits that are set, lowest bit first. Bits without a name are left out. */
export function permissionNames(permissions: number): PermissionName[] {
  return PERMISSION_NAMES.filter((name) => (permissions & PERMISSIONS[name]) !== 0)
}

/** Whether the permission bits contain this permission or `administrator`. */
export function can(permissions: number, name: PermissionName): boolean {
  return (permissions & (PERMISSIONS.administrator | PERMISSIONS[name])) !== 0
}

/**
 * Whether the permission bits contain the permission that an operation requires. If the operation names several
 * permissions, separated by `|`, one suffices.
 */
export function permits({ permission }: { readonly permission?: string }, permissions: number): boolean {
  return permission === undefined || permission.split('|').some((name) => can(permissions, name as PermissionName))
}

/** Permissions of an account: its role combined with the default role. An administrator has every bit. */
export function effectivePermissions(own: number, everyone: number): number {
  const both = own | everyone
  return can(both, 'administrator') ? ALL_PERMISSIONS : both
}

/**
 * Whether the role of the actor has a strictly higher position than the role of the target. A target without a local
 * role (null) is below all positions.
 */
export function overrides(actorPosition: number, targetPosition: number | null): boolean {
  return targetPosition === null || actorPosition > targetPosition
}

/** The only permissions that the default role of all accounts may have. */
export const EVERYONE_MAY_HOLD = permissionsOf('invite_users', 'invite_bypass_approval')

const moderator = permissionsOf(
  'view_dashboard',
  'view_audit_log',
  'view_feeds',
  'manage_users',
  'manage_reports',
  'manage_taxonomies',
)
const admin = permissionsOf(
  'manage_user_access',
  'delete_user_data',
  'manage_federation',
  'manage_settings',
  'manage_blocks',
  'manage_appeals',
  'manage_rules',
  'manage_invites',
  'manage_announcements',
  'manage_custom_emojis',
  'manage_webhooks',
  'manage_roles',
)

/** Roles of a new server. Holders of a role may change only roles with lower positions. */
export const DEFAULT_ROLES = {
  everyone: { name: '', position: -1, permissions: permissionsOf('invite_users') },
  moderator: { name: 'Moderator', position: 10, permissions: moderator },
  admin: { name: 'Admin', position: 100, permissions: moderator | admin },
  owner: { name: 'Owner', position: 1000, permissions: PERMISSIONS.administrator },
} as const
