/** Goes on ending what a person has with a domain that they block, unless they lifted the block. */
import { endWithDomainJob } from '@murmuration/contracts/accounts'
import { endDomainRelations } from '../changes/domain-relations.js'
import { work } from '../doors.js'
import { blocksDomain } from '../store/domain-block.js'
import { lockAccount } from '../store/lock.js'

export const endWithDomainWork = work(endWithDomainJob, (ctx, { account, domain, cause }) =>
  ctx.db.tx(async (tx) => {
    await lockAccount(tx, account)
    if (await blocksDomain(tx, account, domain)) await endDomainRelations(ctx, tx, account, domain, cause)
  }),
)
