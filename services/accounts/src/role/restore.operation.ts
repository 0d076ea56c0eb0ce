/** Handler that undoes actions on roles and their holders, for the audit log. The actor needs the same rank as for the action. */
import { restoreRole as restoreRoleOperation } from '@murmuration/contracts/accounts'
import type { RestoreOutcome } from '@murmuration/contracts/admin'
import { Failure } from '@murmuration/contracts/kit'
import { restore } from '@murmuration/kernel'
import { z } from 'zod'
import type { Context } from '../context.js'
import type { RoleRow } from '../core/role/store.js'
import { userByAccountId } from '../core/user/store.js'
import { handle } from '../handlers.js'
import { type Changing, changeRoles, invalidateHolder, invalidateHolders } from './change.js'
import { changedRole, checkActor, checkAssignment, EVERYONE } from './rules.js'
import { deleteRole, insertRole, keepHolders, restoreHolders, setRole, updateRole } from './store.js'
import { staffRoleOf } from './view.js'

const Role = z.object({
  name: z.string(),
  color: z.string(),
  permissions: z.string(),
  highlighted: z.boolean(),
  collection_limit: z.int(),
  position: z.int(),
  require_2fa: z.boolean(),
})
type Role = z.output<typeof Role>
const Holder = z.object({ role_id: z.string().nullable() })

interface Recorded {
  targetId: string | null
  before: unknown
  after: unknown
  dry: boolean
}

/** Exception that ends the undo of an action with this outcome. */
class Stopped extends Error {
  readonly outcome: RestoreOutcome

  constructor(outcome: RestoreOutcome) {
    super(outcome)
    this.outcome = outcome
  }
}

const rowOf = (id: string, role: Role): RoleRow => ({ id, ...role, permissions: Number(role.permissions) })

/** Throws the same errors as the action itself for roles above the actor. Throws `is_taken` if another role has the name. */
const check = ({ actor, roles }: Changing, id: string, to: RoleRow | null): void => {
  const current = roles.get(id) ?? null
  checkActor(actor, current?.position ?? null)
  if (to === null) return
  const { permissions, ...fields } = to
  changedRole(actor, current ?? to, current, { ...fields, permissions: [String(permissions)] })
  const name = to.name.toLowerCase()
  for (const role of roles.values())
    if (role.id !== id && name !== '' && role.name.toLowerCase() === name) throw new Stopped('is_taken')
}

const restoreRole = (ctx: Context, changing: Changing, recorded: Recorded): Promise<RestoreOutcome> => {
  const { tx, roles } = changing
  const id = recorded.targetId ?? ''
  const row = roles.get(id) ?? null
  if (id === EVERYONE && (recorded.before === null || recorded.after === null)) throw new Stopped('not_permitted')
  const store = async (to: Role | null) => {
    check(changing, id, to && rowOf(id, to))
    if (recorded.dry) return
    if (to === null) {
      await invalidateHolders(ctx, tx, id)
      await keepHolders(tx, id)
      await deleteRole(tx, id)
      return
    }
    if (row) await updateRole(tx, rowOf(id, to))
    else {
      await insertRole(tx, rowOf(id, to))
      await restoreHolders(tx, id)
    }
    await invalidateHolders(ctx, tx, id)
  }
  return restore({ schema: Role, recorded, row: row && staffRoleOf(row), dry: false }, store)
}

const restoreHolder = async (ctx: Context, { tx, actor, roles }: Changing, recorded: Recorded) => {
  const id = recorded.targetId ?? ''
  const user = await userByAccountId(tx, id)
  if (!user) throw new Stopped('account_deleted')
  const store = async ({ role_id }: { role_id: string | null }) => {
    const role = role_id === null ? null : roles.get(role_id)
    if (role === undefined) throw new Stopped('is_deleted')
    checkActor(actor, user.role_position)
    if (role) checkAssignment(actor, role)
    if (recorded.dry) return
    await setRole(tx, user.user_id, role_id)
    await invalidateHolder(ctx, tx, { account: id, user: user.user_id })
  }
  return restore({ schema: Holder, recorded, row: { role_id: user.role_id }, dry: false }, (to) =>
    store(to ?? { role_id: null }),
  )
}

/** Maps permission errors and validation errors to the outcome `not_permitted`. */
const outcomeOf = async (work: () => Promise<RestoreOutcome>): Promise<RestoreOutcome> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Stopped) return error.outcome
    if (error instanceof Failure && (error.code === 'forbidden' || error.code === 'unprocessable'))
      return 'not_permitted'
    throw error
  }
}

export const restoreRoles = handle(restoreRoleOperation, async (ctx, _viewer, { by, action, ...recorded }) => {
  const actor = by === null ? null : { id: by }
  const undo = action === 'change_role_user' ? restoreHolder : restoreRole
  return { outcome: await outcomeOf(() => changeRoles(ctx, actor, (changing) => undo(ctx, changing, recorded))) }
})
