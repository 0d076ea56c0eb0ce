/** Removes notifications of undone activities, of senders that the recipient blocks or mutes, and of deleted accounts. */
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { keys, lockExclusive, putBarriers } from '../core/barrier.store.js'
import { revokePermission, revokePermissionsOfDomain } from '../core/policy.store.js'
import { deleteRequest, deleteRequestsOfDomain } from '../core/request.store.js'
import { sources } from './candidate.js'
import {
  removeAccount,
  removeByDomain,
  removeBySender,
  removeBySource,
  removeByStatus,
  removeFor,
} from './undone.store.js'

type Tools = Pick<Context, 'db'>

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
export const undoStatus = (ctx: Tools, status: string): Promise<void> =>
  ctx.db.tx(async (tx) => {
    const undone = keys.undone(sources.status(status))
    await bar(tx, [undone], [undone])
    await removeBySource(tx, sources.status(status))
    await removeByStatus(tx, status)
  })

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
  await ctx.db.tx((tx) => removeAccount(tx, account))
}

/** Removes the notifications, requests and permissions of all senders on a domain, for one recipient. */
export const refuseDomain = (ctx: Tools, recipient: string, domain: string): Promise<void> =>
  ctx.db.tx(async (tx) => {
    await bar(tx, [keys.host(domain)], [keys.domain(recipient, domain)])
    await removeByDomain(tx, recipient, domain)
    await deleteRequestsOfDomain(tx, recipient, domain)
    await revokePermissionsOfDomain(tx, recipient, domain)
  })
