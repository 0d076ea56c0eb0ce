/** How many followers of today began to follow in a span of time. */
import { followersGained } from '@murmuration/contracts/accounts'
import { idFloor } from '@murmuration/kernel'
import { handle } from '../../doors.js'
import { countFollowersBetween } from '../../store/follow.js'

export const gained = handle(followersGained, async (ctx, _viewer, { id, from, to }) => ({
  count: await countFollowersBetween(ctx.db, id, idFloor(from), idFloor(to)),
}))
