/** Tells a page of people who boosted a status that it was edited, and queues the page after it. */
import { tellBoostersJob } from '@murmuration/contracts/notifications'
import { localBoosters } from '@murmuration/contracts/statuses'
import { queueOf } from '@murmuration/kernel'
import { sources } from '../changes/news.js'
import { goOn } from '../changes/next-page.js'
import { notify } from '../changes/notify.js'
import { work } from '../doors.js'

const PAGE = 500

export const tellBoosters = work(tellBoostersJob, async (ctx, { status, author, after, at }, meta) => {
  const origin = { consumer: queueOf(tellBoostersJob), eventId: meta.id }
  const { accounts, next } = await ctx.call(localBoosters, { status, after, limit: PAGE })
  await notify(ctx, origin, author, [
    { type: 'update', recipients: accounts, source: sources.status(status), status, replaces: true, at },
  ])
  if (next !== null) await goOn(ctx, origin, tellBoostersJob, { status, author, after: next, at })
})
