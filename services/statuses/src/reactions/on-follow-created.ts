/** A new follow brings the latest statuses of the followed account into the follower’s home feed. */
import { followCreated } from '@murmuration/contracts/accounts'
import { mergeIn } from '../changes/feed.js'
import { react } from '../doors.js'

export const onFollowCreated = react(followCreated, 'on-follow-created', async (ctx, e) => {
  if (e.fromLocal) await mergeIn(ctx, e.from, e.to)
})
