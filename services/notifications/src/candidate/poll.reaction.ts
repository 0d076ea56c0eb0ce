/** Event handlers for the end of a poll, and to an edit after which it has not ended. */
import { notifyVotersJob } from '@murmuration/contracts/notifications'
import { pollEnded, pollReopened, pollVoters } from '@murmuration/contracts/statuses'
import { react } from '../handlers.js'
import { sources } from './candidate.js'
import { queueNextPage } from './next-page.js'
import { notify } from './notify.js'
import { removeUntil } from './undone.store.js'

/**
 * Notifies the author of an ended local poll, and queues the job that notifies the voters of any ended poll. Does
 * nothing if an edit gave the poll another end. Notifications about an earlier end are replaced, because their removal
 * may be handled later.
 */
export const onPollEnded = react(pollEnded, 'on-poll-ended', async (ctx, e) => {
  const { id: poll, status, author, at } = e
  const { running } = await ctx.call(pollVoters, { poll, limit: 1 })
  if (running) return
  await queueNextPage(ctx, e, notifyVotersJob, { poll, status, author, at })
  if (e.local)
    await notify(ctx, e, author, [
      { type: 'poll', recipients: [author], source: sources.status(status), status, replaces: true, at },
    ])
})

/** Removes the notifications about the earlier end of a poll. Its voters are notified of the next end only if they vote again. */
export const onPollReopened = react(pollReopened, 'on-poll-reopened', (ctx, e) =>
  ctx.db.tx(async (tx) => {
    await removeUntil(tx, 'poll', sources.status(e.status), new Date(e.at))
  }),
)
