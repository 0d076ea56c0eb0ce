/** Job that continues to end relationships with a blocked domain, unless the block was removed. */
import { endWithDomainJob } from '@murmuration/contracts/accounts'
import { lockAccount } from '../core/lock.store.js'
import { work } from '../handlers.js'
import { endDomainRelations } from './end-relations.js'
import { blocksDomain } from './store.js'

export const endWithDomainWork = work(endWithDomainJob, (ctx, { account, domain, cause }) =>
  ctx.db.tx(async (tx) => {
    await lockAccount(tx, account)
    if (await blocksDomain(tx, account, domain)) await endDomainRelations(ctx, tx, account, domain, cause)
  }),
)
