/** Handlers that list, create, change, delete and assign roles. */
import {
  assignRole,
  createRole,
  listRoles,
  removeRole,
  roleChanged,
  showRole,
  updateRole as updateRoleOperation,
} from '@murmuration/contracts/accounts'
import { fail, invalidField, notFound, toJson } from '@murmuration/contracts/kit'
import { accountById } from '../core/account/store.js'
import { type RoleRow, roleById } from '../core/role/store.js'
import { userByAccountId } from '../core/user/store.js'
import { handle } from '../handlers.js'
import { adminRecords } from '../moderated-account/index.js'
import { announceRole, type Changing, changeRoles, invalidateHolder, invalidateHolders } from './change.js'
import { changedRole, checkActor, checkAssignment, EVERYONE, type RoleChange } from './rules.js'
import { allRoles, deleteRole, insertRole, keepHolders, setRole, updateRole } from './store.js'
import { staffRoleOf } from './view.js'

const fresh = (id: string): RoleRow => ({
  id,
  name: '',
  color: '',
  position: 0,
  permissions: 0,
  highlighted: false,
  collection_limit: 10,
  require_2fa: false,
})

/** Returns the role as it is after the change. Throws if another role has the same name. */
const checked = ({ actor, roles }: Changing, base: RoleRow, change: RoleChange): RoleRow => {
  const after = changedRole(actor, base, roles.get(base.id) ?? null, change)
  const name = after.name.toLowerCase()
  for (const role of roles.values())
    if (role.id !== base.id && name !== '' && role.name.toLowerCase() === name)
      throw invalidField('Name has already been taken')
  return after
}

const known = ({ roles }: Changing, id: string): RoleRow => {
  const role = roles.get(id)
  if (!role) throw notFound()
  return role
}

export const list = handle(listRoles, async (ctx) => (await allRoles(ctx.db)).map(staffRoleOf))

export const show = handle(showRole, async (ctx, _viewer, { id }) => {
  const role = await roleById(ctx.db, id)
  if (!role) throw notFound()
  return staffRoleOf(role)
})

export const create = handle(createRole, (ctx, viewer, input) =>
  changeRoles(ctx, viewer, async (changing) => {
    checkActor(changing.actor, null)
    const after = checked(changing, fresh(ctx.ids.next()), input)
    await insertRole(changing.tx, after)
    await announceRole(ctx, changing.tx, viewer, 'create_user_role', { before: null, after })
    return staffRoleOf(after)
  }),
)

export const update = handle(updateRoleOperation, (ctx, viewer, { id, ...change }) =>
  changeRoles(ctx, viewer, async (changing) => {
    const before = known(changing, id)
    checkActor(changing.actor, before.position)
    const after = checked(changing, before, change)
    await updateRole(changing.tx, after)
    await invalidateHolders(ctx, changing.tx, id)
    await announceRole(ctx, changing.tx, viewer, 'update_user_role', { before, after })
    return staffRoleOf(after)
  }),
)

export const remove = handle(removeRole, (ctx, viewer, { id }) =>
  changeRoles(ctx, viewer, async (changing) => {
    const before = known(changing, id)
    checkActor(changing.actor, before.position)
    if (id === EVERYONE) throw fail('forbidden', 'This action is not allowed')
    await invalidateHolders(ctx, changing.tx, id)
    await keepHolders(changing.tx, id)
    await deleteRole(changing.tx, id)
    await announceRole(ctx, changing.tx, viewer, 'destroy_user_role', { before, after: null })
    return {}
  }),
)

export const assign = handle(assignRole, async (ctx, viewer, { id, role_id }) => {
  await changeRoles(ctx, viewer, async (changing) => {
    const { tx, actor, roles } = changing
    const user = await userByAccountId(tx, id)
    if (!user) {
      // Uses the connection of the transaction. Requests that wait for a second connection while they hold the lock on
      // the roles could block each other.
      const remote = await accountById(tx, id)
      throw remote ? fail('forbidden', 'This action is not allowed') : notFound()
    }
    const role = role_id && role_id !== EVERYONE ? known(changing, role_id) : null
    checkActor(actor, user.role_position)
    if (role) checkAssignment(actor, role)
    await setRole(tx, user.user_id, role?.id ?? null)
    await invalidateHolder(ctx, tx, { account: id, user: user.user_id })
    const before = user.role_id === null ? null : (roles.get(user.role_id)?.name ?? null)
    await ctx.announce(tx, roleChanged, {
      by: viewer?.id ?? null,
      action: 'change_role_user',
      targetId: id,
      target: user.username,
      before: { role: before, role_id: user.role_id },
      after: { role: role?.name ?? null, role_id: role?.id ?? null },
    })
    ctx.log.info({ accountId: id, userId: user.user_id, roleId: role?.id ?? null }, 'a role was assigned')
  })
  const [record] = await adminRecords(ctx, [id])
  if (!record) throw notFound()
  return toJson(record.account)
})
