/** An operator blocks an e-mail provider. */
import { emailDomainBlockPlace } from '@murmuration/contracts/admin'
import { placeEmailDomainBlock } from '../../changes/access-block.js'
import { handle } from '../../doors.js'
import { emailDomainRuleOf } from '../../views/access-block.js'

export const place = handle(emailDomainBlockPlace, async (ctx, _viewer, input) =>
  emailDomainRuleOf(await placeEmailDomainBlock(ctx, null, input)),
)
