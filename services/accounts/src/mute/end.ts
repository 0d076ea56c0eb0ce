/** Announces the end of mutes, in the transaction of the caller. */
import { listChanged, muteRemoved } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import type { RelationEnd } from '../core/follow/store.js'
import { listsOfOwners } from './store.js'

/**
 * Announces mutes that ended. The lists of their owners are rebuilt, because fan-out skipped the statuses and boosts that
 * name a muted account in any list.
 */
export const announceMuteEnds = async (
  ctx: Pick<Context, 'announce'>,
  tx: Tx,
  gone: readonly RelationEnd[],
): Promise<void> => {
  if (gone.length === 0) return
  await ctx.announce(tx, muteRemoved, ...gone)
  const lists = await listsOfOwners(
    tx,
    gone.map((one) => one.from),
  )
  await ctx.announce(tx, listChanged, ...lists)
}
