/** Jobs that accept follow requests and renew follows, one page per run. */
import { acceptRequestsJob, renewFollowsJob } from '@murmuration/contracts/accounts'
import { queueNextOnce } from '@murmuration/kernel'
import { accountById } from '../core/account/store.js'
import { lockAccount } from '../core/lock.store.js'
import { work } from '../handlers.js'
import { ACCEPT_PAGE, acceptRequests } from './begin.js'
import { renewFollows } from './renew.js'

/** Accepts follow requests to an account that was unlocked, one page per run. */
export const acceptRequestsWork = work(acceptRequestsJob, async (ctx, { target }, meta) => {
  await ctx.db.tx(async (tx) => {
    await lockAccount(tx, target)
    const account = await accountById(tx, target)
    // If the target has locked its account again, the remaining follow requests stay pending.
    if (!account || account.locked) return
    const accepted = await acceptRequests(ctx, tx, target, { oldest: ACCEPT_PAGE })
    if (accepted.length === ACCEPT_PAGE)
      await queueNextOnce(tx, acceptRequestsJob, meta, () => ctx.queue(tx, acceptRequestsJob, { target }))
  })
})

/** Announces existing follows again, one page per run, so that federation sends their Follow activities. A repeated run has no effect. */
export const renewFollowsWork = work(renewFollowsJob, (ctx, page, meta) =>
  ctx.db.tx(async (tx) => {
    const after = await renewFollows(ctx, tx, page)
    if (after === null) return
    await queueNextOnce(tx, renewFollowsJob, meta, () => ctx.queue(tx, renewFollowsJob, { ...page, after }))
  }),
)
