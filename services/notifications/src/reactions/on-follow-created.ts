/** Whoever gained a follower is told; also after a request was accepted. */
import { followCreated } from '@murmuration/contracts/accounts'
import { sources } from '../changes/news.js'
import { notify } from '../changes/notify.js'
import { react } from '../doors.js'

export const onFollowCreated = react(followCreated, 'on-follow-created', async (ctx, e) => {
  if (!e.toLocal) return
  await notify(ctx, e, e.from, [
    { type: 'follow', recipients: [e.to], source: sources.follow(e.id), status: null, at: e.at },
  ])
})
