/** Permissions of roles in words, by group. */
import type { PermissionName } from '@murmuration/contracts/permissions'

interface PermissionGroup {
  readonly title: string
  readonly permissions: Readonly<Partial<Record<PermissionName, readonly [title: string, help: string]>>>
}

export const PERMISSION_GROUPS: readonly PermissionGroup[] = [
  {
    title: 'Moderation',
    permissions: {
      view_dashboard: ['See the dashboard', 'Counts of sign-ups, posts and reports.'],
      manage_reports: ['Handle reports', 'Read reports, assign and resolve them, and act on the reported accounts.'],
      manage_users: ['Manage accounts', 'See e-mail and IP addresses, approve sign-ups, limit and suspend accounts.'],
      manage_user_access: ['Manage logins', 'Change e-mail addresses, passwords and second factors of others.'],
      delete_user_data: ['Delete data of accounts', 'Delete the data of suspended accounts at once.'],
      manage_appeals: ['Decide about appeals', 'Accept or reject appeals against actions of moderators.'],
      manage_taxonomies: ['Review trends and hashtags', 'Decide what may trend, and how hashtags may be used.'],
      manage_blocks: ['Block sign-ups', 'Block IP addresses, e-mail domains, e-mail addresses and user names.'],
      manage_invites: ['Manage invitations', 'See and deactivate the invitations of everyone.'],
      view_audit_log: ['See the audit log', 'Every action of staff, with the state before and after.'],
    },
  },
  {
    title: 'Server',
    permissions: {
      manage_federation: ['Manage federation', 'Block, limit and allow other servers, and manage relays.'],
      manage_settings: ['Manage settings', 'Change the settings of the server and its terms of service.'],
      manage_rules: ['Manage rules', 'Add, change and remove rules of the server.'],
      manage_announcements: ['Manage announcements', 'Announcements are shown to everyone on the server.'],
      manage_custom_emojis: ['Manage custom emoji', 'Add, change and remove emoji of the server.'],
      manage_webhooks: ['Manage webhooks', 'Send events about accounts, reports and posts to other programs.'],
      manage_roles: ['Manage roles', 'Change and assign roles below the own one.'],
    },
  },
  {
    title: 'Invitations',
    permissions: {
      invite_users: ['Invite people', 'Create links by which others can sign up.'],
      invite_bypass_approval: ['Invite without approval', 'Sign-ups by these invitations need no approval.'],
    },
  },
  {
    title: 'Special permissions',
    permissions: {
      view_feeds: ['See disabled feeds', 'Live feeds, hashtags and links, even where the settings disable them.'],
      view_devops: ['See technical state', 'Queues, dead letters, and all posts by webhook.'],
      manage_email_subscriptions: ['Manage e-mail subscriptions', 'For apps. It has no effect on this server.'],
      administrator: ['Administrator', 'Everything, without any restriction.'],
    },
  },
]

/** The title of a permission; its name if there is none. */
export const permissionLabel = (name: string): string => {
  for (const { permissions } of PERMISSION_GROUPS) {
    const words = permissions[name as PermissionName]
    if (words) return words[0]
  }
  return name
}
