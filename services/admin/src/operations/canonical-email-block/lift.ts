/** An operator no longer blocks an e-mail address. */
import { canonicalEmailBlockLift } from '@murmuration/contracts/admin'
import { liftCanonicalEmailBlock } from '../../changes/access-block.js'
import { handle } from '../../doors.js'

export const lift = handle(canonicalEmailBlockLift, async (ctx, _viewer, { email }) => {
  await liftCanonicalEmailBlock(ctx, null, email)
  return {}
})
