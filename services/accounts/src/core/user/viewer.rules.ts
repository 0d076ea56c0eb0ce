/** Converts a user row to the viewer of a request, as handlers receive it. */
import type { Viewer } from '@murmuration/contracts/kit'
import { effectivePermissions } from '@murmuration/contracts/permissions'

export interface ViewerRow {
  user_id: string
  account_id: string
  locale: string
  role_permissions: number
  role_position: number
  everyone_permissions: number
}

export const viewerOf = (user: ViewerRow): Viewer => ({
  id: user.account_id,
  userId: user.user_id,
  permissions: effectivePermissions(user.role_permissions, user.everyone_permissions),
  position: user.role_position,
  locale: user.locale,
})
