/** Blocks a whole domain for the viewer; follows from and to it end. */
import { domainBlockCreate, domainBlocked } from '@murmuration/contracts/accounts'
import { endDomainRelations } from '../../changes/domain-relations.js'
import { domainNameOf } from '../../domain/domain-name.js'
import { handle } from '../../doors.js'
import { insertDomainBlock } from '../../store/domain-block.js'
import { lockAccount } from '../../store/lock.js'

export const createDomainBlock = handle(domainBlockCreate, async (ctx, viewer, input) => {
  const domain = domainNameOf(input.domain)
  await ctx.db.tx(async (tx) => {
    // The whole account is locked, so that no follow slips in between the block and the end of the others.
    await lockAccount(tx, viewer.id)
    const fresh = await insertDomainBlock(tx, {
      id: ctx.ids.next(),
      account: viewer.id,
      domain,
      at: ctx.clock.date(),
    })
    if (!fresh) return
    await ctx.announce(tx, domainBlocked, { id: viewer.id, domain })
    await endDomainRelations(ctx, tx, viewer.id, domain)
  })
  return {}
})
