/** The pages below `/admin`: their addresses, and the permission that each needs. */
import { can, type PermissionName } from '@murmuration/contracts/permissions'
import { type Html, html } from '../html.js'
import { say } from '../language.js'

export const ADMIN_LINKS = [
  { id: 'reports', path: '/admin/reports', label: 'Reports', permission: 'manage_reports' },
  { id: 'accounts', path: '/admin/accounts', label: 'Accounts', permission: 'manage_users' },
  { id: 'sign-ups', path: '/admin/sign_ups', label: 'Pending sign-ups', permission: 'manage_users' },
  { id: 'trends', path: '/admin/trends', label: 'Trends', permission: 'manage_taxonomies' },
  { id: 'domains', path: '/admin/domains', label: 'Federation', permission: 'manage_federation' },
  { id: 'blocks', path: '/admin/blocks', label: 'Sign-up blocks', permission: 'manage_blocks' },
  { id: 'announcements', path: '/admin/announcements', label: 'Announcements', permission: 'manage_announcements' },
  { id: 'rules', path: '/admin/rules', label: 'Server rules', permission: 'manage_rules' },
  { id: 'settings', path: '/admin/settings', label: 'Server settings', permission: 'manage_settings' },
  { id: 'roles', path: '/admin/roles', label: 'Roles', permission: 'manage_roles' },
  { id: 'webhooks', path: '/admin/webhooks', label: 'Webhooks', permission: 'manage_webhooks' },
  { id: 'audit-log', path: '/admin/audit_log', label: 'Audit log', permission: 'view_audit_log' },
] as const satisfies readonly { id: string; path: string; label: string; permission: PermissionName }[]
export type AdminLinkId = 'dashboard' | (typeof ADMIN_LINKS)[number]['id']

/** Whether a role with these permissions has any page below `/admin`. */
export const isStaff = (permissions: number): boolean =>
  can(permissions, 'view_dashboard') || ADMIN_LINKS.some(({ permission }) => can(permissions, permission))

/** Links to the pages that these permissions include. */
export const adminNavigation = (current: AdminLinkId | undefined, permissions: number): Html => {
  const links = [
    { id: 'dashboard', path: '/admin', label: 'Dashboard' },
    ...ADMIN_LINKS.filter(({ permission }) => can(permissions, permission)),
  ]
  return html`<nav class="sections" aria-label="Administration"><ul>${links.map(
    ({ id, path, label }) =>
      html`<li><a href="${path}"${id === current ? html` aria-current="page"` : ''}>${say(label)}</a></li>`,
  )}</ul></nav>`
}
