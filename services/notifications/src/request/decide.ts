/** Decisions about notification requests: accept or dismiss. */
import { mergeRequestJob } from '@murmuration/contracts/notifications'
import { deleteFiltered } from '../candidate/index.js'
import type { Context } from '../context.js'
import { keys, lockExclusive, putBarriers } from '../core/barrier.store.js'
import { insertPermissions } from '../core/policy.store.js'
import { takeRequests } from '../core/request.store.js'
import { startMerges } from './merge.store.js'

/**
 * Accepts notification requests: stores permissions for the senders, and queues jobs that unfilter their notifications.
 * Returns the number of accepted requests. Unknown ids are ignored.
 */
export const accept = (
  ctx: Pick<Context, 'db' | 'queue'>,
  recipient: string,
  ids: readonly string[],
): Promise<number> =>
  ctx.db.tx(async (tx) => {
    const taken = await takeRequests(tx, recipient, ids)
    const senders = taken.map((one) => one.from_id)
    if (senders.length === 0) return 0
    // If a concurrent `notify` did not read the new permission, the barrier makes it evaluate its candidates again.
    await lockExclusive(tx, senders.map(keys.sender))
    await putBarriers(
      tx,
      senders.map((from) => keys.pair(recipient, from)),
    )
    await insertPermissions(tx, recipient, taken)
    await startMerges(tx, recipient, senders)
    await ctx.queue(tx, mergeRequestJob, ...senders.map((from) => ({ recipient, from })))
    return taken.length
  })

/** Deletes notification requests and their filtered notifications. Returns the number of deleted requests. */
export const dismiss = (ctx: Pick<Context, 'db'>, recipient: string, ids: readonly string[]): Promise<number> =>
  ctx.db.tx(async (tx) => {
    const taken = await takeRequests(tx, recipient, ids)
    await deleteFiltered(
      tx,
      recipient,
      taken.map((one) => one.from_id),
    )
    return taken.length
  })
