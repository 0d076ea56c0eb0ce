/** Removes notifications of undone activities, of senders that the recipient blocks or mutes, and of deleted accounts. */
import type { Tx } from '@murmuration/db'
import { inSteps } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { keys, lockExclusive, putBarriers } from '../core/barrier.store.js'
import { revokePermission, revokePermissionsOfDomain } from '../core/policy.store.js'
import { deleteRequest, deleteRequestsOfDomain } from '../core/request.store.js'
import { sources } from './candidate.js'
import {
  deleteOf,
  deleteRequestsOf,
  removeAccount,
  removeByDomain,
  removeBySender,
  removeBySource,
  removeByStatus,
  removeFor,
  removeFrom,
} from './undone.store.js'

type Tools = Pick<Context, 'db'>

/**
 * Steps of a removal that may concern millions of notifications. Each has its own transaction, and a removal that is
 * repeated continues after the steps that are done. A removal ends with a step that finds nothing, because a step may
 * remove less than its size if another transaction changes one of its rows.
 */
const STEPS = { size: 5_000, steps: 10_000 }
const removeInSteps = (ctx: Tools, step: (tx: Tx, limit: number) => Promise<number>): Promise<number> =>
  inSteps(STEPS, async (limit) => ((await ctx.db.tx((tx) => step(tx, limit))) > 0 ? limit : 0))

/**
 * Takes the locks, then writes the barriers. Transactions that store notifications later see the barriers, and skip
 * notifications that the barriers exclude.
 */
const bar = async (tx: Tx, locks: readonly string[], barriers: readonly string[]): Promise<void> => {
  await lockExclusive(tx, locks)
  await putBarriers(tx, barriers)
}

/** Removes the notifications about an undone activity. A barrier excludes notifications about it that are received later. */
export const undo = (ctx: Tools, source: string): Promise<void> =>
  ctx.db.tx(async (tx) => {
    await bar(tx, [keys.undone(source)], [keys.undone(source)])
    await removeBySource(tx, source)
  })

/** Removes the notifications about an activity for one recipient. Writes no barrier, because other recipients keep their notifications. */
export const undoFor = (ctx: Tools, recipient: string, source: string): Promise<void> =>
  ctx.db.tx(async (tx) => {
    await removeFor(tx, recipient, source)
  })

/**
 * Removes all notifications that a deleted status caused, or that show it. A barrier excludes such notifications that
 * are received later.
 */
export const undoStatus = async (ctx: Tools, status: string): Promise<void> => {
  await undo(ctx, sources.status(status))
  await removeInSteps(ctx, (tx, limit) => removeByStatus(tx, status, limit))
}

/**
 * Removes the notifications by a blocked or muted sender and its notification request, for one recipient. `ends`: true
 * if the sender's permission is deleted, too. Mentions by staff stay.
 */
export const refuseSender = (ctx: Tools, recipient: string, from: string, ends: boolean): Promise<void> =>
  ctx.db.tx(async (tx) => {
    await bar(tx, [keys.sender(from)], [keys.pair(recipient, from)])
    await removeBySender(tx, recipient, from)
    await deleteRequest(tx, recipient, from)
    if (ends) await revokePermission(tx, recipient, from)
  })

/**
 * Deletes all rows about a permanently deleted account. A barrier excludes notifications by and for this account that
 * are stored later. The barrier has its own transaction, because its lock stops all transactions that store
 * notifications, and the account may have many rows. A process of the release before knows only the lock of the sender.
 */
export const undoAccount = async (ctx: Tools, account: string): Promise<void> => {
  await ctx.db.tx((tx) => bar(tx, [keys.sender(account), keys.removals], [keys.removed(account)]))
  await removeInSteps(ctx, (tx, limit) => removeFrom(tx, account, limit))
  await removeInSteps(ctx, (tx, limit) => deleteOf(tx, account, limit))
  await ctx.db.tx((tx) => removeAccount(tx, account))
}

/**
 * Removes the notifications, requests and permissions of all senders on a domain, for one recipient. The barrier has its
 * own transaction, because its lock stops the notifications of the domain for all recipients.
 */
export const refuseDomain = async (ctx: Tools, recipient: string, domain: string): Promise<void> => {
  await ctx.db.tx((tx) => bar(tx, [keys.host(domain)], [keys.domain(recipient, domain)]))
  let below: string | null = null
  await removeInSteps(ctx, async (tx, limit) => {
    below = await removeByDomain(tx, { recipient, domain, below }, limit)
    return below === null ? 0 : limit
  })
  await ctx.db.tx(async (tx) => {
    await deleteRequestsOfDomain(tx, recipient, domain)
    await revokePermissionsOfDomain(tx, recipient, domain)
  })
}

/** Removes all notifications and notification requests of a recipient. */
export const clearAll = async (ctx: Tools, recipient: string): Promise<void> => {
  await removeInSteps(ctx, (tx, limit) => deleteOf(tx, recipient, limit))
  await ctx.db.tx((tx) => deleteRequestsOf(tx, recipient))
}
