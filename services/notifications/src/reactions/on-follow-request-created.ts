/** Whoever is asked for permission to follow is told. */
import { followRequested } from '@murmuration/contracts/accounts'
import { sources } from '../changes/news.js'
import { notify } from '../changes/notify.js'
import { react } from '../doors.js'

export const onFollowRequestCreated = react(followRequested, 'on-follow-request-created', async (ctx, e) => {
  if (!e.toLocal) return
  await notify(ctx, e, e.from, [
    { type: 'follow_request', recipients: [e.to], source: sources.followRequest(e.id), status: null, at: e.at },
  ])
})
