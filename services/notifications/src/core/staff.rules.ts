/** Whether a sender counts as staff: a highlighted moderation role above that of the recipient. */
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

/** People without a role stand below every role. */
export const speaksAsStaff = (sender: Role | null | undefined, recipient: Role | null | undefined): boolean =>
  !!sender?.highlighted &&
  sender.position > (recipient?.position ?? -1) &&
  MODERATION.some((name) => can(sender.permissions, name))
