/** Goes on ending what people here have with accounts of a suspended domain, and ends what began in that moment, unless staff lifted the block. */
import { endWithSuspendedJob } from '@murmuration/contracts/accounts'
import { endRelations } from '../changes/suspended-relations.js'
import { work } from '../doors.js'
import { lockAccounts } from '../store/lock.js'
import { suspendedBy } from '../store/moderation.js'

export const endWithSuspendedWork = work(endWithSuspendedJob, (ctx, { accounts, domain, stamp }) =>
  ctx.db.tx(async (tx) => {
    // Who began something before the suspension is waited for; who begins after it is refused.
    await lockAccounts(tx, accounts)
    await endRelations(ctx, tx, await suspendedBy(tx, accounts, stamp), domain, stamp)
  }),
)
