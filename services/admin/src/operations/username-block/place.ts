/** An operator blocks a user name. */
import { usernameBlockPlace } from '@murmuration/contracts/admin'
import { placeUsernameBlock } from '../../changes/access-block.js'
import { handle } from '../../doors.js'
import { usernameRuleOf } from '../../views/access-block.js'

export const place = handle(usernameBlockPlace, async (ctx, _viewer, input) =>
  usernameRuleOf(await placeUsernameBlock(ctx, null, input)),
)
