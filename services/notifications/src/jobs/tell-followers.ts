/** Tells one more page of followers that somebody posted, and queues the page after it. */
import { tellFollowersJob } from '@murmuration/contracts/notifications'
import { queueOf } from '@murmuration/kernel'
import { followersToTell } from '../changes/followers.js'
import { sources } from '../changes/news.js'
import { goOn } from '../changes/next-page.js'
import { notify } from '../changes/notify.js'
import { work } from '../doors.js'

export const tellFollowers = work(tellFollowersJob, async (ctx, { status, author, after, at }, meta) => {
  const origin = { consumer: queueOf(tellFollowersJob), eventId: meta.id }
  const { ids, next } = await followersToTell(ctx, author, after)
  await notify(ctx, origin, author, [{ type: 'status', recipients: ids, source: sources.status(status), status, at }])
  if (next !== null) await goOn(ctx, origin, tellFollowersJob, { status, author, after: next, at })
})
