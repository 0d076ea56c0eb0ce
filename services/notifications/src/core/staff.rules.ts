/** Rule that decides which mentions are mentions by staff. Blocks and policies do not stop them. */
import { can, type PermissionName } from '@murmuration/contracts/permissions'

export interface Role {
  position: number
  permissions: number
  highlighted: boolean
}

const MODERATION: readonly PermissionName[] = [
  'view_dashboard',
  'view_audit_log',
  'manage_users',
  'manage_user_access',
  'delete_user_data',
  'manage_reports',
  'manage_appeals',
  'manage_federation',
  'manage_blocks',
  'manage_taxonomies',
  'manage_invites',
]

/**
 * True if the sender has a highlighted role with a moderation permission, above the role of the recipient.
 * An account without a role ranks below every role.
 */
export const isFromStaff = (sender: Role | null | undefined, recipient: Role | null | undefined): boolean =>
  !!sender?.highlighted &&
  sender.position > (recipient?.position ?? -1) &&
  MODERATION.some((name) => can(sender.permissions, name))
