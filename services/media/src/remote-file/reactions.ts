/** Reactions that delete copies of files of blocked servers. */
import { domainAllowLifted, domainBlockChanged } from '@murmuration/contracts/admin'
import { clearDomainJob } from '@murmuration/contracts/media'
import { react } from '../handlers.js'

/** Under limited federation, what we copied of a server that is no longer allowed goes. */
export const onDomainAllowLifted = react(domainAllowLifted, 'on-domain-allow-lifted', async (ctx, { domain }) => {
  // Servers below it are allowed one by one.
  const all = (['attachment', 'picture'] as const).map((what) => ({ domain, exact: true, what, after: '0' }))
  await ctx.db.tx((tx) => ctx.queue(tx, clearDomainJob, ...all))
})

/** A server from which no media come any more: what we copied of it goes. */
export const onDomainBlockChanged = react(domainBlockChanged, 'on-domain-block-changed', async (ctx, e) => {
  if (!e.reject_media && e.severity !== 'suspend') return
  const all = (['attachment', 'picture'] as const).map((what) => ({ domain: e.domain, what, after: '0' }))
  await ctx.db.tx((tx) => ctx.queue(tx, clearDomainJob, ...all))
})
