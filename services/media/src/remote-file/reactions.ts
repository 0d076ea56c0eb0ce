/** Event handlers that queue the deletion of copied files of blocked servers. */
import { domainAllowRemoved, domainBlockChanged } from '@murmuration/contracts/admin'
import { clearDomainJob } from '@murmuration/contracts/media'
import { react } from '../handlers.js'

/** Limited federation: queues the deletion of the copies of a server that is no longer allowed. */
export const onDomainAllowRemoved = react(domainAllowRemoved, 'on-domain-allow-lifted', async (ctx, { domain }) => {
  // Only the copies of the server itself are deleted, because its subdomains are allowed separately.
  const all = (['attachment', 'picture'] as const).map((what) => ({ domain, exact: true, what, after: '0' }))
  await ctx.db.tx((tx) => ctx.queue(tx, clearDomainJob, ...all))
})

/** Queues the deletion of all copies of files from a server and its subdomains, if staff suspends it or rejects its media. */
export const onDomainBlockChanged = react(domainBlockChanged, 'on-domain-block-changed', async (ctx, e) => {
  if (!e.reject_media && e.severity !== 'suspend') return
  const all = (['attachment', 'picture'] as const).map((what) => ({ domain: e.domain, what, after: '0' }))
  await ctx.db.tx((tx) => ctx.queue(tx, clearDomainJob, ...all))
})
