/** Job that continues to end relationships with a blocked domain, unless the block was removed. */
import { endWithDomainJob } from '@murmuration/contracts/accounts'
import { queueNextOnce } from '@murmuration/kernel'
import { lockAccount } from '../core/lock.store.js'
import { work } from '../handlers.js'
import { endDomainRelations } from './end-relations.js'
import { blocksDomain } from './store.js'

export const endWithDomainWork = work(endWithDomainJob, (ctx, { account, domain, cause }, meta) =>
  ctx.db.tx((tx) =>
    queueNextOnce(tx, endWithDomainJob, meta, async () => {
      await lockAccount(tx, account)
      if (await blocksDomain(tx, account, domain)) await endDomainRelations(ctx, tx, account, domain, cause)
    }),
  ),
)
