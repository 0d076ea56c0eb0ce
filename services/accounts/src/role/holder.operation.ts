/** Handler that returns the staff accounts with a permission, for notifications. */
import { rolesOf } from '@murmuration/contracts/accounts'
import { PERMISSIONS } from '@murmuration/contracts/permissions'
import { accountsWithPermission } from '../core/user/store.js'
import { handle } from '../handlers.js'

export const getHolders = handle(rolesOf, async (ctx, _viewer, { permission }) => {
  if (!Object.hasOwn(PERMISSIONS, permission)) return { accountIds: [] }
  const bit = PERMISSIONS[permission as keyof typeof PERMISSIONS]
  return { accountIds: await accountsWithPermission(ctx.db, bit | PERMISSIONS.administrator) }
})
