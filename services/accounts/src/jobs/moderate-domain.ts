/** Goes on changing how the accounts of a domain stand, a page at a time. */
import { moderateDomainJob } from '@murmuration/contracts/accounts'
import { DOMAIN_PAGE, moderate } from '../changes/moderation.js'
import { work } from '../doors.js'

export const moderateDomain = work(moderateDomainJob, async (ctx, data) => {
  await ctx.db.tx(async (tx) => {
    const changed = await moderate(ctx, tx, { domain: data.domain }, data.action, data.stamp)
    if (changed.length === DOMAIN_PAGE) await ctx.queue(tx, moderateDomainJob, data)
  })
})
