/** Jobs that moderate the accounts of a domain, and end relationships with suspended ones. */
import {
  deleteDecisionsJob,
  endFollowsHereJob,
  endWithSuspendedJob,
  moderateDomainJob,
} from '@murmuration/contracts/accounts'
import { queueNextOnce } from '@murmuration/kernel'
import { lockAccounts } from '../core/lock.store.js'
import { work } from '../handlers.js'
import { continueDeletion, continueDomain } from './domain.js'
import { endFollowsHere, endRelationsOfBlocked } from './end-relations.js'
import { suspendedBy } from './store.js'

/** Moderates the next page of accounts of a domain. */
export const moderateDomain = work(moderateDomainJob, (ctx, data, meta) =>
  ctx.db.tx((tx) => queueNextOnce(tx, moderateDomainJob, meta, () => continueDomain(ctx, tx, data))),
)

/** Deletes the next page of decisions that a removed block left for removed accounts. */
export const deleteDecisionsWork = work(deleteDecisionsJob, (ctx, data, meta) =>
  ctx.db.tx((tx) => queueNextOnce(tx, deleteDecisionsJob, meta, () => continueDeletion(ctx, tx, data))),
)

/**
 * Ends remaining relationships with accounts of a suspended domain, also those that began during the suspension. Stops
 * if the block was removed.
 */
export const endWithSuspendedWork = work(endWithSuspendedJob, (ctx, { accounts, domain, stamp }, meta) =>
  ctx.db.tx((tx) =>
    queueNextOnce(tx, endWithSuspendedJob, meta, async () => {
      // The lock waits for transactions that began before the suspension and change relationships. Later transactions refuse such changes.
      await lockAccounts(tx, accounts)
      await endRelationsOfBlocked(ctx, tx, await suspendedBy(tx, accounts, stamp), domain, stamp)
    }),
  ),
)

/** Ends remaining follows by suspended remote accounts, unless staff lifted the suspension. */
export const endFollowsHereWork = work(endFollowsHereJob, (ctx, { accounts, stamp, decision }, meta) =>
  ctx.db.tx((tx) =>
    queueNextOnce(tx, endFollowsHereJob, meta, async () => {
      await lockAccounts(tx, accounts)
      await endFollowsHere(ctx, tx, await suspendedBy(tx, accounts, stamp), { stamp, decision })
    }),
  ),
)
