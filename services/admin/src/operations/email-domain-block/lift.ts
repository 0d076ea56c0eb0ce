/** An operator no longer blocks an e-mail provider. */
import { emailDomainBlockLift } from '@murmuration/contracts/admin'
import { liftEmailDomainBlock } from '../../changes/access-block.js'
import { handle } from '../../doors.js'

export const lift = handle(emailDomainBlockLift, async (ctx, _viewer, { domain }) => {
  await liftEmailDomainBlock(ctx, null, domain)
  return {}
})
