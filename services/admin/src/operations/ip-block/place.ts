/** An operator blocks a range of addresses. */
import { ipBlockPlace } from '@murmuration/contracts/admin'
import { placeIpBlock } from '../../changes/access-block.js'
import { handle } from '../../doors.js'
import { ipBlockOf } from '../../views/access-block.js'

export const place = handle(ipBlockPlace, async (ctx, _viewer, input) =>
  ipBlockOf(await placeIpBlock(ctx, null, input)),
)
