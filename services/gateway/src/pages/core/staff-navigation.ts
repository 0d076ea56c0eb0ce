/** The pages below `/admin`: their addresses, their group, and the permission that each needs. */
import { can, type PermissionName } from '@murmuration/contracts/permissions'
import { type Html, html } from './html.js'
import { say } from './language.js'

/** Headings of the navigation, in order. Add a page to its group in `ADMIN_LINKS`. */
const GROUPS = ['Moderation', 'Federation', 'Server', 'System'] as const

interface AdminLink {
  readonly id: string
  readonly group: (typeof GROUPS)[number]
  readonly path: string
  readonly label: string
  readonly permission: PermissionName
}

export const ADMIN_LINKS = [
  { id: 'reports', group: 'Moderation', path: '/admin/reports', label: 'Reports', permission: 'manage_reports' },
  { id: 'accounts', group: 'Moderation', path: '/admin/accounts', label: 'Accounts', permission: 'manage_users' },
  {
    id: 'sign-ups',
    group: 'Moderation',
    path: '/admin/sign_ups',
    label: 'Pending sign-ups',
    permission: 'manage_users',
  },
  {
    id: 'bulk-actions',
    group: 'Moderation',
    path: '/admin/bulk_actions',
    label: 'Bulk actions',
    permission: 'manage_users',
  },
  { id: 'appeals', group: 'Moderation', path: '/admin/appeals', label: 'Appeals', permission: 'manage_appeals' },
  { id: 'trends', group: 'Moderation', path: '/admin/trends', label: 'Trends', permission: 'manage_taxonomies' },
  { id: 'tags', group: 'Moderation', path: '/admin/tags', label: 'Hashtags', permission: 'manage_taxonomies' },
  { id: 'invites', group: 'Moderation', path: '/admin/invites', label: 'Invitations', permission: 'manage_invites' },
  { id: 'blocks', group: 'Moderation', path: '/admin/blocks', label: 'Sign-up blocks', permission: 'manage_blocks' },
  { id: 'audit-log', group: 'Moderation', path: '/admin/audit_log', label: 'Audit log', permission: 'view_audit_log' },
  {
    id: 'domains',
    group: 'Federation',
    path: '/admin/domains',
    label: 'Domains',
    permission: 'manage_federation',
  },
  { id: 'relays', group: 'Federation', path: '/admin/relays', label: 'Relays', permission: 'manage_federation' },
  {
    id: 'hosts',
    group: 'Federation',
    path: '/admin/federation/hosts',
    label: 'Federation health',
    permission: 'manage_federation',
  },
  {
    id: 'warning-presets',
    group: 'Server',
    path: '/admin/warning_presets',
    label: 'Warning presets',
    permission: 'manage_settings',
  },
  { id: 'rules', group: 'Server', path: '/admin/rules', label: 'Server rules', permission: 'manage_rules' },
  {
    id: 'announcements',
    group: 'Server',
    path: '/admin/announcements',
    label: 'Announcements',
    permission: 'manage_announcements',
  },
  { id: 'terms', group: 'Server', path: '/admin/terms', label: 'Terms of service', permission: 'manage_settings' },
  {
    id: 'custom-emojis',
    group: 'Server',
    path: '/admin/custom_emojis',
    label: 'Custom emoji',
    permission: 'manage_custom_emojis',
  },
  { id: 'settings', group: 'Server', path: '/admin/settings', label: 'Server settings', permission: 'manage_settings' },
  { id: 'roles', group: 'System', path: '/admin/roles', label: 'Roles', permission: 'manage_roles' },
  { id: 'queues', group: 'System', path: '/admin/queues', label: 'Queues', permission: 'view_devops' },
  { id: 'webhooks', group: 'System', path: '/admin/webhooks', label: 'Webhooks', permission: 'manage_webhooks' },
] as const satisfies readonly AdminLink[]
export type AdminLinkId = 'dashboard' | (typeof ADMIN_LINKS)[number]['id']

/** Whether a role with these permissions has any page below `/admin`. */
export const isStaff = (permissions: number): boolean =>
  can(permissions, 'view_dashboard') || ADMIN_LINKS.some(({ permission }) => can(permissions, permission))

const item = (current: string | undefined, { id, path, label }: Pick<AdminLink, 'id' | 'path' | 'label'>): Html =>
  html`<li><a href="${path}"${id === current ? html` aria-current="page"` : ''}>${say(label)}</a></li>`

/** Links to the pages that these permissions include, by group. On narrow screens the list is folded under its summary. */
export const adminNavigation = (current: AdminLinkId | undefined, permissions: number): Html => {
  const links = ADMIN_LINKS.filter(({ permission }) => can(permissions, permission))
  const groups = GROUPS.map((name) => ({ name, links: links.filter(({ group }) => group === name) }))
  const here = links.find(({ id }) => id === current)?.label ?? 'Dashboard'
  return html`<nav class="sections" aria-label="Administration"><details class="menu"><summary><span>Administration</span><b>${say(here)}</b></summary><ul>${item(
    current,
    { id: 'dashboard', path: '/admin', label: 'Dashboard' },
  )}</ul>${groups
    .filter((group) => group.links.length > 0)
    .map(
      ({ name, links: found }) =>
        html`<p id="group-${name.toLowerCase()}">${say(name)}</p><ul aria-labelledby="group-${name.toLowerCase()}">${found.map((one) => item(current, one))}</ul>`,
    )}</details></nav>`
}
