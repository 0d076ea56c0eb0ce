/** Tells a page of people who voted that the poll is over, and queues the page after it. */
import { tellVotersJob } from '@murmuration/contracts/notifications'
import { pollVoters } from '@murmuration/contracts/statuses'
import { queueOf } from '@murmuration/kernel'
import { sources } from '../changes/news.js'
import { goOn } from '../changes/next-page.js'
import { notify } from '../changes/notify.js'
import { work } from '../doors.js'

const PAGE = 500

export const tellVoters = work(tellVotersJob, async (ctx, { poll, status, author, after, at }, meta) => {
  const origin = { consumer: queueOf(tellVotersJob), eventId: meta.id }
  const { accounts, next } = await ctx.call(pollVoters, { poll, after, limit: PAGE })
  await notify(ctx, origin, author, [
    { type: 'poll', recipients: accounts, source: sources.status(status), status, at },
  ])
  if (next !== null) await goOn(ctx, origin, tellVotersJob, { poll, status, author, after: next, at })
})
