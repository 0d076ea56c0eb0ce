/** A follow that ended is not told any more. */
import { followRemoved } from '@murmuration/contracts/accounts'
import { sources } from '../changes/news.js'
import { undo } from '../changes/undo.js'
import { react } from '../doors.js'

export const onFollowRemoved = react(followRemoved, 'on-follow-removed', async (ctx, e) => {
  if (e.toLocal) await undo(ctx, sources.follow(e.id))
})
