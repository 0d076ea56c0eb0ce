/** Under limited federation, what we copied of a server that is no longer allowed goes. */
import { domainAllowLifted } from '@murmuration/contracts/admin'
import { clearDomainJob } from '@murmuration/contracts/media'
import { react } from '../doors.js'

export const onDomainAllowLifted = react(domainAllowLifted, 'on-domain-allow-lifted', async (ctx, { domain }) => {
  // Servers below it are allowed one by one.
  const all = (['attachment', 'picture'] as const).map((what) => ({ domain, exact: true, what, after: '0' }))
  await ctx.db.tx((tx) => ctx.queue(tx, clearDomainJob, ...all))
})
