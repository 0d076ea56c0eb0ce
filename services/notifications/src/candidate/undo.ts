/** Removes notifications of undone activities, and of senders that the recipient blocks or mutes. */
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { keys, lock, raise } from '../core/barrier.store.js'
import { revokePermission, revokePermissionsOfDomain } from '../core/policy.store.js'
import { deleteRequest, deleteRequestsOfDomain } from '../core/request.store.js'
import { sources } from './candidate.js'
import { removeByDomain, removeBySender, removeBySource, removeByStatus, removeFor } from './undone.store.js'

type Tools = Pick<Context, 'db'>

const bar = async (tx: Tx, locks: readonly string[], barriers: readonly string[]): Promise<void> => {
  await lock(tx, locks)
  await raise(tx, barriers)
}

/** An activity was undone. A candidate of it that is received later finds the barrier. */
export const undo = (ctx: Tools, source: string): Promise<void> =>
  ctx.db.tx(async (tx) => {
    await bar(tx, [keys.undone(source)], [keys.undone(source)])
    await removeBySource(tx, source)
  })

/** One recipient is no longer concerned by what somebody did; others still are, so nothing on the way is barred. */
export const undoFor = (ctx: Tools, recipient: string, source: string): Promise<void> =>
  ctx.db.tx(async (tx) => {
    await removeFor(tx, recipient, source)
  })

/** A status is gone, and with it everything that shows it. */
export const undoStatus = (ctx: Tools, status: string): Promise<void> =>
  ctx.db.tx(async (tx) => {
    const undone = keys.undone(sources.status(status))
    await bar(tx, [undone], [undone])
    await removeBySource(tx, sources.status(status))
    await removeByStatus(tx, status)
  })

/** The recipient does not want to hear this sender; `ends` when an exception for the sender ends too. */
export const silence = (ctx: Tools, recipient: string, from: string, ends: boolean): Promise<void> =>
  ctx.db.tx(async (tx) => {
    await bar(tx, [keys.sender(from)], [keys.pair(recipient, from)])
    await removeBySender(tx, recipient, from)
    await deleteRequest(tx, recipient, from)
    if (ends) await revokePermission(tx, recipient, from)
  })

/** The recipient does not want to hear anybody of this domain. */
export const silenceDomain = (ctx: Tools, recipient: string, domain: string): Promise<void> =>
  ctx.db.tx(async (tx) => {
    await bar(tx, [keys.host(domain)], [keys.domain(recipient, domain)])
    await removeByDomain(tx, recipient, domain)
    await deleteRequestsOfDomain(tx, recipient, domain)
    await revokePermissionsOfDomain(tx, recipient, domain)
  })
