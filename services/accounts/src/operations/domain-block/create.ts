/** Blocks a whole domain for the viewer; follows from and to it end. */
import { domainBlockCreate } from '@murmuration/contracts/accounts'
import { blockDomainAs } from '../../changes/domain-block.js'
import { domainNameOf } from '../../domain/domain-name.js'
import { handle } from '../../doors.js'

export const createDomainBlock = handle(domainBlockCreate, async (ctx, viewer, input) => {
  const domain = domainNameOf(input.domain)
  await ctx.db.tx((tx) => blockDomainAs(ctx, tx, viewer.id, domain))
  return {}
})
