/** An operator blocks an e-mail address, however it is written. */
import { canonicalEmailBlockPlace } from '@murmuration/contracts/admin'
import { placeCanonicalEmailBlock } from '../../changes/access-block.js'
import { handle } from '../../doors.js'
import { canonicalEmailBlockOf } from '../../views/access-block.js'

export const place = handle(canonicalEmailBlockPlace, async (ctx, _viewer, { email }) =>
  canonicalEmailBlockOf(await placeCanonicalEmailBlock(ctx, null, email)),
)
