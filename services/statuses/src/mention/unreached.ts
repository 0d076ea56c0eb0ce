/** People whom a remote status mentions and whose servers did not answer when it came: noted with it, and named in it when they are found. */
import { fileConversation, statusHint } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { refreshed } from '../core/quote/quote.js'
import { appendMentions } from '../core/status/mention.store.js'
import type { FullStatus } from '../core/status/new-status.js'
import { holdAllForChange, renewRevision, rowOf, type StatusRow } from '../core/status/store.js'
import { visibilityOf } from '../core/visibility/rules.js'
import { WAITS_S, worthSeeking } from './unreached.rules.js'
import { endUnreached, insertUnreached } from './unreached.store.js'

/** Notes them with the statuses that mention them. */
export const seekUnreached = (
  ctx: Context,
  tx: Tx,
  wholes: readonly { row: Pick<FullStatus['row'], 'id'>; unreached?: FullStatus['unreached'] }[],
): Promise<void> =>
  insertUnreached(
    tx,
    wholes.flatMap(({ row, unreached }) => worthSeeking(unreached).map((one) => ({ ...one, status: row.id }))),
    new Date(ctx.clock.now() + (WAITS_S[0] as number) * 1_000),
  )

/** Adds mentions of remote accounts to an unchanged status that the caller has locked. No local account is notified. */
export const nameLate = async (ctx: Context, tx: Tx, row: StatusRow, accounts: readonly string[]): Promise<void> => {
  if (accounts.length === 0) return
  await appendMentions(tx, row.id, accounts)
  // Visibility is cached by revision.
  await renewRevision(tx, row.id)
  await refreshed(ctx, tx, row)
  if (visibilityOf(row.visibility) === 'direct') await ctx.queue(tx, fileConversation, { status: row.id })
}

/** Names somebody who was found, unless the status is gone, or another version of it does not name them any more. */
export const nameFound = async (ctx: Context, status: string, uri: string, account: string): Promise<boolean> => {
  const isNamed = await ctx.db.tx(async (tx) => {
    // Edits hold the status first, too.
    await holdAllForChange(tx, [status])
    if (!(await endUnreached(tx, status, uri))) return false
    const row = await rowOf(tx, status)
    if (row === null) return false
    await nameLate(ctx, tx, row, [account])
    return true
  })
  if (isNamed) ctx.hints.send(statusHint, [status])
  return isNamed
}
