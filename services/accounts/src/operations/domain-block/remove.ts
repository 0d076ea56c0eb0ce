/** Lifts a domain block of the viewer. */
import { domainBlockRemove, domainUnblocked } from '@murmuration/contracts/accounts'
import { domainNameOf } from '../../domain/domain-name.js'
import { handle } from '../../doors.js'
import { deleteDomainBlock } from '../../store/domain-block.js'

export const removeDomainBlock = handle(domainBlockRemove, async (ctx, viewer, input) => {
  const domain = domainNameOf(input.domain)
  await ctx.db.tx(async (tx) => {
    if (await deleteDomainBlock(tx, viewer.id, domain))
      await ctx.announce(tx, domainUnblocked, { id: viewer.id, domain })
  })
  return {}
})
