/** Lifts a domain block of the viewer. */
import { domainBlockRemove } from '@murmuration/contracts/accounts'
import { domainNameOf } from '../../domain/domain-name.js'
import { handle } from '../../doors.js'
import { deleteDomainBlock } from '../../store/domain-block.js'

export const removeDomainBlock = handle(domainBlockRemove, async (ctx, viewer, input) => {
  await ctx.db.tx((tx) => deleteDomainBlock(tx, viewer.id, domainNameOf(input.domain)))
  return {}
})
