/** Takes a vote to the poll of somebody elsewhere; of a poll here, notes that its numbers are worth telling. */

import { writeVote } from '@murmuration/activitypub/vocabulary/write-activity'
import { pollVoted } from '@murmuration/contracts/statuses'
import { inboxOf, recordsOf } from '../delivery/audience.js'
import { pairOf, tellDeed } from '../delivery/deed.js'
import { react } from '../doors.js'
import { notePollChange } from '../store/poll-change.js'

/** Votes come in bursts; one Update tells of all that came meanwhile. */
const GATHER_MS = 180_000

export const onPollVoted = react(pollVoted, 'on-poll-voted', async (ctx, e) => {
  if (e.authorLocal) {
    const voter = e.byLocal ? undefined : (await recordsOf(ctx, [e.by])).get(e.by)
    await notePollChange(ctx.db, {
      statusId: e.status,
      seq: e.eventId,
      changedAt: new Date(e.at),
      dueAt: new Date(ctx.clock.now() + GATHER_MS),
      inboxes: voter ? [inboxOf(voter)].filter((inbox) => inbox !== null) : [],
    })
    return
  }
  if (!e.byLocal) return
  const pair = await pairOf(ctx, e.by, e.author)
  if (pair === null) return
  const { our, their } = pair
  const vote = (option: string, index: number) =>
    writeVote({
      id: `${our.uri}#votes/${e.eventId}/${index}`,
      actor: our.uri,
      poll: e.statusUri,
      author: their.uri,
      option,
    })
  await Promise.all(
    e.options.map((option, index) =>
      tellDeed(ctx, { actorId: our.id, seq: e.eventId, activity: vote(option, index), their }),
    ),
  )
})
