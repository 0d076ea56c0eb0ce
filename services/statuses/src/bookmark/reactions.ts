/** Queues an import of bookmarks. The import is a job, because it may send requests to other servers. */
import { bookmarksWanted } from '@murmuration/contracts/accounts'
import { readBookmarkFile } from '@murmuration/contracts/statuses'
import { processOnce } from '@murmuration/kernel'
import { react } from '../handlers.js'

export const onBookmarksWanted = react(bookmarksWanted, 'on-bookmarks-wanted', async (ctx, e) => {
  const { id, account, clear, rows } = e
  await ctx.db.tx((tx) => processOnce(tx, e, () => ctx.queue(tx, readBookmarkFile, { id, account, clear, rows })))
})
