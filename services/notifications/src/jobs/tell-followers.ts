/** Tells one more page of followers that somebody posted, and queues the page after it. */
import { tellFollowersJob } from '@murmuration/contracts/notifications'
import { once, queueOf } from '@murmuration/kernel'
import { followersToTell } from '../changes/followers.js'
import { sources } from '../changes/news.js'
import { notify } from '../changes/notify.js'
import { work } from '../doors.js'

export const tellFollowers = work(tellFollowersJob, async (ctx, { status, author, after, at }, meta) => {
  const consumer = queueOf(tellFollowersJob)
  const { ids, next } = await followersToTell(ctx, author, after)
  await notify(ctx, { consumer, eventId: meta.id }, author, [
    { type: 'status', recipients: ids, source: sources.status(status), status, at },
  ])
  if (next !== null)
    await ctx.db.tx((tx) =>
      once(tx, { consumer: `${consumer}:next`, eventId: meta.id }, () =>
        ctx.queue(tx, tellFollowersJob, { status, author, after: next, at }),
      ),
    )
})
