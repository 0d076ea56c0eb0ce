/** Changes the user of a local account for staff or an operator: checks the rank, applies the change, writes the audit log. */
import { userManaged } from '@murmuration/contracts/accounts'
import type { AuditAction } from '@murmuration/contracts/admin'
import { fail, notFound, type Viewer } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { accountById } from '../core/account/store.js'
import { checkRank } from '../core/role/rank.js'
import { type EmailRow, lockEmailOfAccount } from '../email/index.js'

/** Entry of the audit log, without the e-mail address, which is deleted with the account. Null if nothing changed. */
export type Act = { action: AuditAction; before?: unknown; after?: unknown } | null

/** Runs a change with the user row locked. Throws 404 for an unknown account, 403 for a remote one or one above the actor. */
export const changeUser = <T>(
  ctx: Context,
  by: Pick<Viewer, 'id'> | null,
  id: string,
  work: (tx: Tx, user: EmailRow) => Promise<{ act: Act; result: T }>,
): Promise<T> =>
  ctx.db.tx(async (tx) => {
    const user = await lockEmailOfAccount(tx, id)
    if (!user) throw (await accountById(tx, id)) ? fail('forbidden', 'This action is not allowed') : notFound()
    await checkRank(tx, by, id)
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
