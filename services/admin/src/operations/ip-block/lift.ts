/** An operator no longer blocks a range of addresses. */
import { ipBlockLift } from '@murmuration/contracts/admin'
import { liftIpBlock } from '../../changes/access-block.js'
import { handle } from '../../doors.js'

export const lift = handle(ipBlockLift, async (ctx, _viewer, { ip }) => {
  await liftIpBlock(ctx, null, ip)
  return {}
})
