/** A request that was answered or withdrawn is not told any more. */
import { followRequestRemoved } from '@murmuration/contracts/accounts'
import { sources } from '../changes/news.js'
import { undo } from '../changes/undo.js'
import { react } from '../doors.js'

export const onFollowRequestRemoved = react(followRequestRemoved, 'on-follow-request-removed', async (ctx, e) => {
  if (e.toLocal) await undo(ctx, sources.followRequest(e.id))
})
