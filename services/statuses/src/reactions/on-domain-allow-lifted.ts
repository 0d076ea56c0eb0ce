/** Under limited federation, what was written on a server that is no longer allowed ends like that of a blocked one. */
import { domainAllowLifted } from '@murmuration/contracts/admin'
import { react } from '../doors.js'
import { putDelisted } from '../store/delisted-domain.js'

export const onDomainAllowLifted = react(domainAllowLifted, 'on-domain-allow-lifted', async (ctx, e) => {
  await ctx.db.tx((tx) => putDelisted(tx, e.domain, new Date(e.at)))
})
