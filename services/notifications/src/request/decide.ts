/** Deciding about senders who wait: letting them through, or sending away what they sent. */
import { mergeRequestJob } from '@murmuration/contracts/notifications'
import { dropHeld } from '../candidate/index.js'
import type { Context } from '../context.js'
import { keys, lock, raise } from '../core/barrier.store.js'
import { permit } from '../core/policy.store.js'
import { takeRequests } from '../core/request.store.js'
import { startMerges } from './merge.store.js'

/** Lets senders through from now on, and queues what they sent so far. Returns how many requests there were. */
export const accept = (
  ctx: Pick<Context, 'db' | 'queue'>,
  recipient: string,
  ids: readonly string[],
): Promise<number> =>
  ctx.db.tx(async (tx) => {
    const taken = await takeRequests(tx, recipient, ids)
    const senders = taken.map((one) => one.from_id)
    if (senders.length === 0) return 0
    // A candidate that the old policy decided and that is not stored yet is evaluated again.
    await lock(tx, senders.map(keys.sender))
    await raise(
      tx,
      senders.map((from) => keys.pair(recipient, from)),
    )
    await permit(tx, recipient, taken)
    await startMerges(tx, recipient, senders)
    await ctx.queue(tx, mergeRequestJob, ...senders.map((from) => ({ recipient, from })))
    return taken.length
  })

/** Removes requests and what they hold. Returns how many there were. */
export const dismiss = (ctx: Pick<Context, 'db'>, recipient: string, ids: readonly string[]): Promise<number> =>
  ctx.db.tx(async (tx) => {
    const taken = await takeRequests(tx, recipient, ids)
    await dropHeld(
      tx,
      recipient,
      taken.map((one) => one.from_id),
    )
    return taken.length
  })
