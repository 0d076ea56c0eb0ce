/** What an account wrote goes with it. */
import { accountRemoved } from '@murmuration/contracts/accounts'
import { eraseAuthor } from '@murmuration/contracts/statuses'
import { once } from '@murmuration/kernel'
import { react } from '../doors.js'
import { forgetAuthor } from '../store/author-flag.js'
import { endSuspension } from '../store/suspended-author.js'

export const onAccountRemoved = react(accountRemoved, 'on-account-removed', async (ctx, e) => {
  await ctx.db.tx((tx) =>
    once(tx, e, async () => {
      // Hidden at once; the rows follow.
      await forgetAuthor(tx, e.id, e.local)
      await endSuspension(tx, e.id)
      await ctx.queue(tx, eraseAuthor, { author: e.id })
    }),
  )
})
