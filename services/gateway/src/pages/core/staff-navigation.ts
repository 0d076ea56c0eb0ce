/** Navigation of the pages below `/admin`: path, group and required permission of each. */
import { can, type PermissionName } from '@murmuration/contracts/permissions'
import { type Message, msg } from '@murmuration/messages'
import { type Html, html } from './html.js'
import { t } from './language.js'

/** Headings of the navigation, in their order. A new page is added to its group in `ADMIN_LINKS`. */
const GROUPS = [
  ['moderation', msg('Moderation')],
  ['federation', msg('Federation')],
  ['server', msg('Server')],
  ['system', msg('System')],
] as const

interface AdminLink {
  readonly id: string
  readonly group: (typeof GROUPS)[number][0]
  readonly path: string
  readonly label: Message
  readonly permission: PermissionName
}

export const ADMIN_LINKS = [
  {
    id: 'reports',
    group: 'moderation',
    path: '/admin/reports',
    label: msg('Reports'),
    permission: 'manage_reports',
  },
  {
    id: 'accounts',
    group: 'moderation',
    path: '/admin/accounts',
    label: msg('Accounts'),
    permission: 'manage_users',
  },
  {
    id: 'sign-ups',
    group: 'moderation',
    path: '/admin/sign_ups',
    label: msg('Pending sign-ups'),
    permission: 'manage_users',
  },
  {
    id: 'bulk-actions',
    group: 'moderation',
    path: '/admin/bulk_actions',
    label: msg('Bulk actions'),
    permission: 'manage_users',
  },
  {
    id: 'appeals',
    group: 'moderation',
    path: '/admin/appeals',
    label: msg('Appeals'),
    permission: 'manage_appeals',
  },
  {
    id: 'trends',
    group: 'moderation',
    path: '/admin/trends',
    label: msg('Trends'),
    permission: 'manage_taxonomies',
  },
  {
    id: 'tags',
    group: 'moderation',
    path: '/admin/tags',
    label: msg('Hashtags'),
    permission: 'manage_taxonomies',
  },
  {
    id: 'invites',
    group: 'moderation',
    path: '/admin/invites',
    label: msg('Invitations'),
    permission: 'manage_invites',
  },
  {
    id: 'blocks',
    group: 'moderation',
    path: '/admin/blocks',
    label: msg('Sign-up blocks'),
    permission: 'manage_blocks',
  },
  {
    id: 'audit-log',
    group: 'moderation',
    path: '/admin/audit_log',
    label: msg('Audit log'),
    permission: 'view_audit_log',
  },
  {
    id: 'domains',
    group: 'federation',
    path: '/admin/domains',
    label: msg('Domains'),
    permission: 'manage_federation',
  },
  {
    id: 'relays',
    group: 'federation',
    path: '/admin/relays',
    label: msg('Relays'),
    permission: 'manage_federation',
  },
  {
    id: 'hosts',
    group: 'federation',
    path: '/admin/federation/hosts',
    label: msg('Federation health'),
    permission: 'manage_federation',
  },
  {
    id: 'warning-presets',
    group: 'server',
    path: '/admin/warning_presets',
    label: msg('Warning presets'),
    permission: 'manage_settings',
  },
  { id: 'rules', group: 'server', path: '/admin/rules', label: msg('Server rules'), permission: 'manage_rules' },
  {
    id: 'announcements',
    group: 'server',
    path: '/admin/announcements',
    label: msg('Announcements'),
    permission: 'manage_announcements',
  },
  {
    id: 'terms',
    group: 'server',
    path: '/admin/terms',
    label: msg('Terms of service'),
    permission: 'manage_settings',
  },
  {
    id: 'custom-emojis',
    group: 'server',
    path: '/admin/custom_emojis',
    label: msg('Custom emoji'),
    permission: 'manage_custom_emojis',
  },
  {
    id: 'settings',
    group: 'server',
    path: '/admin/settings',
    label: msg('Server settings'),
    permission: 'manage_settings',
  },
  { id: 'roles', group: 'system', path: '/admin/roles', label: msg('Roles'), permission: 'manage_roles' },
  { id: 'queues', group: 'system', path: '/admin/queues', label: msg('Queues'), permission: 'view_devops' },
  {
    id: 'webhooks',
    group: 'system',
    path: '/admin/webhooks',
    label: msg('Webhooks'),
    permission: 'manage_webhooks',
  },
] as const satisfies readonly AdminLink[]
const DASHBOARD = { id: 'dashboard', path: '/admin', label: msg('Dashboard') } as const
export type AdminLinkId = 'dashboard' | (typeof ADMIN_LINKS)[number]['id']

/** True if a role with these permissions may open any page below `/admin`. */
export const isStaff = (permissions: number): boolean =>
  can(permissions, 'view_dashboard') || ADMIN_LINKS.some(({ permission }) => can(permissions, permission))

const item = (current: string | undefined, { id, path, label }: Pick<AdminLink, 'id' | 'path' | 'label'>): Html =>
  html`<li><a href="${path}"${id === current ? html` aria-current="page"` : ''}>${t(label)}</a></li>`

/** Links to the pages that these permissions allow, by group. On narrow screens the list is collapsed. */
export const adminNavigation = (current: AdminLinkId | undefined, permissions: number): Html => {
  const links = ADMIN_LINKS.filter(({ permission }) => can(permissions, permission))
  const groups = GROUPS.map(([name, label]) => ({ name, label, links: links.filter(({ group }) => group === name) }))
  const here = links.find(({ id }) => id === current)?.label ?? DASHBOARD.label
  return html`<nav class="sections" aria-label="${t('Administration')}"><details class="menu"><summary><span>${t('Administration')}</span><b>${t(here)}</b></summary><ul>${item(
    current,
    DASHBOARD,
  )}</ul>${groups
    .filter((group) => group.links.length > 0)
    .map(
      ({ name, label, links: found }) =>
        html`<p id="group-${name}">${t(label)}</p><ul aria-labelledby="group-${name}">${found.map((one) => item(current, one))}</ul>`,
    )}</details></nav>`
}
