/** Says follows of an account anew, page after page; safe to repeat. */
import { renewFollowsJob } from '@murmuration/contracts/accounts'
import { renewFollows } from '../changes/renew-follows.js'
import { work } from '../doors.js'

export const renewFollowsWork = work(renewFollowsJob, (ctx, page) =>
  ctx.db.tx(async (tx) => {
    const after = await renewFollows(ctx, tx, page)
    if (after !== null) await ctx.queue(tx, renewFollowsJob, { ...page, after })
  }),
)
