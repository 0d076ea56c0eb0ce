/** Reads the featured hashtags of a remote account when its profile was read, and its pins when it sent an Update. */
import { remoteRead } from '@murmuration/contracts/accounts'
import { bringAuthor, syncFeaturedTags } from '@murmuration/contracts/statuses'
import { once } from '@murmuration/kernel'
import { react } from '../doors.js'

export const onAccountRead = react(remoteRead, 'on-account-read', async (ctx, e) => {
  await ctx.db.tx((tx) =>
    once(tx, e, async () => {
      if (e.featuredTags) await ctx.queue(tx, syncFeaturedTags, { account: e.id, url: e.featuredTags })
      if (e.pins) await ctx.queue(tx, bringAuthor, { account: e.id, what: 'pins', reader: null })
    }),
  )
})
