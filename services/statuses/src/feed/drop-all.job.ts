/** The job that drops the feeds of a page of accounts. Their next readers rebuild them. */
import { feedOwners } from '@murmuration/contracts/accounts'
import { dropAllFeeds as dropAllFeedsJob } from '@murmuration/contracts/statuses'
import { queueNextOnce } from '@murmuration/kernel'
import { work } from '../handlers.js'
import { dropFeeds, homeKey, listKey } from './store.js'

const PAGE = 500

export const dropAllFeeds = work(dropAllFeedsJob, async (ctx, { after = '0' }, meta) => {
  const { owners, next } = await ctx.call(feedOwners, { after, limit: PAGE, since: null, id: null })
  const keys = owners.flatMap(({ id, lists }) => [homeKey(id), ...lists.map((list) => listKey(id, list))])
  await dropFeeds(ctx.redis, keys)
  if (next === null) return
  await ctx.db.tx((tx) =>
    queueNextOnce(tx, dropAllFeedsJob, meta, () => ctx.queue(tx, dropAllFeedsJob, { after: next })),
  )
})
