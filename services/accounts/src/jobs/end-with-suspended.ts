/** Goes on ending what people here have with accounts of a suspended domain, unless staff lifted the block. */
import { endWithSuspendedJob } from '@murmuration/contracts/accounts'
import { endRelations } from '../changes/suspended-relations.js'
import { work } from '../doors.js'
import { suspendedBy } from '../store/moderation.js'

export const endWithSuspendedWork = work(endWithSuspendedJob, (ctx, { accounts, domain, stamp }) =>
  ctx.db.tx(async (tx) => {
    await endRelations(ctx, tx, await suspendedBy(tx, accounts, stamp), domain, stamp)
  }),
)
