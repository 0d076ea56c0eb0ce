/** Labels and help texts of role permissions, by group. */
import type { PermissionName } from '@murmuration/contracts/permissions'
import { type Message, msg } from '@murmuration/messages'
import { t } from '../core/language.js'

interface PermissionGroup {
  readonly title: Message
  readonly permissions: Readonly<Partial<Record<PermissionName, readonly [title: Message, help: Message]>>>
}

export const PERMISSION_GROUPS: readonly PermissionGroup[] = [
  {
    title: msg('Moderation'),
    permissions: {
      view_dashboard: [msg('See the dashboard'), msg('Counts of sign-ups, posts and reports.')],
      manage_reports: [
        msg('Handle reports'),
        msg('Read reports, assign and resolve them, and act on the reported accounts.'),
      ],
      manage_users: [
        msg('Manage accounts'),
        msg('See e-mail and IP addresses, approve sign-ups, limit and suspend accounts.'),
      ],
      manage_user_access: [
        msg('Manage logins'),
        msg('Change e-mail addresses, passwords and second factors of others.'),
      ],
      delete_user_data: [msg('Delete data of accounts'), msg('Delete the data of suspended accounts at once.')],
      manage_appeals: [msg('Decide about appeals'), msg('Accept or reject appeals against actions of moderators.')],
      manage_taxonomies: [
        msg('Review trends and hashtags'),
        msg('Decide what may trend, and how hashtags may be used.'),
      ],
      manage_blocks: [
        msg('Block sign-ups'),
        msg('Block IP addresses, e-mail domains, e-mail addresses and user names.'),
      ],
      manage_invites: [msg('Manage invitations'), msg('See and deactivate the invitations of everyone.')],
      view_audit_log: [msg('See the audit log'), msg('Every action of staff, with the state before and after.')],
    },
  },
  {
    title: msg('Server'),
    permissions: {
      manage_federation: [msg('Manage federation'), msg('Block, limit and allow other servers, and manage relays.')],
      manage_settings: [msg('Manage settings'), msg('Change the settings of the server and its terms of service.')],
      manage_rules: [msg('Manage rules'), msg('Add, change and remove rules of the server.')],
      manage_announcements: [msg('Manage announcements'), msg('Announcements are shown to everyone on the server.')],
      manage_custom_emojis: [msg('Manage custom emoji'), msg('Add, change and remove emoji of the server.')],
      manage_webhooks: [
        msg('Manage webhooks'),
        msg('Send events about accounts, reports and posts to other programs.'),
      ],
      manage_roles: [msg('Manage roles'), msg('Change and assign roles below the own one.')],
    },
  },
  {
    title: msg('Invitations'),
    permissions: {
      invite_users: [msg('Invite people'), msg('Create links by which others can sign up.')],
      invite_bypass_approval: [msg('Invite without approval'), msg('Sign-ups by these invitations need no approval.')],
    },
  },
  {
    title: msg('Special permissions'),
    permissions: {
      view_feeds: [
        msg('See disabled feeds'),
        msg('Live feeds, hashtags and links, even where the settings disable them.'),
      ],
      view_devops: [msg('See technical state'), msg('Queues, dead letters, and all posts by webhook.')],
      manage_email_subscriptions: [
        msg('Manage e-mail subscriptions'),
        msg('For apps. It has no effect on this server.'),
      ],
      administrator: [msg('Administrator'), msg('Everything, without any restriction.')],
    },
  },
]

/** Label of a permission; the name of the permission if it has no label. */
export const permissionLabel = (name: string): string => {
  for (const { permissions } of PERMISSION_GROUPS) {
    const words = permissions[name as PermissionName]
    if (words) return t(words[0])
  }
  return name
}
