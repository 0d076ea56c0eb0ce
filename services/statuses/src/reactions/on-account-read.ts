/** When a remote profile was read, the hashtags it features are read too. */
import { remoteRead } from '@murmuration/contracts/accounts'
import { syncFeaturedTags } from '@murmuration/contracts/statuses'
import { once } from '@murmuration/kernel'
import { react } from '../doors.js'

export const onAccountRead = react(remoteRead, 'on-account-read', async (ctx, e) => {
  await ctx.db.tx((tx) => once(tx, e, () => ctx.queue(tx, syncFeaturedTags, { account: e.id, url: e.featuredTags })))
})
