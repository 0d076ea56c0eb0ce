/** Renders roles as staff see them. */
import type { StaffRole } from '@murmuration/contracts/accounts'
import { permissionNames } from '@murmuration/contracts/permissions'
import type { RoleRow } from '../core/role/store.js'

export const staffRoleOf = (row: RoleRow): StaffRole => ({
  id: row.id,
  name: row.name,
  color: row.color,
  permissions: String(row.permissions),
  highlighted: row.highlighted,
  collection_limit: row.collection_limit,
  position: row.position,
  permission_names: permissionNames(row.permissions),
  require_2fa: row.require_2fa,
})
