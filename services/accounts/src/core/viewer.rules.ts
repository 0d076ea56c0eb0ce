/** The viewer of a request, as handlers receive it, from a user row. */
import type { Viewer } from '@murmuration/contracts/kit'
import { effectivePermissions } from '@murmuration/contracts/permissions'

export interface ViewerFacts {
  user_id: string
  account_id: string
  locale: string
  role_permissions: number
  role_position: number
  everyone_permissions: number
}

export const viewerOf = (person: ViewerFacts): Viewer => ({
  id: person.account_id,
  userId: person.user_id,
  permissions: effectivePermissions(person.role_permissions, person.everyone_permissions),
  position: person.role_position,
  locale: person.locale,
})
