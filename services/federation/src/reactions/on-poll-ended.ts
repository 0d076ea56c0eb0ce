/** Has the final numbers of a poll of ours told. */
import { pollEnded } from '@murmuration/contracts/statuses'
import { react } from '../doors.js'
import { notePollChange } from '../store/poll-change.js'

export const onPollEnded = react(pollEnded, 'on-poll-ended', async (ctx, e) => {
  if (!e.local) return
  const now = ctx.clock.date()
  await notePollChange(ctx.db, {
    statusId: e.status,
    seq: e.eventId,
    changedAt: new Date(e.at),
    dueAt: now,
    inboxes: [],
  })
})
