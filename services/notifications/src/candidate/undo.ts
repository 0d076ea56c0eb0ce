/** Removes notifications of undone activities, and of senders that the recipient blocks or mutes. */
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { keys, lock, raise } from '../core/barrier.store.js'
import { revokePermission, revokePermissionsOfDomain } from '../core/policy.store.js'
import { deleteRequest, deleteRequestsOfDomain } from '../core/request.store.js'
import { sources } from './candidate.js'
import { removeByDomain, removeBySender, removeBySource, removeByStatus, removeFor } from './undone.store.js'

type Tools = Pick<Context, 'db'>

/**
 * Takes the locks, then writes the barriers. A transaction that stores notifications afterwards sees the barriers and
 * skips the ones that they exclude.
 */
const bar = async (tx: Tx, locks: readonly string[], barriers: readonly string[]): Promise<void> => {
  await lock(tx, locks)
  await raise(tx, barriers)
}

/** Removes the notifications of an undone activity. A barrier stops a candidate of it that is received later. */
export const undo = (ctx: Tools, source: string): Promise<void> =>
  ctx.db.tx(async (tx) => {
    await bar(tx, [keys.undone(source)], [keys.undone(source)])
    await removeBySource(tx, source)
  })

/** Removes the notifications of an activity for one recipient. Writes no barrier, because other recipients keep theirs. */
export const undoFor = (ctx: Tools, recipient: string, source: string): Promise<void> =>
  ctx.db.tx(async (tx) => {
    await removeFor(tx, recipient, source)
  })

/** Removes all notifications that a deleted status caused or that show it. A barrier excludes notifications received later. */
export const undoStatus = (ctx: Tools, status: string): Promise<void> =>
  ctx.db.tx(async (tx) => {
    const undone = keys.undone(sources.status(status))
    await bar(tx, [undone], [undone])
    await removeBySource(tx, sources.status(status))
    await removeByStatus(tx, status)
  })

/**
 * Removes the notifications and the request of a blocked or muted sender for one recipient.
 * `ends`: true to delete the sender's permission, too. Mentions by staff stay.
 */
export const refuseSender = (ctx: Tools, recipient: string, from: string, ends: boolean): Promise<void> =>
  ctx.db.tx(async (tx) => {
    await bar(tx, [keys.sender(from)], [keys.pair(recipient, from)])
    await removeBySender(tx, recipient, from)
    await deleteRequest(tx, recipient, from)
    if (ends) await revokePermission(tx, recipient, from)
  })

/** Removes the notifications, requests and permissions of all senders of a domain for one recipient. */
export const refuseDomain = (ctx: Tools, recipient: string, domain: string): Promise<void> =>
  ctx.db.tx(async (tx) => {
    await bar(tx, [keys.host(domain)], [keys.domain(recipient, domain)])
    await removeByDomain(tx, recipient, domain)
    await deleteRequestsOfDomain(tx, recipient, domain)
    await revokePermissionsOfDomain(tx, recipient, domain)
  })
