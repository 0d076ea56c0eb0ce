/** Tells a page of people who quote a status that it was edited, and queues the page after it. */
import { tellQuotersJob } from '@murmuration/contracts/notifications'
import { localQuoters } from '@murmuration/contracts/statuses'
import { queueOf } from '@murmuration/kernel'
import { sources } from '../changes/news.js'
import { goOn } from '../changes/next-page.js'
import { notify } from '../changes/notify.js'
import { work } from '../doors.js'

/** Each quote is a piece of news of its own. */
const PAGE = 50

export const tellQuoters = work(tellQuotersJob, async (ctx, { status, author, after, at }, meta) => {
  const origin = { consumer: queueOf(tellQuotersJob), eventId: meta.id }
  const { quotes, next } = await ctx.call(localQuoters, { status, after, limit: PAGE })
  await notify(
    ctx,
    origin,
    author,
    quotes.map((one) => ({
      type: 'quoted_update' as const,
      recipients: [one.account],
      source: sources.quote(one.status),
      status: one.status,
      replaces: true,
      at,
    })),
  )
  if (next !== null) await goOn(ctx, origin, tellQuotersJob, { status, author, after: next, at })
})
