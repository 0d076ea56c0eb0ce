/** Who asked and who voted are told that a poll is over. */
import { tellVotersJob } from '@murmuration/contracts/notifications'
import { pollEnded } from '@murmuration/contracts/statuses'
import { sources } from '../changes/news.js'
import { goOn } from '../changes/next-page.js'
import { notify } from '../changes/notify.js'
import { react } from '../doors.js'

export const onPollEnded = react(pollEnded, 'on-poll-ended', async (ctx, e) => {
  const { id: poll, status, author, at } = e
  if (e.local)
    await notify(ctx, e, author, [{ type: 'poll', recipients: [author], source: sources.status(status), status, at }])
  await goOn(ctx, e, tellVotersJob, { poll, status, author, at })
})
