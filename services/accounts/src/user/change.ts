/** Changes the user of a local account for staff or an operator: checks the rank, applies the change, writes the audit log. */
import { userManaged } from '@murmuration/contracts/accounts'
import type { AuditAction } from '@murmuration/contracts/admin'
import { fail, notFound, type Viewer } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { accountById } from '../core/account.store.js'
import { userByAccountId } from '../core/user.store.js'
import { type EmailRow, lockEmailOfAccount } from '../email/index.js'
import { checkRank } from './rules.js'

/** Entry of the audit log, without the e-mail address, which is deleted with the account. Null if nothing changed. */
export type Act = { action: AuditAction; before?: unknown; after?: unknown } | null

const actorOf = async (tx: Tx, by: Pick<Viewer, 'id'> | null) => {
  if (by === null) return null
  // The permissions in the token may be outdated.
  const actor = await userByAccountId(tx, by.id)
  return { position: actor?.role_position ?? -1 }
}

/** Runs a change with the user row locked. Throws 404 for an unknown account, 403 for a remote one or one above the actor. */
export const changeUser = <T>(
  ctx: Context,
  by: Pick<Viewer, 'id'> | null,
  id: string,
  work: (tx: Tx, user: EmailRow) => Promise<{ act: Act; result: T }>,
): Promise<T> =>
  ctx.db.tx(async (tx) => {
    const user = await lockEmailOfAccount(tx, id)
    const target = user && (await userByAccountId(tx, id))
    if (!user || !target)
      throw (await accountById(tx, id)) ? fail('forbidden', 'This action is not allowed') : notFound()
    checkRank(await actorOf(tx, by), target.role_position)
    const { act, result } = await work(tx, user)
    if (act)
      await ctx.announce(tx, userManaged, {
        by: by?.id ?? null,
        action: act.action,
        targetId: id,
        target: user.username,
        before: act.before ?? null,
        after: act.after ?? null,
      })
    return result
  })
