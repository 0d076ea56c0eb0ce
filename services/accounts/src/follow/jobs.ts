/** Jobs that accept follow requests and renew follows, a page at a time. */
import { acceptRequestsJob, renewFollowsJob } from '@murmuration/contracts/accounts'
import { accountById } from '../core/account.store.js'
import { lockAccount } from '../core/lock.store.js'
import { work } from '../handlers.js'
import { ACCEPT_PAGE, acceptRequests } from './begin.js'
import { renewFollows } from './renew.js'

/** Goes on accepting requests to an account that was unlocked, a page at a time. */
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

/** Says follows of an account anew, page after page; safe to repeat. */
export const renewFollowsWork = work(renewFollowsJob, (ctx, page) =>
  ctx.db.tx(async (tx) => {
    const after = await renewFollows(ctx, tx, page)
    if (after !== null) await ctx.queue(tx, renewFollowsJob, { ...page, after })
  }),
)
