/** Reaction to the end of a poll. */
import { notifyVotersJob } from '@murmuration/contracts/notifications'
import { pollEnded } from '@murmuration/contracts/statuses'
import { react } from '../handlers.js'
import { sources } from './candidate.js'
import { goOn } from './next-page.js'
import { notify } from './notify.js'

/** Notifies the voters of an ended poll, and its author if the poll is local. */
export const onPollEnded = react(pollEnded, 'on-poll-ended', async (ctx, e) => {
  const { id: poll, status, author, at } = e
  if (e.local)
    await notify(ctx, e, author, [{ type: 'poll', recipients: [author], source: sources.status(status), status, at }])
  await goOn(ctx, e, notifyVotersJob, { poll, status, author, at })
})
