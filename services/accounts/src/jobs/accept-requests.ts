/** Goes on accepting requests to an account that was unlocked, a page at a time. */
import { acceptRequestsJob } from '@murmuration/contracts/accounts'
import { ACCEPT_PAGE, acceptRequests } from '../changes/follow.js'
import { work } from '../doors.js'
import { accountById } from '../store/account.js'
import { lockAccount } from '../store/lock.js'

export const acceptRequestsWork = work(acceptRequestsJob, async (ctx, { target }) => {
  await ctx.db.tx(async (tx) => {
    await lockAccount(tx, target)
    const account = await accountById(tx, target)
    // Locked again in the meantime: what is left waits for an answer as before.
    if (!account || account.locked) return
    const accepted = await acceptRequests(ctx, tx, target, { oldest: ACCEPT_PAGE })
    if (accepted.length === ACCEPT_PAGE) await ctx.queue(tx, acceptRequestsJob, { target })
  })
})
