/** A server from which no media come any more: what we copied of it goes. */
import { domainBlockChanged } from '@murmuration/contracts/admin'
import { clearDomainJob } from '@murmuration/contracts/media'
import { react } from '../doors.js'

export const onDomainBlockChanged = react(domainBlockChanged, 'on-domain-block-changed', async (ctx, e) => {
  if (!e.reject_media && e.severity !== 'suspend') return
  const all = (['attachment', 'picture'] as const).map((what) => ({ domain: e.domain, what, after: '0' }))
  await ctx.db.tx((tx) => ctx.queue(tx, clearDomainJob, ...all))
})
