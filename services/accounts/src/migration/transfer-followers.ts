/** Carries relationships from an account that its server lost to the account that has its handle now. */
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { SUSPENDED_BY_HOME_SERVER } from '../core/account/remote.rules.js'
import { accountsByIds } from '../core/account/store.js'
import { lockAccount, lockName } from '../core/lock.store.js'
import { decisionsOn, moderate } from '../moderation/index.js'
import { beginMove } from './move.js'
import { movedRecently, targetFault } from './rules.js'
import { lastArrivalAt, lastMoveAt } from './store.js'

type Changing = Pick<
  Context,
  'db' | 'announce' | 'queue' | 'invalidations' | 'ids' | 'clock' | 'nc' | 'site' | 'ownHosts'
>

/** Applies the suspension and other decisions of staff on the lost account to the new account. */
const inherit = async (ctx: Changing, tx: Tx, from: string, to: string): Promise<void> => {
  const made = await decisionsOn(tx, from)
  if (!made) return
  if (made.sensitized) await moderate(ctx, tx, { ids: [to] }, 'sensitive', '')
  if (made.silenced !== null) await moderate(ctx, tx, { ids: [to] }, 'silence', made.silenced)
  if (made.suspended !== null && made.suspended !== SUSPENDED_BY_HOME_SERVER)
    await moderate(ctx, tx, { ids: [to] }, 'suspend', made.suspended)
}

/**
 * Moves relationships to the new account without confirmation by the old one, which no longer exists. As for a move,
 * only one such change is accepted in seven days. Because of this, a server that resets repeatedly cannot move
 * followers repeatedly.
 */
export const transferFollowers = (ctx: Changing, from: string, to: string): Promise<void> =>
  ctx.db.tx(async (tx) => {
    await lockName(tx, `move ${from}`)
    const now = ctx.clock.now()
    if (movedRecently(await lastMoveAt(tx, from), now)) return
    await lockAccount(tx, to)
    await inherit(ctx, tx, from, to)
    if (movedRecently(await lastArrivalAt(tx, from), now)) return
    const rows = await accountsByIds(tx, [from, to])
    const old = rows.find((row) => row.id === from)
    const successor = rows.find((row) => row.id === to)
    if (!old || !successor || old.suspended) return
    const fault = targetFault(old, successor, ctx)
    if (fault === null || fault === 'no-alias') await beginMove(ctx, tx, old, successor)
  })
