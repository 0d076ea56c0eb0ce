/** Operations with which staff manages roles, at paths below `STAFF_PREFIX` (`admin/staff.ts`). */

import { z } from 'zod'
import { STAFF_PREFIX, StaffAct, staffReads, staffRestore, staffWrites } from '../admin/staff.js'
import { AdminAccount, Role } from '../entities/index.js'
import {
  del,
  event,
  flag,
  flagOr,
  get,
  id,
  internal,
  intOrMinusOne,
  list,
  nothing,
  operation,
  post,
  put,
  text,
  textOrNone,
} from '../kit/index.js'

const RoleIdInput = z
  .union([z.string(), z.number()])
  .transform((value) => (String(value) === '-99' ? '-99' : id().parse(value)))

/** A staff role with all members that staff may change. */
export const StaffRole = z
  .strictObject({
    ...Role.shape,
    /** Rank of the role. Roles with higher positions outrank roles with lower ones; -1 is the default role of all accounts. */
    position: z.int(),
    /** Names of the permissions of the role. */
    permission_names: z.array(z.string()),
    require_2fa: z.boolean(),
  })
  .meta({ id: 'StaffRole', description: 'A role with its position and requirements, for staff.' })
export type StaffRole = z.infer<typeof StaffRole>

const reads = staffReads('manage_roles')
const writes = staffWrites('manage_roles')
const fields = {
  name: textOrNone().optional(),
  /** CSS hex colour with 3 or 6 digits, or empty for none. */
  color: z.union([z.null(), text()]).optional(),
  /** From 0 to 1,000,000. */
  position: intOrMinusOne(0, 1_000_000).optional(),
  /** Permissions of the role: names, or the decimal value of the permission bits. */
  permissions: list(text(100), 50).optional(),
  highlighted: flag(),
  require_2fa: flag(),
  collection_limit: intOrMinusOne(0, 1_000).optional(),
}

export const listRoles = operation('accounts.role.list', {
  http: get(`${STAFF_PREFIX}/roles`),
  viewer: reads,
  class: 'admin',
  input: nothing(),
  output: z.array(StaffRole),
  about: 'All roles, highest position first.',
})

export const showRole = operation('accounts.role.show', {
  http: get(`${STAFF_PREFIX}/roles/:id`),
  viewer: reads,
  class: 'admin',
  input: z.object({ id: RoleIdInput }),
  output: StaffRole,
  errors: ['not_found'],
  about: 'One role.',
})

export const createRole = operation('accounts.role.create', {
  http: post(`${STAFF_PREFIX}/roles`),
  viewer: writes,
  class: 'admin',
  input: z.object({ ...fields, highlighted: flagOr(false), require_2fa: flagOr(false) }),
  output: StaffRole,
  errors: ['forbidden', 'unprocessable'],
  about: 'Creates a role with at most the position and permissions of the caller’s own role.',
})

export const updateRole = operation('accounts.role.update', {
  http: put(`${STAFF_PREFIX}/roles/:id`),
  viewer: writes,
  class: 'admin',
  input: z.object({ id: RoleIdInput, ...fields }),
  output: StaffRole,
  errors: ['not_found', 'forbidden', 'unprocessable'],
  about: 'Changes a role below the caller’s own. Absent fields stay unchanged.',
})

export const removeRole = operation('accounts.role.remove', {
  http: del(`${STAFF_PREFIX}/roles/:id`),
  viewer: writes,
  class: 'admin',
  input: z.object({ id: RoleIdInput }),
  output: z.object({}),
  errors: ['not_found', 'forbidden'],
  about: 'Deletes a role below the caller’s own. Its holders get the default role.',
})

export const assignRole = operation('accounts.role.assign', {
  http: post(`${STAFF_PREFIX}/accounts/:id/role`),
  viewer: writes,
  class: 'admin',
  input: z.object({ id: id(), /** Empty removes the role. */ role_id: textOrNone().optional() }),
  output: AdminAccount,
  errors: ['not_found', 'forbidden'],
  about: 'Assigns a role to a local account below the caller’s own role, or removes it.',
})

export const roleChanged = event('accounts.role.changed', {
  data: StaffAct,
  about: 'A role was created, changed, deleted or assigned.',
})

export const restoreRole = staffRestore(
  'accounts.role.restore',
  'Undoes an action of staff on a role or on its holder.',
)

export const rolesOf = operation('accounts.role.of', {
  viewer: internal(),
  input: z.object({ permission: z.string() }),
  output: z.object({ accountIds: z.array(z.string()) }),
  about: 'Account ids of staff with a permission, for notifications to them.',
})
