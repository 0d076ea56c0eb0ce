/** Queues an import of filters. The import is a job, because it may send requests to other servers. */
import { filtersWanted } from '@murmuration/contracts/accounts'
import { readFilterFile } from '@murmuration/contracts/statuses'
import { processOnce } from '@murmuration/kernel'
import { react } from '../handlers.js'

export const onFiltersWanted = react(filtersWanted, 'on-filters-wanted', async (ctx, e) => {
  const { id, account, overwrite } = e
  await ctx.db.tx((tx) =>
    processOnce(tx, e, () => ctx.queue(tx, readFilterFile, { id, account, overwrite, looked: 0 })),
  )
})
