/**
 * Mentioned accounts whose server did not respond when a remote status was received. The missing accounts are stored
 * with the status, and become mentions when found.
 */
import { assignConversation, statusInvalidation } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { refreshed } from '../core/quote/quote.js'
import { appendMentions } from '../core/status/mention.store.js'
import type { FullStatus } from '../core/status/new-status.js'
import { lockAllForChange, renewRevision, rowOf, type StatusRow } from '../core/status/store.js'
import { visibilityOf } from '../core/visibility/rules.js'
import { retryableMentions, WAITS_S } from './unreached.rules.js'
import { endUnreached, insertUnreached } from './unreached.store.js'

/** Stores the unreached mentions of new statuses. */
export const storeUnreached = (
  ctx: Context,
  tx: Tx,
  fullStatuses: readonly { row: Pick<FullStatus['row'], 'id'>; unreached?: FullStatus['unreached'] }[],
): Promise<void> =>
  insertUnreached(
    tx,
    fullStatuses.flatMap(({ row, unreached }) =>
      retryableMentions(unreached).map((one) => ({ ...one, status: row.id })),
    ),
    new Date(ctx.clock.now() + (WAITS_S[0] as number) * 1_000),
  )

/**
 * Stores further mentions of remote accounts of a status whose text does not change. The caller has locked the status.
 * No local account is notified of a late mention. For a direct status, queues the update of conversations.
 */
export const addLateMentions = async (
  ctx: Context,
  tx: Tx,
  row: StatusRow,
  accounts: readonly string[],
): Promise<void> => {
  if (accounts.length === 0) return
  await appendMentions(tx, row.id, accounts)
  // The status gets a new revision, because cached columns contain the mentions.
  await renewRevision(tx, row.id)
  await refreshed(ctx, tx, row)
  if (visibilityOf(row.visibility) === 'direct')
    await ctx.queue(tx, assignConversation, { status: row.id, added: [...accounts] })
}

/**
 * Adds a found account as mention. Returns false if the status is deleted or its latest version no longer mentions the
 * account.
 */
export const addFoundMention = async (ctx: Context, status: string, uri: string, account: string): Promise<boolean> => {
  const isNamed = await ctx.db.tx(async (tx) => {
    // Locks the status before other rows, as edits do, so that transactions do not deadlock.
    await lockAllForChange(tx, [status])
    if (!(await endUnreached(tx, status, uri))) return false
    const row = await rowOf(tx, status)
    if (row === null) return false
    await addLateMentions(ctx, tx, row, [account])
    return true
  })
  if (isNamed) ctx.invalidations.send(statusInvalidation, [status])
  return isNamed
}
