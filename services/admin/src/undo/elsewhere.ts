/**
 * Undoes actions whose state another service owns. The undo is claimed first. Then the service restores the state, which is
 * safe to repeat, and the entry is added. A tick finds claims that a request did not finish.
 */

import { inviteDeactivate, inviteRestore, roleRestore, roleUpdate } from '@murmuration/contracts/accounts'
import type { AuditAction, RestoreOutcome, UndoObstacle } from '@murmuration/contracts/admin'
import { relayEnable, relayRestore } from '@murmuration/contracts/federation'
import type { AnyOperation } from '@murmuration/contracts/kit'
import { emojiRestore, emojiUpdate } from '@murmuration/contracts/media'
import { approveTrendTag, taxonomyRestore } from '@murmuration/contracts/statuses'
import { type AuditRow, record } from '../audit-log/index.js'
import type { Context } from '../context.js'
import { type Outcome, POSSIBLE, type Reversal, type Wish } from './reversal.js'
import { oppositeOf } from './row.js'
import { claimUndos, dropOpenUndo, finishUndo, lockOpenUndo } from './store.js'

type RestoreOperation =
  | typeof emojiRestore
  | typeof inviteRestore
  | typeof relayRestore
  | typeof roleRestore
  | typeof taxonomyRestore

interface Elsewhere {
  operation: RestoreOperation
  /** The action of the entry that the undo adds. */
  nameOf(entry: AuditRow): AuditAction
}

const ask = async (
  ctx: Context,
  operation: RestoreOperation,
  entry: AuditRow,
  { by, dry }: { by: string | null; dry: boolean },
): Promise<RestoreOutcome> => {
  const { action, target_id: targetId, before, after } = entry
  return (await ctx.call(operation, { by, action, targetId, before, after, dry })).outcome
}

/** Adds the entry of an undo that the service carried out. Returns null if that is done already. */
const finish = (ctx: Context, entry: AuditRow, { nameOf }: Elsewhere, batchId?: string): Promise<string | null> =>
  ctx.db.tx(async (tx) => {
    const claim = await lockOpenUndo(tx, entry.id)
    if (claim === null) return null
    const id = ctx.ids.next()
    await finishUndo(tx, entry.id, id)
    await record(ctx, tx, claim.by_account_id === null ? null : { id: claim.by_account_id }, {
      id,
      action: nameOf(entry),
      targetId: entry.target_id,
      target: entry.target,
      before: entry.after,
      after: entry.before,
      reason: claim.reason,
      undoes: entry.id,
      batchId,
    })
    return id
  })

/** Claims the undo. False when an earlier request did. */
const claimFirst = (ctx: Context, entry: AuditRow, { by, reason }: Wish): Promise<boolean> =>
  ctx.db.tx(async (tx) => {
    const row = { entry_id: entry.id, undo_entry_id: null, by_account_id: by?.id ?? null, reason }
    return (await claimUndos(tx, [row], ctx.clock.date())).size > 0
  })

const reverse = async (ctx: Context, how: Elsewhere, entry: AuditRow, wish: Wish): Promise<Outcome> => {
  const by = wish.by?.id ?? null
  const planned = await ask(ctx, how.operation, entry, { by, dry: true })
  const obstacle: UndoObstacle | null =
    planned === 'already' ? 'changed_since' : planned === 'restored' ? null : planned
  if (wish.dry) return obstacle === null ? POSSIBLE : { obstacle }
  if (obstacle !== null) return { obstacle }
  if (!(await claimFirst(ctx, entry, wish))) return { obstacle: 'already_undone' }
  const outcome = await ask(ctx, how.operation, entry, { by, dry: false })
  if (outcome !== 'restored' && outcome !== 'already') {
    await dropOpenUndo(ctx.db, entry.id)
    return { obstacle: outcome }
  }
  const undoneBy = await finish(ctx, entry, how, wish.batchId)
  return undoneBy === null ? { obstacle: 'already_undone' } : { undoneBy }
}

/** An undone review is named by the decision that it restores. */
const reviewOf = ({ action, before }: AuditRow): AuditAction => {
  const found = /^(?:approve|reject|reset)_(trend_(?:tag|link|status|publisher))$/.exec(action)
  const trendable = (before as { trendable?: boolean | null } | null)?.trendable ?? null
  const verb = trendable === null ? 'reset' : trendable ? 'approve' : 'reject'
  return found ? (`${verb}_${found[1]}` as AuditAction) : action
}

const elsewhere = (
  needs: AnyOperation,
  operation: RestoreOperation,
  nameOf: Elsewhere['nameOf'] = ({ action }) => oppositeOf(action),
): Reversal => {
  const how = { operation, nameOf }
  return {
    needs,
    reverse: async (ctx, entries, wish) =>
      new Map(
        await Promise.all(entries.map(async (entry) => [entry.id, await reverse(ctx, how, entry, wish)] as const)),
      ),
    async finish(ctx, entry) {
      const claim = await ctx.db.tx((tx) => lockOpenUndo(tx, entry.id))
      if (claim === null) return
      const outcome = await ask(ctx, operation, entry, { by: claim.by_account_id, dry: false })
      if (outcome === 'restored' || outcome === 'already') await finish(ctx, entry, how)
      else await dropOpenUndo(ctx.db, entry.id)
    },
  }
}

export const roles = elsewhere(roleUpdate, roleRestore)
export const invites = elsewhere(inviteDeactivate, inviteRestore)
export const emojis = elsewhere(emojiUpdate, emojiRestore)
export const relays = elsewhere(relayEnable, relayRestore)
export const taxonomies = elsewhere(approveTrendTag, taxonomyRestore, reviewOf)
