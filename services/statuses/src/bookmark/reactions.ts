/** A person brings bookmarks along; other servers may have to be asked, so a job does it. */
import { bookmarksWanted } from '@murmuration/contracts/accounts'
import { bringBookmarks } from '@murmuration/contracts/statuses'
import { once } from '@murmuration/kernel'
import { react } from '../handlers.js'

export const onBookmarksWanted = react(bookmarksWanted, 'on-bookmarks-wanted', async (ctx, e) => {
  const { id, account, clear, rows } = e
  await ctx.db.tx((tx) => once(tx, e, () => ctx.queue(tx, bringBookmarks, { id, account, clear, rows })))
})
