/** Requests follows of local accounts again that a domain block ended, one page per transaction. */
import { followRequested } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { insertRelations } from '../core/follow/store.js'
import { lockAccounts } from '../core/lock.store.js'
import {
  markRestored,
  type RestorableFollow,
  restorableFollows,
  type SeveredPosition,
  severedPage,
} from './restore.store.js'

/** Maximum number of follows of one transaction. */
export const RESTORE_PAGE = 200

/** Cause of the severances of a domain block. */
export const causeOf = (block: { domain: string; stamp: string }): string => `${block.domain} ${block.stamp}`

/** Row of a new follow request. The remote server decides on it, like on the first one. */
const requestOf = (ctx: Pick<Context, 'ids' | 'clock'>, one: RestorableFollow) => {
  const { from, to, actor, reblogs, notify, languages } = one
  const id = ctx.ids.next()
  const at = ctx.clock.date()
  return { id, from, to, fromLocal: true, inbox: null, uri: `${actor}#follows/${id}`, at, reblogs, notify, languages }
}

/**
 * Stores and announces follow requests for one page of the follows that a domain block ended. Returns the position after
 * which the next page begins; null after the last page. A repeated call has no effect.
 */
export const restoreFollows = async (
  ctx: Pick<Context, 'announce' | 'ids' | 'clock'>,
  tx: Tx,
  block: { domain: string; stamp: string },
  after: SeveredPosition,
): Promise<SeveredPosition | null> => {
  const page = await severedPage(tx, causeOf(block), after, RESTORE_PAGE)
  await lockAccounts(tx, [...new Set(page.flatMap(({ from, to }) => (to === null ? [] : [from, to])))])
  const restorable = await restorableFollows(tx, page)
  const missing = restorable.filter((one) => !one.exists)
  const requested = await insertRelations(
    tx,
    'follow_requests',
    missing.map((one) => requestOf(ctx, one)),
  )
  await ctx.announce(tx, followRequested, ...requested)
  await markRestored(tx, restorable, ctx.clock.date())
  const last = page.at(-1)
  return page.length === RESTORE_PAGE && last ? { severance: last.severance, address: last.address } : null
}
