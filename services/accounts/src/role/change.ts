/** Changes roles and their holders in one transaction, with cache invalidations and an event for the audit log. */
import { accountInvalidation, roleChanged, tokenInvalidation } from '@murmuration/contracts/accounts'
import type { Viewer } from '@murmuration/contracts/kit'
import { effectivePermissions } from '@murmuration/contracts/permissions'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import type { RoleRow } from '../core/role/store.js'
import { validTokenIds } from '../core/token/store.js'
import { userByAccountId } from '../core/user/store.js'
import { type Actor, checkActor, checkAssignment, EVERYONE } from './rules.js'
import { holdersOf, lockRoles } from './store.js'
import { staffRoleOf } from './view.js'

/** Maximum number of users with a role whose cached data is invalidated. Cached data of further users expires within seconds. */
const MAX_HOLDERS = 1_000

export interface Changing {
  tx: Tx
  actor: Actor
  roles: ReadonlyMap<string, RoleRow>
}

/** Permissions of the actor as stored now. Permissions in the token may be outdated. */
const actorOf = async (tx: Tx, by: Pick<Viewer, 'id'> | null): Promise<Actor> => {
  if (by === null) return null
  const user = await userByAccountId(tx, by.id)
  return {
    permissions: user ? effectivePermissions(user.role_permissions, user.everyone_permissions) : 0,
    position: user?.role_position ?? -1,
  }
}

/** Throws 403 unless the account may assign the role to a new account. Operators (null) may assign every role. */
export const authorizeRole = async (
  tx: Tx,
  by: Viewer | null,
  role: Pick<RoleRow, 'position' | 'permissions'>,
): Promise<void> => {
  const actor = await actorOf(tx, by)
  checkActor(actor, null)
  checkAssignment(actor, role)
}

/** Runs a change with all role rows locked. */
export const changeRoles = <T>(
  ctx: Context,
  by: Pick<Viewer, 'id'> | null,
  work: (changing: Changing) => Promise<T>,
): Promise<T> =>
  ctx.db.tx(async (tx) => {
    const roles = new Map((await lockRoles(tx)).map((role) => [role.id, role]))
    return work({ tx, actor: await actorOf(tx, by), roles })
  })

/**
 * Invalidates cached accounts and tokens of holders after the commit. A role is deleted only after this call, because
 * the call reads the holders of the role.
 */
export const invalidateHolders = async (ctx: Context, tx: Tx, roleId: string): Promise<void> => {
  const holders = roleId === EVERYONE ? [] : await holdersOf(tx, roleId, MAX_HOLDERS)
  tx.onCommit(() => {
    ctx.invalidations.send(
      tokenInvalidation,
      holders.flatMap((one) => one.tokens),
    )
    ctx.invalidations.send(
      accountInvalidation,
      holders.map((one) => one.account_id),
    )
  })
}

/** Invalidates the cached account and tokens of one holder after the commit. */
export const invalidateHolder = async (ctx: Context, tx: Tx, it: { account: string; user: string }): Promise<void> => {
  const tokens = await validTokenIds(tx, it.user)
  tx.onCommit(() => {
    ctx.invalidations.send(tokenInvalidation, tokens)
    ctx.invalidations.send(accountInvalidation, [it.account])
  })
}

/** Announces a change of a role for the audit log. */
export const announceRole = (
  ctx: Context,
  tx: Tx,
  by: Viewer | null,
  action: 'create_user_role' | 'update_user_role' | 'destroy_user_role',
  { before, after }: { before: RoleRow | null; after: RoleRow | null },
): Promise<void> => {
  const role = after ?? before
  return ctx.announce(tx, roleChanged, {
    by: by?.id ?? null,
    action,
    targetId: role?.id ?? '',
    target: role?.name ?? '',
    before: before && staffRoleOf(before),
    after: after && staffRoleOf(after),
  })
}
