/** An ended follow takes the account out of the follower’s home feed. */
import { followRemoved } from '@murmuration/contracts/accounts'
import { takeOut } from '../changes/feed.js'
import { react } from '../doors.js'

export const onFollowRemoved = react(followRemoved, 'on-follow-removed', async (ctx, e) => {
  if (e.fromLocal) await takeOut(ctx, e.from, e.to, 'written')
})
