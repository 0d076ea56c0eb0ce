/** Jobs that moderate the accounts of a domain, and end relationships with suspended ones. */
import { endFollowsHereJob, endWithSuspendedJob, moderateDomainJob } from '@murmuration/contracts/accounts'
import { lockAccounts } from '../core/lock.store.js'
import { work } from '../handlers.js'
import { continueDomain } from './domain.js'
import { endFollowsHere, endRelationsOfBlocked } from './end-relations.js'
import { suspendedBy } from './store.js'

/** Goes on changing how the accounts of a domain stand, a page at a time. */
export const moderateDomain = work(moderateDomainJob, (ctx, data) => ctx.db.tx((tx) => continueDomain(ctx, tx, data)))

/** Goes on ending what people here have with accounts of a suspended domain, and ends what began in that moment, unless staff lifted the block. */
export const endWithSuspendedWork = work(endWithSuspendedJob, (ctx, { accounts, domain, stamp }) =>
  ctx.db.tx(async (tx) => {
    // Waits for changes that began before the suspension. Later ones are refused.
    await lockAccounts(tx, accounts)
    await endRelationsOfBlocked(ctx, tx, await suspendedBy(tx, accounts, stamp), domain, stamp)
  }),
)

/** Goes on ending the follows by suspended remote accounts, unless staff lifted the suspension. */
export const endFollowsHereWork = work(endFollowsHereJob, (ctx, { accounts, stamp, decision }) =>
  ctx.db.tx(async (tx) => {
    await lockAccounts(tx, accounts)
    await endFollowsHere(ctx, tx, await suspendedBy(tx, accounts, stamp), { stamp, decision })
  }),
)
