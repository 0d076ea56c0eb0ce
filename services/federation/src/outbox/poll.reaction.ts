/** Event handlers that record changed results of local polls, and send votes in remote polls. */
import { writeVote } from '@murmuration/activitypub/vocabulary/write-activity'
import { pollEnded, pollVoted } from '@murmuration/contracts/statuses'
import { react } from '../handlers.js'
import { inboxOf, recordsOf } from './audience.js'
import { pairOf, sendActivity } from './direct-activity.js'
import { recordPollChange } from './poll-change.store.js'

/** Delay of the Update after the first vote, so that one Update contains many votes. */
const UPDATE_DELAY_MS = 180_000

export const onPollVoted = react(pollVoted, 'on-poll-voted', async (ctx, e) => {
  if (e.authorLocal) {
    const voter = e.byLocal ? undefined : (await recordsOf(ctx, [e.by])).get(e.by)
    await recordPollChange(ctx.db, {
      statusId: e.status,
      seq: e.eventId,
      changedAt: new Date(e.at),
      dueAt: new Date(ctx.clock.now() + UPDATE_DELAY_MS),
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
      sendActivity(ctx, { actorId: our.id, seq: e.eventId, activity: vote(option, index), their }),
    ),
  )
})

/** Queues the Update with the final results of a local poll. */
export const onPollEnded = react(pollEnded, 'on-poll-ended', async (ctx, e) => {
  if (!e.local) return
  const now = ctx.clock.date()
  await recordPollChange(ctx.db, {
    statusId: e.status,
    seq: e.eventId,
    changedAt: new Date(e.at),
    dueAt: now,
    inboxes: [],
  })
})
